/** A fault in a dialect, in the form that its document has for it. */
import { type Dialect, type Fault, type Language, language as ours, type WriteOptions } from '@mayday/core';
import type { FormContext, HttpWire, JsonRpcWire } from '@mayday/core/dialects';
import { inForm } from '@mayday/core/forms';
import type { Said } from '@mayday/relay';
import { isOfApi } from '../openapi/api-answer.ts';
import { soundWire } from './sound-wire.ts';

/** What decides beside the fault and the dialect. */
export interface SayOptions
  extends Pick<WriteOptions, 'id' | 'placement' | 'revision'>,
    Pick<
      FormContext,
      | 'name'
      | 'foreign'
      | 'handedOn'
      | 'byWords'
      | 'mayChange'
      | 'wrongKey'
      | 'elapsedMs'
      | 'status'
      | 'answered'
      | 'said'
      | 'issues'
    > {
  readonly method: string;
  /** May a result carry `structuredContent`? Not if absent. */
  readonly structuredContent?: boolean | undefined;
  /** The words are the gateway's own. */
  readonly ours: boolean;
  /** The request itself is wrong: it reached nobody. */
  readonly ofRequest: boolean;
  /** The dialect threw. */
  readonly onBug: (error: unknown) => void;
}

/** Where somebody said it. Operations of an API are tools: what it answers is theirs, whatever it resembles. */
export function placementOf(said: Said | undefined): 'protocol' | 'tool' | undefined {
  return isOfApi(said) ? 'tool' : said?.heard?.placement;
}

/** A mistake of a dialect, not of the gateway. */
export class DialectThrew extends Error {
  override readonly name = 'DialectThrew';
  readonly dialect: string;
  /** What followed. */
  readonly after: string;

  constructor(dialect: string, cause: unknown, after: string = 'mayday was spoken in its place') {
    super('A dialect threw', { cause });
    this.dialect = dialect;
    this.after = after;
  }
}

/** What is spoken where a dialect has nothing to say. */
export const FALLBACK: Dialect = ours.dialect('mayday');

/** Says a fault, which is redacted already. A dialect of somebody's own that throws costs nobody the answer. */
export function say(
  fault: Fault,
  dialect: Dialect,
  language: Language,
  asked: SayOptions,
): JsonRpcWire | HttpWire {
  // A result answers a call. Who made none would take it for the answer, whatever the server has answered with.
  const isOfCall = !asked.ofRequest && isCall(asked);
  const isMisplaced = !isOfCall && asked.placement === 'tool';
  const options: SayOptions = isMisplaced ? { ...asked, placement: 'protocol' } : asked;
  try {
    const written = saidIn(fault, dialect, language, options);
    const said = ours.dialects.includes(dialect) ? written : soundWire(written, options.id);
    if ('http' in said) return said;
    if (said.error !== undefined) return dialect.extendsProtocol === true ? withAdvice(said, fault) : said;
    if (isOfCall) return said;
  } catch (error) {
    if (dialect === FALLBACK) throw error;
    options.onBug(new DialectThrew(dialect.id, error));
  }
  return saidIn(fault, FALLBACK, ours, options);
}

/** The result of a task is that of a call. */
function isCall({ method, placement }: SayOptions): boolean {
  return method === 'tools/call' || (placement === 'tool' && method.startsWith('tasks/'));
}

/**
 * Of a server that cannot be started or reached, clients show the message of the error and nothing else: what to do about it stands
 * there too.
 */
function withAdvice(wire: JsonRpcWire, { kind, advice, details }: Fault): JsonRpcWire {
  const { error } = wire;
  const isOfStart =
    kind === 'misconfigured' || details?.['command'] !== undefined || details?.['address'] !== undefined;
  if (error === undefined || advice === undefined || !isOfStart || error.message.endsWith(advice))
    return wire;
  const stop = /[.!?]$/.test(error.message) ? '' : '.';
  return { ...wire, error: { ...error, message: `${error.message}${stop} ${advice}` } };
}

function saidIn(
  fault: Fault,
  dialect: Dialect,
  language: Language,
  { id, placement, revision, structuredContent = false, onBug: _onBug, ...options }: SayOptions,
): JsonRpcWire | HttpWire {
  const now = Date.now();
  const context: FormContext = { ...options, structuredContent, masked: false, retryableSaid: false, now };
  const said = dialect.asSaid?.(fault, context) ?? fault;
  const spoken = dialect === FALLBACK ? ours : language;
  const { wire } = spoken.write(said, dialect.id, {
    id,
    method: options.method,
    placement,
    revision,
    structuredContent,
    correlationId: fault.correlationId,
    now,
    redact: false,
  });
  return 'http' in wire ? wire : inForm(wire, said, dialect, spoken, context);
}
