/** Dialects of somebody's own answer at once. A promise is no answer, and its rejection must not end the process. */
import { isRecord } from '../json.ts';
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
  'standsAlone',
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
  if (isPromise(answer)) throw late(answer, verb, id);
  if (verb !== 'write') return answer;
  const wire = (answer as { readonly wire?: unknown } | null | undefined)?.wire;
  if (isPromise(wire)) throw late(wire, 'wire', id);
  if (isRecord(wire)) return answer;
  throw new TypeError(
    `Expected \`write\` of the dialect ${JSON.stringify(id)} to return { wire }, as \`resultResponse\` makes it, got ${kindOf(answer)}`,
  );
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}

function late(promise: PromiseLike<unknown>, verb: string, id: string): TypeError {
  Promise.resolve(promise).catch(() => undefined);
  return new TypeError(
    `Expected \`${verb}\` of the dialect ${JSON.stringify(id)} to answer at once, got a promise`,
  );
}

function kindOf(answer: unknown): string {
  if (answer === null || answer === undefined) return String(answer);
  return typeof answer === 'object' ? 'an object without it' : `a ${typeof answer}`;
}
