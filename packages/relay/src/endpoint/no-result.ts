/** Answers that are no failure, and nothing that the protocol has for a success either: whoever reads them would fail at it. */
import type { FaultInit } from '@mayday/core';
import { isKey, valuesOf } from '../framing/members.ts';
import { COLON, OPEN_ARRAY, OPEN_OBJECT, QUOTE, skipSpace } from '../framing/scan.ts';
import { otherThanVersion2 } from '../protocol/version.ts';

/** What the result of a method is in. It may have none of it, and be a task or a question; not something else by its name. */
interface Promised {
  readonly name: string;
  readonly opens: typeof OPEN_ARRAY | typeof OPEN_OBJECT;
}

const CONTENT: Promised = { name: 'content', opens: OPEN_ARRAY };

/** What these ask for is always a result with members. Some servers have `null` for what has none, such as `ping`. */
const WITH_RESULT: ReadonlyMap<string, Promised> = new Map([
  ['tools/call', CONTENT],
  ['tasks/result', CONTENT],
  ['prompts/get', { name: 'messages', opens: OPEN_ARRAY }],
  ['resources/read', { name: 'contents', opens: OPEN_ARRAY }],
  ['completion/complete', { name: 'completion', opens: OPEN_OBJECT }],
]);

const KEY: Buffer = Buffer.from('"result"');

/** Why an answer to this method is none; `undefined` where it is JSON-RPC 2.0, and its result has the form of one. */
export function noResult(method: string, bytes: Buffer): FaultInit | undefined {
  const wrong = otherThanVersion2(bytes);
  if (wrong !== undefined) return unusable(`a message that is no JSON-RPC 2.0: ${wrong}`);
  const promised = WITH_RESULT.get(method);
  if (promised === undefined) return undefined;
  const result = resultIn(bytes);
  if (result === undefined) return undefined;
  if (bytes[result] !== OPEN_OBJECT) return unusable('a result that is no object');
  if (beginsWith(bytes, result, promised)) return undefined;
  const { name, opens } = promised;
  const isUsable = valuesOf(bytes, result, name).every(({ start }) => bytes[start] === opens);
  const form = opens === OPEN_ARRAY ? 'list' : 'object';
  return isUsable ? undefined : unusable(`a result whose \`${name}\` is no ${form}`);
}

/** Where it begins. The first place where it can stand is nearly always the right one: large answers are not walked again. */
function resultIn(bytes: Buffer): number | undefined {
  const at = bytes.indexOf(KEY);
  const start = at < 0 ? -1 : valueBehind(bytes, at + KEY.length);
  if (start >= 0 && bytes[start] === OPEN_OBJECT) return start;
  return valuesOf(bytes, skipSpace(bytes, 0), 'result')[0]?.start;
}

/** Is what was promised the first that the result says? It is in nearly all answers. */
function beginsWith(bytes: Buffer, result: number, { name, opens }: Promised): boolean {
  const at = skipSpace(bytes, result + 1);
  const keyEnd = at + name.length + 2;
  if (bytes[at] !== QUOTE || bytes[keyEnd - 1] !== QUOTE || !isKey(bytes, at, keyEnd, name)) return false;
  const start = valueBehind(bytes, keyEnd);
  return start >= 0 && bytes[start] === opens;
}

function valueBehind(bytes: Buffer, keyEnd: number): number {
  const colon = skipSpace(bytes, keyEnd);
  return bytes[colon] === COLON ? skipSpace(bytes, colon + 1) : -1;
}

function unusable(what: string): FaultInit {
  const message = `The server answered with ${what}`;
  return { kind: 'invalid_output', origin: 'upstream', executed: 'maybe', message };
}
