/** Refusals that their server has taken back before the call was made again: it has answered after all, or told of work. */
import type { Late } from '../links/link.ts';
import { inDoubt, isRefusalOfWork, type WireCall, type WireOutcome } from './call.ts';

/** What all attempts at a call have in common. */
type Progress = WireCall['progress'];
type Attempted = Pick<WireCall, 'method' | 'progress'>;

/** The refusal that the next attempt relies on, what is left of it, and the answer that came all the same. */
const relied = new WeakMap<Progress, WireOutcome>();
const doubted = new WeakMap<Progress, WireOutcome>();
const answers = new WeakMap<Progress, Buffer>();

/** Keeps beside the call what is left of the refusal. */
export function takeBack({ progress }: Pick<WireCall, 'progress'>, outcome: WireOutcome): void {
  doubted.set(progress, outcome);
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
    if (progress !== undefined) answers.set(progress, message);
  }

  told(): void {
    const progress = this.#progress.deref();
    const refusal = progress && relied.get(progress);
    if (progress !== undefined && refusal !== undefined) doubted.set(progress, inDoubt(refusal));
  }
}

/** What is left of the refusal that another attempt relies on, told once; `undefined` where it still stands. */
export function takenBack(
  { progress }: Pick<WireCall, 'progress'>,
  read: (answer: Buffer) => WireOutcome,
): WireOutcome | undefined {
  const answer = answers.get(progress);
  const left = answer === undefined ? doubted.get(progress) : read(answer);
  for (const kept of [answers, relied, doubted]) kept.delete(progress);
  return left;
}

/** What an attempt came to. Where it is refused, and an earlier one was not after all, that one counts. */
export function attempted(
  call: Attempted,
  outcome: WireOutcome,
  read: (answer: Buffer) => WireOutcome,
): WireOutcome {
  if (!isRefusalOfWork(call, outcome)) return outcome;
  const before = takenBack(call, read);
  if (before === undefined) relied.set(call.progress, outcome);
  return before ?? outcome;
}
