/**
 * A call with a key goes on when whoever asked has stopped waiting for it: its answer belongs to the key, and a repeat
 * gets it.
 */
import { IDEMPOTENCY_KEY } from '@mayday/core/protocol';
import { passing } from '@mayday/policy';
import {
  type Back,
  CallEnded,
  endOf,
  inDoubt,
  lost,
  type Related,
  type ReplyHeaders,
  type WireCall,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import { besideCalls } from './beside.ts';
import { createShares } from './shares.ts';

/** What goes on of a call. */
const goingOn = besideCalls<Promise<WireOutcome>>('going on');

/** What a call still comes to, where it goes on. */
export function restOf(call: WireCall): Promise<WireOutcome> | undefined {
  return goingOn.of(call);
}

/** Does its answer belong to a key? */
export function isKeyed({ method, meta }: WireCall): boolean {
  return method === 'tools/call' && meta?.[IDEMPOTENCY_KEY] !== undefined;
}

/** The last before the server: everybody above hears at once that nobody waits any more. */
export function goOn({ maxTimeMs }: { readonly maxTimeMs: number }): WirePolicy {
  const shares = createShares();
  const policy: WirePolicy = (next) => (call) => {
    return new Promise<WireOutcome>((resolve, reject) => {
      const ender = new AbortController();
      const back = new LeavingBack(call.back);
      let isLate = false;
      let giveUp = (): void => {}; // whoever waits for it has a limit of its own
      const late = setTimeout(() => {
        isLate = true;
        giveUp();
      }, maxTimeMs);
      late.unref();
      const running = next({ ...call, signal: ender.signal, back });
      const onAbort = (): void => {
        const { fault, ended } = endOf(call);
        back.leave();
        // What one attempt proves says nothing about those before it.
        const rest = running.then((outcome) => (call.attempt > 1 ? inDoubt(outcome) : outcome));
        rest.catch(() => undefined); // who keeps the answer hears of it too
        goingOn.note(call, rest);
        giveUp = () => ender.abort(new CallEnded(fault, { ended }));
        const leave = shares.add(call.caller ?? '', () => ender.abort(new CallEnded(TOO_MANY)));
        running.then(leave, leave);
        const letGo = call.room?.hold();
        if (letGo !== undefined) running.then(letGo, letGo);
        resolve({ ...lost(call, fault), ended });
        if (isLate) giveUp();
      };
      running.finally(() => clearTimeout(late)).catch(() => undefined); // it is told below
      running.then(
        (outcome) => {
          call.signal.removeEventListener('abort', onAbort);
          resolve(outcome);
        },
        (error: unknown) => reject(error),
      );
      if (call.signal.aborted) onAbort();
      else call.signal.addEventListener('abort', onAbort, { once: true });
    });
  };
  return passing({ except: { applies: isKeyed, policy } });
}

const TOO_MANY = {
  kind: 'timeout',
  origin: 'gateway',
  executed: 'maybe',
  message: 'The server did not answer, and nobody waited for it any more',
} as const;

/** The way back to somebody who may leave. */
class LeavingBack implements Back {
  readonly #back: Back;
  #hasLeft = false;

  constructor(back: Back) {
    this.#back = back;
  }

  leave(): void {
    this.#hasLeft = true;
  }

  get isStream(): boolean {
    return !this.#hasLeft && this.#back.isStream;
  }

  get committed(): boolean {
    return !this.#hasLeft && this.#back.committed;
  }

  get asks(): Back['asks'] {
    return this.#hasLeft ? undefined : this.#back.asks;
  }

  open(headers?: ReplyHeaders): void {
    if (!this.#hasLeft) this.#back.open(headers);
  }

  related(message: Related): boolean {
    return this.#hasLeft || this.#back.related(message);
  }

  onDrain(listener: () => void): void {
    this.#back.onDrain(listener);
  }
}
