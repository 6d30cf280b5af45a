/** Dialects of somebody's own answer at once. A promise is no answer, and its rejection must not end the process. */
import type { Dialect } from './dialect.ts';

/** Every member that is asked. */
const VERBS = [
  'recognise',
  'read',
  'write',
  'fails',
  'usualWaitMs',
  'problem',
  'form',
  'asSaid',
] as const satisfies readonly (keyof Dialect)[];

const originals = new WeakMap<object, Dialect>();

/** The same dialect. A member that gives a promise throws, as if it had thrown itself. */
export function atOnce(dialect: Dialect): Dialect {
  if (originals.has(dialect)) return dialect;
  const members: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(dialect);
  for (const verb of VERBS) {
    const ask: unknown = dialect[verb];
    if (typeof ask !== 'function') continue;
    const value = (...given: readonly unknown[]): unknown =>
      answered(Reflect.apply(ask, dialect, given), verb, dialect.id);
    members[verb] = { value, enumerable: true, configurable: true, writable: true };
  }
  // What it has beside these stays its own, wherever it comes from.
  const prompt = Object.create(Object.getPrototypeOf(dialect) as object | null, members) as Dialect;
  originals.set(prompt, dialect);
  return prompt;
}

/** The dialect that this one was made of; `undefined` for one that was not. */
export function originalOf(dialect: object): object | undefined {
  return originals.get(dialect) ?? (Object.getPrototypeOf(dialect) as object | null) ?? undefined;
}

function answered(answer: unknown, verb: string, id: string): unknown {
  const isPromise = typeof (answer as PromiseLike<unknown> | null | undefined)?.then === 'function';
  if (!isPromise) {
    if (verb === 'write')
      answered((answer as { readonly wire?: unknown } | null | undefined)?.wire, 'wire', id);
    return answer;
  }
  Promise.resolve(answer).catch(() => undefined);
  throw new TypeError(
    `Expected \`${verb}\` of the dialect ${JSON.stringify(id)} to answer at once, got a promise`,
  );
}
