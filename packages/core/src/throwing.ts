/** Constructors for the throw site: `throw fault.notFound('No order 4711', { subject: { type: 'order', id: '4711' } })`. */
import { type FaultInit, makeFault } from './fault.ts';
import { FaultError, type ThrowOptions } from './fault-error.ts';
import { oneOf } from './fault-parts.ts';
import { isHandedOn, isOwnNo } from './handed-on.ts';
import { isRecord, member } from './json.ts';
import { EXECUTED, KIND_NAMES, type Kind } from './kinds.ts';

/** `not_found` → `notFound`. */
type CamelCase<K extends string> = K extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : K;

type Construct = (message?: string, options?: ThrowOptions) => FaultError;

/** Builds a fault to throw: `fault('not_found', 'No order 4711')`, or by name: `fault.notFound('No order 4711')`. */
export type FaultFactory = ((kind: Kind, message?: string, options?: ThrowOptions) => FaultError) & {
  readonly [K in Kind as CamelCase<K>]: Construct;
};

function construct(kind: Kind, given?: string, options?: ThrowOptions): FaultError {
  const known: ThrowOptions = isRecord(options) ? options : NOTHING;
  // Somebody's exception in place of words is no sentence for a caller, but the log wants it.
  const message = typeof given === 'object' ? undefined : given;
  const cause = member(known, 'cause') ?? (message === given ? undefined : given);
  const said = readable(known);
  // Somebody's exception in place of options has members of its own.
  if (!(known instanceof Error)) tellOfUnread(Object.keys(said));
  // A copy of their `retry`: one that an author keeps, and gives to each fault, is no fault's.
  const init: FaultInit = {
    ...said,
    retry: isRecord(said.retry) ? readable(said.retry) : undefined,
    kind,
    message,
  };
  const members = said as { readonly [member: string]: unknown };
  const isOwn = !isHandedOn(members);
  return new FaultError(makeFault(init), {
    cause,
    saidExecuted:
      oneOf(init.executed, EXECUTED) !== undefined && (init.executed !== 'no' || isOwnNo(members)),
    saidRetryable: typeof init.retryable === 'boolean' && isOwn,
    saidKind: isOwn,
  });
}

const NOTHING: ThrowOptions = {};

/** Tells the author of options that nobody reads, once each. The caller, who is being told what failed, loses nothing by them. */
function tellOfUnread(names: readonly string[]): void {
  for (const name of names) {
    if (MEMBERS.includes(name) || told.has(name) || told.size >= MAX_TOLD) continue;
    told.add(name);
    const { process } = globalThis as { process?: { emitWarning?(words: string, type: string): void } };
    process?.emitWarning?.(`Unknown option \`${name}\` of a fault; it has ${AUTHORS}`, 'MaydayWarning');
  }
}

const told = new Set<string>();
const MAX_TOLD = 20;

/** What authors may say. */
const AUTHORS = 'subject, retryable, retry, executed, origin, reaction, issues, name, advice, details, cause';

/** The same, and what else a fault has that is handed on. */
const MEMBERS: readonly string[] = [
  ...AUTHORS.split(', '),
  ...['correlationId', 'timestamp', 'kind', 'message', 'native'],
];

/** The members, if they can be read: what throws when it is looked at says nothing. */
function readable<T extends object>(members: T): Partial<T> {
  try {
    return { ...members };
  } catch {
    return {};
  }
}

function camelCase(kind: Kind): string {
  return kind.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Builds the fault to throw, one constructor for each kind. */
export const fault: FaultFactory = /* @__PURE__ */ Object.assign(
  construct,
  Object.fromEntries(
    KIND_NAMES.map((kind) => [
      camelCase(kind),
      (message?: string, options?: ThrowOptions) => construct(kind, message, options),
    ]),
  ),
) as unknown as FaultFactory;
