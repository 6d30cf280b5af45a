/** The wait that a body in an exception's words names, where only what it says is told of it. */
import { FaultError, type Language, makeFault } from '@mayday/core';
import { bodyInWords } from './bodies.ts';
import { describe } from './describe.ts';
import type { FromException } from './exception.ts';

/** The same with how long to wait, where it did not know and the body does. */
export function withWait(told: FromException, reason: unknown, language: Language): FromException {
  const { fault } = told.thrown;
  if (!fault.retryable || fault.retry.afterMs !== undefined) return told;
  const found = bodyInWords(describe(reason).message);
  const afterMs = found === undefined ? undefined : waitIn(found.body, language);
  if (afterMs === undefined) return told;
  const retry = { ...fault.retry, when: 'after_wait', afterMs } as const;
  return { ...told, thrown: new FaultError(makeFault({ ...fault, retry }), { cause: reason }) };
}

/** Whatever it was sent with, a body names its wait as one does beside a limit. */
function waitIn(body: unknown, language: Language): number | undefined {
  const reading = language.read({ http: { status: 429, headers: {}, body } });
  return reading.failure ? reading.fault.retry.afterMs : undefined;
}
