/**
 * A change that got no answer, or that broke in the middle, by a limit too: nobody knows whether it was made, and the
 * document's clients obey `retryable`.
 */
import type { Fault, Json } from '../../fault.ts';
import type { FormContext } from '../dialect.ts';
import { isOpenLimit, isOutside } from '../forming.ts';
import { identifierFor } from './identifiers.ts';

const WITHOUT_ANSWER: ReadonlySet<string> = new Set(['timeout', 'unavailable', 'disconnected']);

/** May it have been made, so that a second one could do harm? What never began, and what only reads, cannot. */
function isOpenChange(fault: Fault, context: FormContext): boolean {
  const { kind, executed, native, retryable } = fault;
  if (executed === 'no' || native?.dialect === 'onx' || isOutside(context)) return false;
  // The document's limits are all worth another try.
  if (!retryable && isOpenLimit(fault, context)) return true;
  if (context.mayChange !== true || isSaid(fault, context)) return false;
  return WITHOUT_ANSWER.has(kind) || retryable;
}

/** What a backend's document says of all its failures of a kind, nobody has said of this one. */
function isSaid({ native }: Fault, { retryableSaid }: FormContext): boolean {
  return retryableSaid && native?.raw === undefined;
}

const ADVICE = 'It may have happened; look at the state before you repeat a change.';
const ADAPTER_ERROR = 4001;

/** The fault as the document has it: such a change is ADAPTER_ERROR, which is not retryable. */
export function asSaid(fault: Fault, context: FormContext): Fault {
  if (!isOpenChange(fault, context)) return fault;
  const { kind, subject, retry } = fault;
  const facts: { [key: string]: Json } = { ...fault.details };
  if (subject !== undefined) facts['subject'] = { ...subject };
  // How long to wait is worth knowing for who looks, too.
  if (retry.afterMs !== undefined) facts['retryAfter'] = retry.afterMs;
  const advice = (fault.retryable ? undefined : fault.advice) ?? ADVICE;
  const details: { [key: string]: Json } = { reason: kind, suggestion: advice };
  if (Object.keys(facts).length > 0) details['context'] = facts;
  details['originalError'] = identifierFor(fault);
  return {
    ...fault,
    reaction: 'terminal',
    retryable: false,
    retry: { when: 'never' },
    advice,
    native: { dialect: 'onx', code: ADAPTER_ERROR, extra: { details } },
  };
}
