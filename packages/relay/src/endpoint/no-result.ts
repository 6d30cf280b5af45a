/** Answers that are no failure, and nothing that the protocol has for a success either: whoever reads them would fail at it. */
import type { FaultInit } from '@mayday/core';
import { valuesOf } from '../framing/members.ts';
import { COLON, OPEN_OBJECT, skipSpace } from '../framing/scan.ts';

/** What these ask for is always a result with members. Some servers have `null` for what has none, such as `ping`. */
const WITH_RESULT: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
]);

const KEY = '"result"';

/** Why an answer to this method is none; `undefined` where its result is an object. */
export function noResult(method: string, bytes: Buffer): FaultInit | undefined {
  if (!WITH_RESULT.has(method) || opensObject(bytes)) return undefined;
  const [result] = valuesOf(bytes, skipSpace(bytes, 0), 'result');
  return result === undefined || bytes[result.start] === OPEN_OBJECT ? undefined : NO_OBJECT;
}

/** A look at the first place where it can stand, which is nearly always the right one; large answers are not walked again. */
function opensObject(bytes: Buffer): boolean {
  const at = bytes.indexOf(KEY);
  const colon = skipSpace(bytes, at + KEY.length);
  return at >= 0 && bytes[colon] === COLON && bytes[skipSpace(bytes, colon + 1)] === OPEN_OBJECT;
}

const NO_OBJECT: FaultInit = {
  kind: 'invalid_output',
  origin: 'upstream',
  executed: 'maybe',
  message: 'The server answered with a result that is no object',
};
