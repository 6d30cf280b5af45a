/**
 * Application-defined errors: a named, documented specialisation of a kind. The name is the stable
 * identifier; it travels in every dialect that has a place for one.
 */

import { faultOf } from './brand.ts';
import { type FaultInit, type JsonObject, makeFault, type Subject, waitMs } from './fault.ts';
import { FaultError } from './fault-error.ts';
import { oneOf } from './fault-parts.ts';
import { hasOnly } from './handed-on.ts';
import { isRecord, member } from './json.ts';
import { EXECUTED, type Executed, isKind, type Kind } from './kinds.ts';

/** What an application-defined error is. */
export interface Definition<Details extends JsonObject> {
  readonly kind: Kind;
  /** The subject type: `order`. */
  readonly subject?: string;
  /** Which detail identifies the subject. */
  readonly subjectId?: keyof Details & string;
  /** The sentence for people, from the details; no secrets. */
  readonly message: string | ((details: Details) => string);
  /** What the caller does next, if the kind's own advice is not specific enough. */
  readonly advice?: string;
  /** What it means, for the error reference. */
  readonly meaning: string;
  readonly retryable?: boolean;
  /** Whether the work happened, where this error alone settles it: `no` for one that is only thrown before anything is changed. */
  readonly executed?: Executed;
}

/** What is known where an application-defined error is thrown. */
export interface DefinedOptions {
  readonly cause?: unknown;
  readonly afterMs?: number | undefined;
  /** Whether the work happened, here; decides over the definition. */
  readonly executed?: Executed | undefined;
}

/** Throws and recognises one application-defined error. */
export interface DefinedFault<Details extends JsonObject> {
  (details: Details, options?: DefinedOptions): FaultError;
  readonly code: string;
  readonly definition: Definition<Details>;
  /** Was this what was thrown, or read? */
  is(value: unknown): boolean;
}

/** Defines an application error: `const OrderNotFound = defineFault('ORDER_NOT_FOUND', { kind: 'not_found', … })`. */
export function defineFault<Details extends JsonObject = JsonObject>(
  code: string,
  definition: Definition<Details>,
): DefinedFault<Details> {
  if (!/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(code)) {
    throw new TypeError(
      `Expected \`code\` to be UPPER_SNAKE_CASE, like ORDER_NOT_FOUND, got ${JSON.stringify(code)}`,
    );
  }
  if (!isKind(definition.kind)) {
    throw new TypeError(`Expected \`kind\` to be one of the kinds, got ${JSON.stringify(definition.kind)}`);
  }
  const build = (details: Details, options?: DefinedOptions): FaultError => {
    const { kind, subject, subjectId, advice, retryable } = definition;
    const isOwn = !isOfAnother(options);
    const said = oneOf(member(options, 'executed'), EXECUTED);
    const executed = said === 'no' && !isOwn ? 'maybe' : (said ?? definition.executed);
    const given = isRecord(details) && Object.keys(details).length > 0 ? details : undefined;
    const init: FaultInit = {
      kind,
      name: code,
      message: sentence(definition.message, details),
      advice,
      retryable,
      executed,
      details: given,
      subject: subject === undefined ? undefined : subjectOf(subject, subjectId, details),
      retry: waitMs(member(options, 'afterMs') as number | undefined),
    };
    return new FaultError(makeFault(init), {
      cause: member(options, 'cause'),
      saidExecuted: executed !== undefined,
      saidKind: isOwn,
    });
  };
  const is = (value: unknown): boolean => faultOf(value)?.name === code;
  return Object.assign(build, { code, definition, is });
}

const KNOWN: ReadonlySet<string> = new Set([
  'cause',
  'afterMs',
  'executed',
] satisfies (keyof DefinedOptions)[]);

/** Is a fault in place of options? It was said of another call. */
function isOfAnother(options: DefinedOptions | undefined): boolean {
  return isRecord(options) && !hasOnly(options, KNOWN);
}

/** A sentence that cannot be made of these details is no reason to throw something else. */
function sentence<Details>(
  message: string | ((details: Details) => string),
  details: Details,
): string | undefined {
  try {
    return typeof message === 'string' ? message : message(details);
  } catch {
    return undefined;
  }
}

function subjectOf(type: string, idIn: string | undefined, details: unknown): Subject {
  const id = idIn === undefined ? undefined : member(details, idIn);
  if (id === undefined || id === null || typeof id === 'symbol' || typeof id === 'object') return { type };
  return { type, id: String(id) };
}
