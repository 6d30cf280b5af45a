/** Who has started which task, and with which tool. */
import { sha256 } from '../sha256.ts';
import type { StartedTask, TaskFact } from '../workers/messages.ts';

const MAX_TASKS = 50_000;
/** Of what has too many, one in so many is forgotten at a time. */
const PART = 16;
/** A tool with a longer name is none that anybody has. */
const MAX_TOOL = 256;

/** A task of an upstream, in as many characters whatever the server calls it; where it matters, of a session with that. */
export function taskKey(upstream: string, task: string, ...session: readonly string[]): string {
  return sha256(JSON.stringify([upstream, task, ...session]), 'base64url');
}

/**
 * Remembers the tasks that have begun here. Where there are too many, the owner that has the most of them loses its
 * oldest, so that nobody makes those of others be forgotten. That a task has begun is not forgotten.
 */
export class StartedTasks {
  readonly #tools: Map<string, Map<string, string>> = new Map();
  readonly #begun: Begun = new Begun();
  #count = 0;

  learn(learned: TaskFact): void {
    if ('begun' in learned) this.#begun.join(learned.begun);
    else this.#add(learned);
  }

  /** The tool that a task of one of these owners was started with. */
  toolOf(owners: readonly string[], task: string): string | undefined {
    for (const owner of owners) {
      const tool = this.#tools.get(owner)?.get(task);
      if (tool !== undefined) return tool;
    }
    return undefined;
  }

  /** Of these, the one that was started first, for the first of these owners that has any. */
  firstOf(owners: readonly string[], tasks: readonly string[]): string | undefined {
    const own = owners
      .map((owner) => this.#tools.get(owner))
      .find((each) => tasks.some((task) => each?.has(task)));
    const [only, ...more] = tasks.filter((task) => own?.has(task));
    if (own === undefined || more.length === 0) return only;
    const meant = new Set([only, ...more]);
    for (const task of own.keys()) if (meant.has(task)) return task;
    return undefined;
  }

  /** Has somebody started it here? */
  hasBegun(task: string): boolean {
    return this.#begun.has(task);
  }

  /** All that is known. */
  *learned(): Iterable<TaskFact> {
    yield* this.#begun.all();
    for (const [owner, own] of this.#tools)
      for (const [task, tool] of own) yield { owners: [owner], task, tool };
  }

  #add({ owners, task, tool }: StartedTask): void {
    this.#begun.add(task);
    if (tool.length > MAX_TOOL) return;
    for (const owner of owners) {
      const own = this.#tools.get(owner) ?? new Map<string, string>();
      this.#tools.set(owner, own);
      this.#count += own.has(task) ? 0 : 1;
      own.set(task, tool);
      if (this.#count > MAX_TASKS) this.#forget();
    }
  }

  #forget(): void {
    const [owner, own] = [...this.#tools].reduce((a, b) => (b[1].size > a[1].size ? b : a));
    const oldest = [...own.keys()].slice(0, Math.ceil(own.size / PART));
    for (const task of oldest) own.delete(task);
    this.#count -= oldest.length;
    if (own.size === 0) this.#tools.delete(owner);
  }
}

const BITS = 2 ** 23;
/** How many bits stand for a task: one in fifty others seems to have begun here after a million of them. */
const MARKS = 4;

/** Which tasks have begun, in a room that does not grow: it says yes of all of them, and of others rarely. */
class Begun {
  #bits: Buffer | undefined;

  add(task: string): void {
    this.#bits ??= Buffer.alloc(BITS / 8);
    for (const mark of marksOf(task))
      this.#bits[mark >> 3] = (this.#bits[mark >> 3] ?? 0) | (1 << (mark & 7));
  }

  has(task: string): boolean {
    const bits = this.#bits;
    return bits !== undefined && marksOf(task).every((mark) => ((bits[mark >> 3] ?? 0) >> (mark & 7)) & 1);
  }

  all(): readonly TaskFact[] {
    return this.#bits === undefined ? [] : [{ begun: this.#bits.toString('base64') }];
  }

  join(begun: string): void {
    const other = Buffer.from(begun, 'base64');
    this.#bits = (this.#bits?.map((byte, at) => byte | (other[at] ?? 0)) as Buffer | undefined) ?? other;
  }
}

/** Places in a digest are as good as chance. */
function marksOf(task: string): readonly number[] {
  const digest = Buffer.from(task, 'base64url');
  return Array.from({ length: MARKS }, (_, i) => digest.readUInt32LE(4 * i) % BITS);
}
