/**
 * Errors with which two sides find common ground, in a system's own document. Their code and the members that the
 * specification has for them stay, because a client acts on those; the words are the document's own.
 */
import type { Json, JsonObject } from '../fault.ts';
import { isRecord } from '../json.ts';
import { type Kind, TRAITS } from '../kinds.ts';
import type { Dialect } from './dialect.ts';
import { type ErrorObject, errorOf, withRest } from './forming.ts';
import { codes20260728 } from './mcp/codes.ts';
import { maySay } from './others-words.ts';

/** What the specification has in `data` of such errors, whatever their code. */
const MEMBERS: ReadonlySet<string> = new Set([
  'elicitations',
  'requested',
  'requiredCapabilities',
  'supported',
]);

/** The error as the document has it. What else somebody said is left out where the document is closed. */
export function negotiated({ code, message, data }: ErrorObject, kind: Kind, dialect: Dialect): ErrorObject {
  const name = titleOf(code, dialect) ?? TRAITS[kind].title;
  const members = isRecord(data) ? Object.entries(data as JsonObject) : [];
  const known = members.filter(([key]) => MEMBERS.has(key));
  const own = known.length === 0 ? undefined : Object.fromEntries(known);
  if (dialect.closed === true) return errorOf(code, name, own && withPlainQuestions(own));
  const left = members.filter(([key]) => !MEMBERS.has(key));
  const rest: { [key: string]: Json } = message === name ? {} : { message };
  if (left.length > 0) rest['data'] = Object.fromEntries(left);
  else if (data !== undefined && members.length === 0) rest['data'] = data;
  return errorOf(code, name, withRest(own, rest));
}

/** Some documents use numbers of the specification's for something else: here they mean what it says. */
function titleOf(code: number, { codes }: Dialect): string | undefined {
  const isSo = (row: { readonly code: number | string }): boolean => row.code === code;
  return (codes20260728.find(isSo) ?? codes.find(isSo))?.title;
}

/** What a user is asked stays a question; its words are somebody's, too. */
function withPlainQuestions({ elicitations, ...members }: JsonObject): JsonObject {
  if (!Array.isArray(elicitations)) return members;
  return {
    ...members,
    elicitations: elicitations.filter(isRecord).map((one) => question(one as JsonObject)),
  };
}

function question({ mode, elicitationId, url, message }: JsonObject): JsonObject {
  const said = typeof message === 'string' ? message : '';
  const isPlain = maySay({ kind: 'input_required', reaction: 'permission', message: said });
  const asked = { mode, elicitationId, url, message: isPlain ? said : 'Open the page to go on' };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as JsonObject;
}
