/**
 * Guards: what must be true before a request runs. Each is a small object, usable alone with `protect`, or
 * in a list with `guard(server, { guards })`.
 */
import { type FaultError, fault } from '@mayday/core';
import type { Call } from '../call.ts';
import { type Clock, systemClock } from '../clock.ts';
import { ofThisAlone } from '../of-this-alone.ts';
import { answered, isThenable, Misused } from '../report/hooks.ts';
import { warn } from '../report/warn.ts';
import { expectKind, isAlone, wholeCall } from './alone.ts';
import { checkGuards } from './check-guards.ts';
import { heed, hides } from './heed.ts';
import { reachesAuthor } from './methods.ts';
import { markHidden } from './opaque.ts';

/** Something that may refuse a request, by throwing a fault. */
export interface Guard {
  readonly name: string;
  /**
   * When it is asked: as soon as a request comes (`request`, the default), or when the arguments of a call
   * have been checked, right before its handler (`call`).
   */
  readonly stage?: 'request' | 'call' | undefined;
  /**
   * It takes something of each call that it lets through: a token, a place. Then only the first call of an idempotency
   * key is asked for it: a repeat does no work, and gets the stored answer or joins the running call. A guard that says
   * who may call does not count, and is asked each time, before the key is looked at.
   */
  readonly counts?: boolean | undefined;
  /**
   * The methods it looks at. If absent, every request that reaches what the server's author wrote: tools, resources, prompts,
   * completions, subscriptions, tasks and methods of one's own; not the handshake and lists.
   */
  readonly methods?: readonly string[] | 'all' | undefined;
  /**
   * Throws a fault to refuse, or gives it back. A promise holds the request back until it settles. What is neither nothing nor
   * `true` refuses as well, and is told to the operator.
   */
  before?(call: Call): void | Promise<void>;
  /**
   * Is the tool of this call left out of the lists of its caller? Asked about each tool of a list; there are no arguments yet. It
   * answers at once: a promise hides the tool, and is told to the operator.
   */
  hides?(call: Call): boolean;
  /** How long the request may take. The shortest of all guards' counts. */
  deadlineMs?(call: Call): number | false;
  /**
   * Looks at a successful result before it goes out, that of a repeat included; throws a fault to refuse it. It answers at
   * once: a promise refuses the result too, and is told to the operator.
   */
  result?(call: Call, result: unknown): void;
  /** Called once for each request that `before` let through, when its answer has gone out. */
  after?(call: Call): void;
  /**
   * Called once for each request that `before` let through, when its work has really ended, which may be long
   * after its answer. `began`: the handler was entered, so the work may have been done.
   */
  over?(call: Call, began: boolean): void;
  /** The request was taken back while a promise of `before` held it. */
  dropped?(call: Call): void;
}

const OF_TOOLS: unique symbol = Symbol('of tools');

/** A guard that is about tools by nature, and not by its user's word: around a function of one's own it holds as well. */
export function ofTools(guard: Guard): Guard {
  return { ...guard, methods: ['tools/call'], [OF_TOOLS]: true } as Guard;
}

/** Does a guard look at this request? */
function concerns(guard: Guard & { readonly [OF_TOOLS]?: true }, call: Call): boolean {
  const { methods } = guard;
  if (methods === 'all') return true;
  if (methods === undefined) return reachesAuthor(call.method) || isAlone(call);
  return methods.includes(call.method) || (guard[OF_TOOLS] === true && isAlone(call));
}

/** Is it asked about work that is to begin? A repeat under a key begins none. */
export function isOfWork({ counts, stage }: Guard): boolean {
  return counts === true || stage === 'call';
}

/** Guards that have let one request through, and what they do when it is over. */
export class Passage {
  readonly #call: Call;
  readonly #onBug: (bug: unknown) => void;
  readonly #passed: Guard[] = [];
  #holding: Guard | undefined;
  /** Who was asked last, and has refused, if anybody has. */
  #asked: Guard | undefined;
  #hasLeft = false;
  #isUnderWay = false;
  /** How many of those that let it through know that it was answered, and that it has ended. */
  #toldAnswered = 0;
  #toldOver = 0;

  constructor(call: Call, onBug: (bug: unknown) => void) {
    this.#call = call;
    this.#onBug = onBug;
  }

