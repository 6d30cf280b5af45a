/** A validator's words in a plain exception, where they are of something that the caller has not sent. */

import { namesUnsent } from './ajv.ts';
import { isOverOthersValue } from './callers-value.ts';
import { type JsonSchema, namesIn } from './tool-schema.ts';
import { isAgainst } from './verdict.ts';

interface Call {
  readonly arguments?: unknown;
  readonly schema?: (() => JsonSchema | undefined) | undefined;
}

/** Longer ones are dumps. */
const LONGEST = 4000;

/** Are they of an answer, of what was not sent and the tool does not know, or of what it would refuse? */
export function isOfAnother(text: string, call: Call): boolean {
  if (text.length > LONGEST) return false;
  return (
    namesUnsent(text, call.arguments) ||
    isOfAnswer(text) ||
    isOverOthersValue(text, call.arguments) ||
    hasStranger(text, call) ||
    gotAnother(text, call) ||
    isElsewhere(text, call) ||
    isAgainstTool(text, call)
  );
}

const ANSWER =
  /^(?:invalid|unexpected|malformed|bad) (?:\w{1,20} )?(?:response|answer|reply)(?: (?:from|of) [^:\n]{1,60})?: /i;
/** How validators say what is wrong. */
const CHECKED =
  /\bUnrecognized key|\b[Ee]xpected [^\n]{1,200}\breceived\b|\bInvalid (?:input|option|enum value|literal)|\bToo (?:small|big): |\b(?:String|Number|Array) must |: Required\b/;

function isOfAnswer(text: string): boolean {
  return ANSWER.test(text) && CHECKED.test(text);
}

const STRANGERS = /\bUnrecognized key(?:\(s\)|s)?(?: in object)?: ((?:["'][^"'\n]{1,100}["'](?:, )?){1,20})/g;

/** Names that are too much are somewhere in what was looked at. */
function hasStranger(text: string, { arguments: sent }: Call): boolean {
  const names = [...text.matchAll(STRANGERS)].flatMap(([, list = '']) =>
    [...list.matchAll(/["']([^"'\n]{1,100})["']/g)].map(([, name = '']) => name),
  );
  if (names.length === 0) return false;
  const known = JSON.stringify(sent ?? {}) ?? '';
  return names.some((name) => !known.includes(`${JSON.stringify(name)}:`));
}

const GOT = /\bExpected [^\n]{1,300}, received '([^'\n]{1,100})'/g;

/** A value that it says it got was sent, in capitals or not. */
function gotAnother(text: string, { arguments: sent }: Call): boolean {
  const values = [...text.matchAll(GOT)].map(([, value = '']) => value.toLowerCase());
  if (values.length === 0) return false;
  const known = (JSON.stringify(sent ?? {}) ?? '').toLowerCase();
  return values.some((value) => !known.includes(JSON.stringify(value).slice(1, -1)));
}

const OF_TYPE = /\bexpected (\w{1,20}), received (\w{1,20})\n\s{0,10}\u2192 at ([\w$-]{1,100})(?![\w$.[-])/g;

/** A type that the tool itself does not take there. */
function isAgainstTool(text: string, { arguments: sent, schema }: Call): boolean {
  return [...text.matchAll(OF_TYPE)].some(([message, expected, received, name = '']) =>
    isAgainst({ path: [name], message, code: 'invalid_type', expected, received }, sent, schema?.()),
  );
}

/** As Zod prints where it is. */
const PLACE = /\u2192 at ([\w$-]{1,100})/g;

/** A place that is neither among the arguments nor among those that the tool takes. */
function isElsewhere(text: string, { arguments: sent, schema }: Call): boolean {
  const places = [...text.matchAll(PLACE)].map(([, first = '']) => first);
  const names = places.length === 0 ? undefined : namesIn(schema?.());
  return names !== undefined && places.some((name) => !names.has(name) && !Object.hasOwn(Object(sent), name));
}
