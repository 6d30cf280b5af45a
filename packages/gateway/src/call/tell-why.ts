/** While a server is left alone, whoever calls is told why the calls before it failed, as far as that is theirs to know. */
import type { Fault } from '@mayday/core';
import { CAUTION } from '@mayday/core/render';
import { after, type Failed, setLast, upstreamVerdict } from '@mayday/policy';
import type { Wire, WireCall, WirePolicy } from '@mayday/relay';
import { ownerOf, sentWithOf } from './owner.ts';

/** What is told of a failure. */
type WhyTold = Pick<Fault, 'message' | 'advice' | 'details'>;

/** Callers, sessions and tools whose last failure is known. */
const MOST = 1000;

/** Why a server with processes of their own for its sessions does not start, as far as that is everybody's to know. */
export interface StartTold {
  why: Fault | undefined;
}

/**
 * Stands above what refuses calls for the failures of others, and tells with the refusal what these failed of. `ofStarts`:
 * where sessions have processes of their own, what was found out about those in nobody's name.
 */
export function tellWhy(ofStarts?: StartTold): WirePolicy {
  const own = new Map<string, Met>();
  const everybodys: StartTold = ofStarts ?? { why: undefined };
  /** What opens no circuit of a server is never why one is left alone, only why a tool of it is. */
  const harmless = new WeakSet<Fault>();
  const reasonFor = ({ refused }: Failed<Wire>, last: Fault | undefined): Fault | undefined =>
    last !== undefined && refused?.by === 'upstream' && harmless.has(last) ? undefined : last;
  const keep = (key: string, { fault, value }: Failed<Wire>, call: WireCall): void => {
    const { by, headers, query, caller } = call;
    const status = value?.type === 'http' ? value.status : undefined;
    const met = { by: { by, headers, query, caller }, fault, status };
    if (own.size < MOST / 2 && own.has(key))
      own.set(key, met); // the order only matters when it may soon be full
    else setLast(own, key, met, MOST);
  };
  const whyOf = (outcome: Failed<Wire>, call: WireCall, met: Met | undefined): WhyTold | undefined => {
    const why = reasonFor(outcome, met?.fault);
    return why === undefined || met === undefined || whoseOf(met.by) === whoseOf(call) ? why : wordless(met);
  };
  return after((outcome, call) => {
    const isAnswered = outcome.ok || outcome.answered === true;
    // That a process of a session answers does not say that another one can be started.
    if (isAnswered && (ofStarts === undefined || isOfNoSession(call))) everybodys.why = undefined;
    if (outcome.ok && own.size === 0) return outcome; // a key is made for those who need it: most calls succeed
    const key = keyOf(call);
    if (outcome.ok || (isAnswered && outcome.refused !== undefined)) own.delete(key);
    if (outcome.ok) return outcome;
    if (outcome.refused === undefined) {
      if (!isOfSomebody(outcome, call)) keep(key, outcome, call);
      if (upstreamVerdict(outcome) !== 'failure') harmless.add(outcome.fault);
      if (isOfStart(outcome)) everybodys.why = outcome.fault;
      return outcome;
    }
    const why = isLeftAlone(outcome) ? (whyOf(outcome, call, own.get(key)) ?? everybodys.why) : undefined;
    return why === undefined ? outcome : { ...outcome, fault: withReason(outcome.fault, why) };
  });
}

/** Who has asked, as it came: whose that was is found out where it matters, which for most failures it never does. */
type Asking = Pick<WireCall, 'by' | 'headers' | 'query' | 'caller'>;

/** What a call has failed of, and whose it was. */
interface Met {
  readonly by: Asking;
  readonly fault: Fault;
  /** Of HTTP. */
  readonly status: number | undefined;
}

/**
 * Whose call it is among those who share a circuit because no key names them. What else was sent may tell two of them apart:
 * words are told only where everything is the same.
 */
function whoseOf(call: Asking): string {
  return call.caller === undefined ? `${ownerOf(call)} ${sentWithOf(call)}` : '';
}

/** What may be told of a failure to those who have not met it. */
function wordless({ fault: { kind }, status }: Met): WhyTold {
  return {
    message: status === undefined ? kind : `${kind} (HTTP ${status})`,
    advice: 'What the server said stands in the log of the gateway.',
  };
}

/** What a server said to one is told to no other, nor of another tool. */
function keyOf({ caller = '', session = '', target = '' }: WireCall): string {
  return `${caller}\0${session}\0${target}`; // there is no NUL in a header or in the name of a caller
}

/** Could it not be reached, or did it not begin? In that there is no word about anybody's call. */
function isOfStart({ fault, value, mayBeOwn }: Failed<Wire>): boolean {
  const { executed, kind, origin } = fault;
  return (
    mayBeOwn !== true &&
    executed === 'no' &&
    value?.type === 'nothing' &&
    origin !== 'caller' &&
    OF_START.has(kind)
  );
}

const OF_START: ReadonlySet<string> = new Set(['misconfigured', 'unavailable', 'timeout']);

function isOfNoSession({ session, method }: WireCall): boolean {
  return session === undefined || method === 'initialize';
}

/** Is it about the words of one among those who cannot be told apart, nor by a session? */
function isOfSomebody({ fault, mayBeOwn }: Failed<Wire>, call: WireCall): boolean {
  return mayBeOwn === true && fault.executed === 'no' && call.caller === undefined && isOfNoSession(call);
}

/** Circuits say which of them is open. */
function isLeftAlone({ refused }: Failed<Wire>): boolean {
  return refused?.by === 'upstream' || refused?.by === 'target';
}

/** A refusal with what the call before it has failed of. */
export function withReason(fault: Fault, { message, advice = '', details }: WhyTold): Fault {
  // The call before may have happened; this one was not sent.
  const helpful = advice.replace(CAUTION, '').trim();
  return {
    ...fault,
    message: `${fault.message}; the last time: ${message}`,
    ...(helpful === '' ? {} : { advice: helpful }),
    details: { ...details, ...fault.details },
  };
}
