/** Refusals that their server has taken back before the call was made again: it has answered after all, or told of work. */
import { idBytes, withId } from '../framing/ids.ts';
import { peek } from '../framing/peek.ts';
import type { Late } from '../links/link.ts';
import { inDoubt, isRefusalOfWork, type WireCall, type WireOutcome } from './call.ts';

/** What all attempts at a call have in common. */
type Progress = WireCall['progress'];
type Attempted = Pick<WireCall, 'method' | 'progress' | 'body' | 'peek'>;

/** What is known of a call that was refused. What the server says of it yet is told here. */
export interface Refusal {
  /** The refusal that the next attempt relies on. */
  relied?: WireOutcome | undefined;
  /** What is left of it. */
  doubted?: WireOutcome | undefined;
  /** The answer that came all the same. */
  answer?: Buffer | undefined;
  /** Looks right before another attempt whether the server has begun to say more. */
  look?: (() => void) | undefined;
  /** A longer answer that comes all the same is not held, but only that it came; any is, if absent. */
  longest?: number | undefined;
}

/** Most calls are never refused: nothing is known of those. */
const refusals = new WeakMap<Progress, Refusal>();

/** What is known of the refusal of this call, for as long as somebody who may make it again holds that. */
export function refusalOf({ progress }: Pick<WireCall, 'progress'>): Refusal | undefined {
  return refusals.get(progress);
}

/** The call is another attempt at the one that was refused so. */
export function goesOnFrom({ progress }: Pick<WireCall, 'progress'>, refusal: Refusal): void {
  refusals.set(progress, refusal);
}

/** From now on, and until the next answer. */
export function lookBeforeAnother({ progress }: Pick<WireCall, 'progress'>, look: () => void): void {
  keep(progress, { look });
}

function keep(progress: Progress, more: Refusal): Refusal {
  const refusal = Object.assign(refusals.get(progress) ?? {}, more);
  refusals.set(progress, refusal);
  return refusal;
}

/** Keeps beside the call what is left of the refusal. */
export function takeBack({ progress }: Pick<WireCall, 'progress'>, outcome: WireOutcome): void {
  const relied = refusals.get(progress)?.relied;
  keep(progress, { doubted: relied === undefined ? outcome : inDoubt(relied) });
}

/** Who is told what comes yet, as long as somebody may make the call again: nothing of it is kept for that. */
export function lateFor({ method, progress }: Pick<Attempted, 'method' | 'progress'>): Late | undefined {
  return method === 'tools/call' ? new LateFor(keep(progress, {})) : undefined;
}

class LateFor implements Late {
  readonly #refusal: WeakRef<Refusal>;

  constructor(refusal: Refusal) {
    this.#refusal = new WeakRef(refusal);
  }

  answered(message: Buffer): void {
    const refusal = this.#refusal.deref();
    if (refusal === undefined) return;
    if (message.length > (refusal.longest ?? Number.POSITIVE_INFINITY)) this.told();
    else refusal.answer = message;
  }

  told(): void {
    const refusal = this.#refusal.deref();
    if (refusal?.relied !== undefined) refusal.doubted = inDoubt(refusal.relied);
  }

  askBefore(isSayingMore: () => boolean): void {
    const refusal = this.#refusal.deref();
    if (refusal === undefined) return;
    const { look } = refusal;
    refusal.look = () => {
      look?.();
      if (isSayingMore()) this.told();
    };
  }
}

/** In place of another attempt: what is left of the refusal that it relies on; `undefined` where that still stands. */
export function insteadOfAnother(
  call: Attempted,
  read: (answer: Buffer) => WireOutcome,
): WireOutcome | undefined {
  const refusal = refusals.get(call.progress);
  refusal?.look?.();
  if (refusal !== undefined) refusal.look = undefined;
  const before = takenBack(call, read);
  return before === undefined || before.ok ? before : { ...before, earlier: true };
}

/** What is left of the refusal that another attempt relies on, told once; `undefined` where it still stands. */
function takenBack(
  { progress, body, peek: seen }: Attempted,
  read: (answer: Buffer) => WireOutcome,
): WireOutcome | undefined {
  const refusal = refusals.get(progress);
  if (refusal === undefined) return undefined;
  const { answer, doubted } = refusal;
  Object.assign(refusal, { relied: undefined, answer: undefined, doubted: undefined });
  // The attempt that it answers may have been another request.
  return answer === undefined ? doubted : read(withId(answer, peek(answer), idBytes(body, seen)));
}

/** What an attempt came to. Where it is refused, and an earlier one was not after all, that one counts. */
export function attempted(
  call: Attempted,
  outcome: WireOutcome,
  read: (answer: Buffer) => WireOutcome,
): WireOutcome {
  if (!isRefusalOfWork(call, outcome)) return outcome;
  const before = takenBack(call, read);
  if (before === undefined) keep(call.progress, { relied: outcome });
  return before ?? outcome;
}
