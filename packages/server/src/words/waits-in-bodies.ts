/** The wait that a body in an exception's words names, where only what it says is told of it. */
import { FaultError, type Language, makeFault } from '@mayday/core';
import { describe } from './describe.ts';
import type { FromException } from './exception.ts';
import { jsonIn } from './json-in.ts';

/** Longer ones are no answers to a failure. */
const LONGEST = 100_000;

/** The same with how long to wait, where it did not know and the body does. */
export function withWait(told: FromException, reason: unknown, language: Language): FromException {
  const { fault } = told.thrown;
  const text = describe(reason).message;
  const begins = fault.retryable && fault.retry.afterMs === undefined ? text.indexOf('{') : -1;
  if (begins < 0 || text.length > LONGEST) return told;
  const body = jsonIn(text.slice(begins).replace(/[\s.)"'`]{1,10}$/, ''));
  const afterMs = body === undefined ? undefined : waitIn(body, language);
  if (afterMs === undefined) return told;
  const retry = { ...fault.retry, when: 'after_wait', afterMs } as const;
  return { ...told, thrown: new FaultError(makeFault({ ...fault, retry }), { cause: reason }) };
}

/** Whatever it was sent with, a body names its wait as one does beside a limit. */
function waitIn(body: unknown, language: Language): number | undefined {
  const reading = language.read({ http: { status: 429, headers: {}, body } });
  return reading.failure ? reading.fault.retry.afterMs : undefined;
}
