/** `look` takes any value apart: messages, answers over HTTP, streams of events, exceptions. */
import { parseEventStream } from './http.ts';
import { lookAtHttp } from './look-at-http.ts';
import { type LookParts, lookAtPlainThrown, lookBy } from './look-by.ts';
import type { LookAtThrown, Wire } from './wire.ts';

/** All ways to look but that at exceptions. */
const OVER_HTTP: Omit<LookParts, 'thrown'> = { http: lookAtHttp, events: parseEventStream };

const PLAIN: LookParts = { ...OVER_HTTP, thrown: lookAtPlainThrown };

/** Those that were used last: one reader of exceptions serves a whole program. */
let last: LookParts = PLAIN;

/** Takes any value apart. Total: whatever comes in, a view comes out. */
export function look(value: unknown, exceptions: LookAtThrown = lookAtPlainThrown): Wire {
  if (exceptions === lookAtPlainThrown) return lookBy(PLAIN, value);
  if (last.thrown !== exceptions) last = { ...OVER_HTTP, thrown: exceptions };
  return lookBy(last, value);
}
