/** The one sentence for whoever is told to try again, when the first attempt may have done its work. */
import type { Fault } from '../fault.ts';
import { ADVICE } from '../kinds.ts';
import { sentence, standingAdvice, WITHOUT_HARM } from './for-model.ts';

/** What repeating can do. */
export const CAUTION = 'It may have happened; check before you repeat a change.';

/**
 * The fault with advice that says what a repetition can do. For calls that change something: a fault after which
 * nobody is told to call again, or that certainly did nothing, stays as it is, and so does advice that says it already.
 */
export function cautioned(fault: Fault): Fault {
  if (fault.executed === 'no') return fault;
  const advice = standingAdvice(fault);
  // After a correction, a sign-in or an approval the same change is made once more.
  const invites =
    fault.retryable || fault.retry.when !== 'never' || /(?<!\bdo not \w+ )\bagain\b/i.test(advice);
  if (!invites) return fault;
  return /may have happened/i.test(advice) ? fault : { ...fault, advice: `${sentence(advice)} ${CAUTION}` };
}

/**
 * The opposite, for calls that can be repeated without harm: nobody has to check first, as the kind's own advice says, or
 * somebody on the way who did not know that.
 */
export function calmed(told: Fault): Fault {
  const fault = withoutCaution(told);
  const advice = WITHOUT_HARM[fault.kind];
  return advice !== undefined && standingAdvice(fault) === ADVICE[fault.kind] ? { ...fault, advice } : fault;
}

function withoutCaution(fault: Fault): Fault {
  if (fault.advice?.endsWith(CAUTION) !== true) return fault;
  const { advice, ...rest } = fault;
  const left = advice.slice(0, -CAUTION.length).trimEnd();
  return left === '' ? rest : { ...rest, advice: left };
}
