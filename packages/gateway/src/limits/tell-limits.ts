/** The answer to a call that was counted says how much is left. */
import { passing } from '@mayday/policy';
import type { Back, Related, ReplyHeaders, WireCall, WirePolicy } from '@mayday/relay';
import { besideCalls } from '../call/beside.ts';

/** What was counted for a call. */
interface Tally {
  /** By these keys it was counted already. */
  readonly counted: readonly string[];
  /** What its answer says about that. */
  readonly headers: ReplyHeaders;
}

const tallies = besideCalls<Tally>('tally');

/** Of calls that the gateway makes for the sake of another: that other, which is the one that counts. */
const causes = besideCalls<Counting>('cause');

/** A call, as far as it is counted. */
type Counting = Pick<WireCall, 'progress'>;

/** `question` is asked for the sake of `call`: both together are one call. */
export function isPartOf(question: WireCall, call: WireCall): void {
  causes.note(question, causeOf(call));
}

/** What was counted for a call so far. */
export function tallyOf(call: WireCall): Tally | undefined {
  return tallies.of(causeOf(call));
}

/** Notes what was counted for a call. */
export function noteTally(call: WireCall, tally: Tally): void {
  tallies.note(causeOf(call), tally);
}

function causeOf(call: Counting): Counting {
  return causes.of(call) ?? call;
}

/** Puts what is known of limits into the head of the answer, whatever the answer is. */
export function tellLimits(): WirePolicy {
  return passing({
    before: (call) => ({ ...call, back: new TellingBack(call) }),
    after: (outcome, call) => {
      const headers = tallies.of(call)?.headers;
      if (headers === undefined || !outcome.ok || outcome.value.type !== 'answer') return outcome;
      return { ...outcome, value: { ...outcome.value, headers: beside(outcome.value.headers, headers) } };
    },
  });
}

/** What a server behind says of its own limits in the same words stays: both fields are lists. */
function beside(theirs: ReplyHeaders, ours: ReplyHeaders): ReplyHeaders {
  if (theirs['ratelimit'] === undefined && theirs['ratelimit-policy'] === undefined)
    return { ...theirs, ...ours };
  const all: { [name: string]: string } = { ...theirs };
  for (const [name, value] of Object.entries(ours)) {
    const said = theirs[name];
    all[name] = said?.startsWith('"') === true ? `${value}, ${said}` : value;
  }
  return all;
}

/** The way back of a call, whose stream begins with what is known by then. */
class TellingBack implements Back {
  readonly #back: Back;
  readonly #call: Counting;

  constructor(call: WireCall) {
    this.#back = call.back;
    this.#call = call;
  }

  get isStream(): boolean {
    return this.#back.isStream;
  }

  get committed(): boolean {
    return this.#back.committed;
  }

  get asks(): Back['asks'] {
    return this.#back.asks;
  }

  open(headers: ReplyHeaders = {}): void {
    const ours = tallies.of(this.#call)?.headers;
    this.#back.open(ours === undefined ? headers : beside(headers, ours));
  }

  related(message: Related): boolean {
    if (!this.#back.isStream) this.open();
    return this.#back.related(message);
  }

  onDrain(listener: () => void): void {
    this.#back.onDrain(listener);
  }
}
