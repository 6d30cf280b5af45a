/**
 * Options that somebody copied from a fault. What a fault says of another call (`executed: 'no'`) is no word of whoever
 * copies it into a fault of their own.
 */
import type { Retry } from './fault.ts';
import type { ThrowOptions } from './fault-error.ts';

const MADE: unique symbol = Symbol.for('dev.mayday/made-retries') as never;

/** Objects that carry a mark which nobody sees, and which a copy has not. */
interface Marks {
  add(value: object): unknown;
  has(value: object): boolean;
}

/** Hands back what it is given, so that the fields of a class that extends it are put there. */
const Given = class {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what it is for
    return value;
  }
};

/** A private field marks at a tenth of what an entry in a `WeakSet` costs, and leaves no work for the garbage collector. */
class Marked extends Given {
  readonly #isMade = true;
  static has(value: object): boolean {
    return #isMade in value;
  }
}

function createMarks(): Marks {
  const frozen = new WeakSet<object>();
  return {
    add(value) {
      try {
        new Marked(value);
      } catch {
        frozen.add(value); // it has the mark already, or the engine puts no field on what cannot be extended
      }
    },
    has: (value) => Marked.has(value) || frozen.has(value),
  };
}

/** Every fault has a `retry` of its own, and a spread takes it along. The same marks for all copies of this package. */
function made(): Marks {
  const host = globalThis as { [MADE]?: Marks };
  host[MADE] ??= createMarks();
  return host[MADE];
}

const marks = /* @__PURE__ */ made();

/** Takes note of the new `retry` of a fault. */
export function noteMade(retry: Retry): Retry {
  marks.add(retry);
  return retry;
}

/** The same of one that was given, and may be that of another fault: to ask takes less than to mark it twice. */
export function noteGiven(retry: Retry): Retry {
  return marks.has(retry) ? retry : noteMade(retry);
}

/** What every fault has and nobody says all of: it follows from the kind. */
const FOLLOWING = ['reaction', 'retryable', 'origin', 'issues'] as const;

/** Do these options come from a fault, whole or in part? */
export function isHandedOn(options: { readonly [member: string]: unknown }): boolean {
  if ('kind' in options || 'native' in options) return true;
  const { retry } = options;
  if (typeof retry === 'object' && retry !== null && marks.has(retry)) return true;
  return FOLLOWING.every((name) => name in options);
}

/** Are these options all that is given? Whoever gives a fault in their place has said more: it was said of another call. */
export function hasOnly(options: object, names: ReadonlySet<string>): boolean {
  return Object.keys(options).every((name) => names.has(name));
}

/** What an author says beside it. Everything else comes along with a fault, or its document, that was said of another call. */
const BESIDE: ReadonlySet<string> = new Set([
  'executed',
  'cause',
  'subject',
  'retry',
  'issues',
  'name',
  'advice',
  'details',
] satisfies (keyof ThrowOptions)[]);

/**
 * Whose `executed: 'no'` is it? A copy that was made of JSON or cloned has no mark that could be recognised, but hardly
 * anybody drops all that follows from a kind from it, and the word alone is left to the author who writes it.
 */
export function isOwnNo(options: { readonly [member: string]: unknown }): boolean {
  if (isHandedOn(options) || !hasOnly(options, BESIDE)) return false;
  const { retry } = options;
  return typeof retry !== 'object' || retry === null || !('when' in retry);
}
