import { faultOf } from '../../brand.ts';
import { type Json, type JsonObject, makeFault } from '../../fault.ts';
import { AnyFaultError as FaultError } from '../../fault-from.ts';
import { hasOnly } from '../../handed-on.ts';
import { ownString } from '../../json.ts';
import type { Executed, Kind } from '../../kinds.ts';
import { readIdentifier } from './identifiers.ts';

/** What an adapter knows about its failure beside the identifier. */
export interface AdapterErrorOptions {
  /** The sentence for people; no secrets. "Adapter error", if absent. */
  readonly message?: string | undefined;
  /** Is the same call worth another try, and safe? If absent, only where `kind` says so and nothing was executed. */
  readonly retryable?: boolean | undefined;
  /** What went wrong, where the identifier's own words do not tell. */
  readonly kind?: Kind | undefined;
  /** The field of the input that it is about, as a dotted path. */
  readonly field?: string | undefined;
  readonly suggestion?: string | undefined;
  /** Facts that are safe to show. */
  readonly context?: JsonObject | undefined;
  /** Whether the work happened, where the adapter knows. */
  readonly executed?: Executed | undefined;
  /** The private cause: for logs, never for the wire. */
  readonly cause?: unknown;
}

const KNOWN: ReadonlySet<string> = new Set([
  'message',
  'retryable',
  'kind',
  'field',
  'suggestion',
  'context',
  'executed',
  'cause',
] satisfies (keyof AdapterErrorOptions)[]);

/** What is given. A fault in place of options was said of another call: that it did nothing, and invites, is not taken over. */
function ownWords(options: AdapterErrorOptions): AdapterErrorOptions {
  if (hasOnly(options, KNOWN)) return options;
  return { ...options, retryable: false, executed: options.executed === 'no' ? 'maybe' : options.executed };
}

const LONGEST_IDENTIFIER = 200;
const ADAPTER_ERROR = 4001;

/** The code that stands beside the identifier where its thrower says what it is. All but the last invite another try. */
const STANDARD: { readonly [K in Kind]?: number } = {
  rate_limited: 3001,
  timeout: 3002,
  unavailable: 4002,
  unsupported: 5001,
};

/** A code that invites stands only beside what may be tried again. */
function codeAndFlag({ kind, executed, retryable }: AdapterErrorOptions): readonly [number, boolean] {
  const code = kind === undefined ? undefined : STANDARD[kind];
  if (code === undefined || kind === 'unsupported') return [code ?? ADAPTER_ERROR, retryable ?? false];
  const isSafe = retryable ?? executed === 'no';
  return isSafe ? [code, true] : [ADAPTER_ERROR, false];
}

/**
 * A failure of a backend under its own identifier, which goes out in `details.originalError`: beside 4001, or beside the
 * document's code for its `kind`.
 *
 * @example
 * throw new AdapterError('ORDER_NOT_FOUND');
 */
export class AdapterError extends FaultError {
  constructor(identifier: string, given: AdapterErrorOptions = {}) {
    if (typeof identifier !== 'string' || identifier === '')
      throw new TypeError(
        `Expected an identifier such as ORDER_NOT_FOUND, got ${JSON.stringify(identifier)}`,
      );
    const id = identifier.slice(0, LONGEST_IDENTIFIER);
    const options = ownWords(given);
    const { message = 'Adapter error', executed, cause } = options;
    const [code, retryable] = codeAndFlag(options);
    const { field, suggestion, context } = options;
    const said = readIdentifier(id);
    const details: { [key: string]: Json } = {};
    for (const [key, value] of Object.entries({ field, suggestion, context, originalError: id }))
      if (value !== undefined) details[key] = value;
    const fault = makeFault({
      kind: options.kind ?? said?.kind ?? 'upstream_failed',
      subject: said?.subject,
      message,
      retryable,
      executed,
      name: id,
      advice: suggestion,
      details: context,
      native: { dialect: 'onx', code, extra: { details } },
    });
    super(fault, {
      cause,
      saidKind: true,
      saidExecuted: executed !== undefined,
      saidRetryable: true,
    });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    const fault = faultOf(value);
    const details = fault?.native?.dialect === 'onx' ? fault.native.extra?.['details'] : undefined;
    return fault?.name !== undefined && ownString(details, 'originalError') === fault.name;
  }
}
