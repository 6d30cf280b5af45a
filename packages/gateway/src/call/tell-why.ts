/** While a server is left alone, whoever calls is told why the calls before it failed, as far as that is theirs to know. */
import type { Fault } from '@mayday/core';
import { CAUTION } from '@mayday/core/render';
import { after, type Failed, setLast } from '@mayday/policy';
import type { Wire, WireCall, WirePolicy } from '@mayday/relay';

/** Callers, sessions and tools whose last failure is known. */
const MOST = 1000;

/** Stands above what refuses calls for the failures of others, and tells with the refusal what these failed of. */
export function tellWhy(): WirePolicy {
  const own = new Map<string, Fault>();
  let everybodys: Fault | undefined;
  /** The one that was told last: a server that fails mostly fails the same call in the same way. */
  let newest: { readonly key: string; readonly fault: Fault } | undefined;
  const keep = (key: string, fault: Fault): void => {
    if (newest?.fault === fault && newest.key === key && own.get(key) === fault) return;
    newest = { key, fault };
    setLast(own, key, fault, MOST);
  };
  return after((outcome, call) => {
    const isAnswered = outcome.ok || outcome.answered === true;
    if (isAnswered) everybodys = undefined;
    if (outcome.ok && own.size === 0) return outcome; // a key is made for those who need it: most calls succeed
    const key = keyOf(call);
    if (outcome.ok || (isAnswered && outcome.refused !== undefined)) own.delete(key);
    if (outcome.ok) return outcome;
    if (outcome.refused === undefined) {
      keep(key, outcome.fault);
      if (isOfStart(outcome)) everybodys = outcome.fault;
      return outcome;
    }
    const why = isLeftAlone(outcome) ? (own.get(key) ?? everybodys) : undefined;
    return why === undefined ? outcome : { ...outcome, fault: withReason(outcome.fault, why) };
  });
}

/** What a server said to one is told to no other, nor of another tool. */
function keyOf({ caller = '', session = '', target = '' }: WireCall): string {
  return `${caller}\0${session}\0${target}`; // there is no NUL in a header or in the name of a caller
}

/** Could it not be reached, or did it not begin? In that there is no word about anybody's call. */
function isOfStart({ fault, value }: Failed<Wire>): boolean {
  const { executed, kind, origin } = fault;
  return executed === 'no' && value?.type === 'nothing' && origin !== 'caller' && OF_START.has(kind);
}

const OF_START: ReadonlySet<string> = new Set(['misconfigured', 'unavailable', 'timeout']);

/** Circuits say which of them is open. */
function isLeftAlone({ refused }: Failed<Wire>): boolean {
  return refused?.by === 'upstream' || refused?.by === 'target';
}

function withReason(fault: Fault, { message, advice = '', details }: Fault): Fault {
  // The call before may have happened; this one was not sent.
  const helpful = advice.replace(CAUTION, '').trim();
  return {
    ...fault,
    message: `${fault.message}; the last time: ${message}`,
    ...(helpful === '' ? {} : { advice: helpful }),
    details: { ...details, ...fault.details },
  };
}