  /** Asks each guard in order. Synchronous as long as they are: an HTTP status can depend on it. */
  enter(guards: readonly Guard[]): void | Promise<void> {
    for (let i = 0; i < guards.length; i++) {
      const guard = guards[i] as Guard;
      if (!concerns(guard, this.#call)) continue;
      if (guard.counts === true) this.#noteHidden(guards.slice(i + 1));
      this.#asked = guard;
      const held: unknown = guard.before?.(this.#call);
      if (isThenable(held)) {
        this.#holding = guard;
        return Promise.resolve(held)
          .finally(() => {
            this.#holding = undefined;
          })
          .then((answer) => {
            heed('before', answer);
            this.#passed.push(guard);
            return this.#hasLeft ? undefined : this.enter(guards.slice(i + 1));
          });
      }
      heed('before', held);
      this.#passed.push(guard);
    }
  }

  /**
   * Asks only those that a repeat under a key has to pass as well. Whoever one of them refuses would not have got past
   * those that count before it, and does not get past them with a key either.
   */
  enterRepeatable(guards: readonly Guard[]): void | Promise<void> {
    const refuse = (reason: unknown): Promise<never> | never => {
      const at = guards.indexOf(this.#asked as Guard);
      const before = guards.slice(0, at).filter(isOfWork);
      this.#noteHidden(guards.slice(at));
      const held = this.enter(before);
      if (held === undefined) throw reason;
      return held.then(() => {
        throw reason;
      });
    };
    try {
      return this.enter(guards.filter((guard) => !isOfWork(guard)))?.catch(refuse);
    } catch (reason) {
      return refuse(reason);
    }
  }

  /** A count of its own would tell that there is such a tool, before anybody says that there is none. */
  #noteHidden(guards: readonly Guard[]): void {
    if (guards.some((guard) => hides(guard, this.#call, this.#onBug))) markHidden(this.#call);
  }

  /** Shows a successful result to those of these guards that look at results. */
  show(guards: readonly Guard[], result: unknown): void {
    for (const guard of guards)
      if (guard.result !== undefined && concerns(guard, this.#call))
        heed(
          'result',
          answered('result', () => guard.result?.(this.#call, result)),
        );
  }

  /** The handler was entered. */
  began(): void {
    this.#isUnderWay = true;
  }

  /** The handler has really ended, with or without anybody who waits for it. */
  ended(): void {
    this.#isUnderWay = false;
    this.#over(true);
  }

  /** The request is over for its caller: answered, or taken back. */
  leave(): void {
    this.#hasLeft = true;
    this.#tell(() => this.#holding?.dropped?.(this.#call));
    const untold = this.#passed.slice(this.#toldAnswered).reverse();
    this.#toldAnswered = this.#passed.length;
    for (const guard of untold) this.#tell(() => guard.after?.(this.#call));
    if (!this.#isUnderWay) this.#over(false);
  }

  #over(began: boolean): void {
    const untold = this.#passed.slice(this.#toldOver).reverse();
    this.#toldOver = this.#passed.length;
    for (const guard of untold) this.#tell(() => guard.over?.(this.#call, began));
  }

  /** What a guard does afterwards is too late to refuse anything: its bug costs neither the answer nor the key. */
  #tell(hook: () => unknown): void {
    try {
      this.#hear(hook());
    } catch (bug) {
      this.#onBug(bug);
    }
  }

  /** Nobody waits for a promise here; one that is rejected is a bug all the same. */
  #hear(returned: unknown): void {
    if (isThenable(returned)) Promise.resolve(returned).catch(this.#onBug);
  }
}

/** The shortest deadline that any guard gives a request. */
export function shortestDeadline(guards: readonly Guard[], call: Call): number {
  let least = Number.POSITIVE_INFINITY;
  for (const guard of guards) {
    const ms =
      guard.deadlineMs !== undefined && concerns(guard, call)
        ? limitOf(() => guard.deadlineMs?.(call))
        : false;
    if (ms !== false) least = Math.min(least, ms);
  }
  return least;
}

/** What a function of the operator's says of how long a request may take. */
export function limitOf(run: () => number | false | undefined): number | false {
  const ms = answered('deadlineMs', run) ?? false;
  if (ms === false || (typeof ms === 'number' && !Number.isNaN(ms))) return ms;
  throw new Misused(`Expected \`deadlineMs\` to give milliseconds or false, got ${String(ms)}`);
}

/** The fault of a request that took too long; `began`: its handler was entered. */
export function tooLate(ms: number, began: boolean): FaultError {
  // Rounded down: nobody waited longer than that.
  const waited = ms < 1000 ? `${Math.max(1, Math.floor(ms))} ms` : `${Math.floor(ms / 100) / 10} s`;
  return fault.timeout(`No answer within ${waited}`, { executed: began ? 'maybe' : 'no' });
}

/**
 * Runs something behind guards, without a server. What it refuses was not run; of a handler that calls it that says nothing.
 * Of the call, whatever is known will do; the guards hold whatever its method is, but for those whose user has named methods.
 *
 * @example
 * await protect([limit, oneAtATime], { name: 'pay', principal: 'ada' }, () => work());
 */
export async function protect<T>(
  guards: readonly Guard[],
  call: Partial<Call>,
  run: () => T | Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  expectKind(Array.isArray(guards), 'guards', 'a list of guards', guards);
  checkGuards(guards);
  const whole = wholeCall(call);
  expectKind(typeof run === 'function', 'run', 'a function', run);
  // There is no server whose log it could go to.
  const passage = new Passage(whole, (bug) => warn('a guard failed', bug));
  const ms = shortestDeadline(guards, whole);
  let timer: unknown;
  let began = false;
  const late = new Promise<never>((_, reject) => {
    if (ms < Number.POSITIVE_INFINITY)
      timer = clock.setTimeout(() => reject(ofThisAlone(tooLate(ms, began))), ms);
  });
  const work = async (): Promise<T> => {
    try {
      await passage.enter(guards);
    } catch (refused) {
      throw ofThisAlone(refused);
    }
    began = true;
    passage.began();
    try {
      return await run();
    } finally {
      passage.ended();
    }
  };
  try {
    const result = await Promise.race([work(), late]);
    try {
      passage.show(guards, result);
    } catch (refused) {
      throw ofThisAlone(refused);
    }
    return result;
  } finally {
    if (timer !== undefined) clock.clearTimeout(timer);
    passage.leave();
  }
}
