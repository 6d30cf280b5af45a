/** Refusals that their server has taken back before the call was made again: it has answered after all, or told of work. */
import type { Late } from '../links/link.ts';
import { inDoubt, isRefusalOfWork, type WireCall, type WireOutcome } from './call.ts';

/** What all attempts at a call have in common. */
type Progress = WireCall['progress'];
type Attempted = Pick<WireCall, 'method' | 'progress'>;

/** What is known of a call that was refused. */
interface Kept {
  /** The refusal that the next attempt relies on. */
  readonly relied?: WireOutcome;
  /** What is left of it. */
  readonly doubted?: WireOutcome;
  /** The answer that came all the same. */
  readonly answer?: Buffer;
}

/** Most calls are never refused: nothing is known of those. */
const kept = new WeakMap<Progress, Kept>();

/** Looks right before another attempt whether the server has begun to say more. */
const looks = new WeakMap<Progress, () => void>();

/** From now on, and until the next answer. */
export function lookBeforeAnother({ progress }: Pick<WireCall, 'progress'>, look: () => void): void {
  looks.set(progress, look);
}

function keep(progress: Progress, more: Kept): void {
  kept.set(progress, { ...kept.get(progress), ...more });
}

/** Keeps beside the call what is left of the refusal. */
export function takeBack({ progress }: Pick<WireCall, 'progress'>, outcome: WireOutcome): void {
  keep(progress, { doubted: outcome });
}

/** Who is told what comes yet, as long as the call lives: nothing of it is kept for that. */
export function lateFor({ method, progress }: Attempted): Late | undefined {
  return method === 'tools/call' ? new LateFor(progress) : undefined;
}

class LateFor implements Late {
  readonly #progress: WeakRef<Progress>;

  constructor(progress: Progress) {
    this.#progress = new WeakRef(progress);
  }

  answered(message: Buffer): void {
    const progress = this.#progress.deref();
    if (progress !== undefined) keep(progress, { answer: message });
  }

  told(): void {
    const progress = this.#progress.deref();
    const refusal = progress && kept.get(progress)?.relied;
    if (progress !== undefined && refusal !== undefined) keep(progress, { doubted: inDoubt(refusal) });
  }
}

/** In place of another attempt: what is left of the refusal that it relies on; `undefined` where that still stands. */
export function insteadOfAnother(
  call: Pick<WireCall, 'progress'>,
  read: (answer: Buffer) => WireOutcome,
): WireOutcome | undefined {
  looks.get(call.progress)?.();
  looks.delete(call.progress);
  const before = takenBack(call, read);
  return before === undefined || before.ok ? before : { ...before, earlier: true };
}

/** What is left of the refusal that another attempt relies on, told once; `undefined` where it still stands. */
function takenBack(
  { progress }: Pick<WireCall, 'progress'>,
  read: (answer: Buffer) => WireOutcome,
): WireOutcome | undefined {
  const known = kept.get(progress);
  if (known === undefined) return undefined;
  kept.delete(progress);
  return known.answer === undefined ? known.doubted : read(known.answer);
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
