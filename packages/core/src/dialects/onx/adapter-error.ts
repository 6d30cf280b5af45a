import { faultOf } from '../../brand.ts';
import { type Json, type JsonObject, makeFault } from '../../fault.ts';
import { FaultError } from '../../fault-error.ts';
import type { Executed, Kind } from '../../kinds.ts';
import { readIdentifier } from './identifiers.ts';

/** What an adapter knows about its failure beside the identifier. */
export interface AdapterErrorOptions {
  /** The sentence for people; no secrets. "Adapter error", if absent. */
  readonly message?: string | undefined;
  /** Is the same call worth another try, and safe? No, if absent. */
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

const LONGEST_IDENTIFIER = 200;
const ADAPTER_ERROR = 4001;

/**
 * A failure of a backend under its own identifier, which goes out in `details.originalError` beside 4001.
 *
 * @example
 * throw new AdapterError('ORDER_NOT_FOUND');
 */
export class AdapterError extends FaultError {
  constructor(identifier: string, options: AdapterErrorOptions = {}) {
    if (typeof identifier !== 'string' || identifier === '')
      throw new TypeError(
        `Expected an identifier such as ORDER_NOT_FOUND, got ${JSON.stringify(identifier)}`,
      );
    const id = identifier.slice(0, LONGEST_IDENTIFIER);
    const { message = 'Adapter error', retryable = false, executed, cause } = options;
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
      native: { dialect: 'onx', code: ADAPTER_ERROR, extra: { details } },
    });
    super(fault, { cause, saidExecuted: executed !== undefined, saidRetryable: true });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    const fault = faultOf(value);
    return (
      fault?.native?.dialect === 'onx' && fault.native.code === ADAPTER_ERROR && fault.name !== undefined
    );
  }
}
