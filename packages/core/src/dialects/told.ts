/** What a server tells and asks beside its answers, where a document says which words may cross. */
import { TRAITS } from '../kinds.ts';
import type { Dialect } from './dialect.ts';

type Params = { readonly [name: string]: unknown };

const FAILURE = TRAITS.internal.title;

/** The members that hold words, and what stands for them where none may cross; they can be absent, if `undefined`. */
const WORDS: { readonly [method: string]: readonly (readonly [member: string, name: string | undefined])[] } =
  {
    'notifications/message': [
      ['data', FAILURE],
      ['logger', undefined],
    ],
    'notifications/progress': [['message', undefined]],
    'notifications/cancelled': [['reason', undefined]],
    'notifications/tasks/status': [['statusMessage', undefined]],
    'elicitation/create': [['message', 'The server asks for something']],
  };

/** By the level of a log message, and the status of a task. */
const FAILING: ReadonlySet<unknown> = new Set(['error', 'critical', 'alert', 'emergency', 'failed']);

/** The parameters of a notification or a question as they may cross in a dialect; the same object where all of them may. */
export function toldIn<P extends Params>(method: string, params: P, dialect: Pick<Dialect, 'told'>): P {
  if (dialect.told === undefined || !Object.hasOwn(WORDS, method)) return params;
  const isFailure = FAILING.has(params['level']) || FAILING.has(params['status']);
  const told = (text: string): string | undefined => {
    try {
      return dialect.told?.(text, isFailure);
    } catch {
      return undefined; // a dialect of somebody's own; nobody has said that it may cross
    }
  };
  const kept: { [name: string]: unknown } = { ...params };
  let isSame = true;
  for (const [member, name] of WORDS[method] ?? []) {
    const said = params[member];
    const left = saidOf(said, told, name);
    if (left === said) continue;
    isSame = false;
    if (left === undefined) delete kept[member];
    else kept[member] = left;
  }
  return isSame ? params : (kept as P);
}

/** Nobody reads further down. */
const DEEPEST = 100;

/** A value with each of its texts as it may cross; the same one where all of them may. */
function saidOf(
  value: unknown,
  told: (text: string) => string | undefined,
  name: string | undefined,
  depth = 0,
): unknown {
  if (typeof value === 'string') return told(value) ?? name;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return name;
  const members = Object.entries(value).map(
    ([key, member]) => [key, member, saidOf(member, told, name, depth + 1)] as const,
  );
  if (members.every(([, member, left]) => member === left)) return value;
  return Array.isArray(value)
    ? members.map(([, , left]) => left)
    : Object.fromEntries(members.map(([key, , left]) => [key, left]));
}
