/** Where faults are reported: to people who run the server, never to the wire. */
import { causeOf, type DialectId, type Fault, type FaultError } from '@mayday/core';
import type { Call } from '../call.ts';
import { quietly } from './hooks.ts';

/** One fault that left the server. */
export interface FaultEvent {
  readonly fault: Fault;
  /** The private cause: what was really thrown. */
  readonly cause: unknown;
  readonly correlationId: string;
  readonly call: Call;
  readonly dialect: DialectId;
  /** Where it went out. */
  readonly placement: 'protocol' | 'tool';
  /** The JSON-RPC code, if it went out as a protocol error. */
  readonly code: number | undefined;
  /** How long the request took. */
  readonly durationMs: number;
}

/** A logger of pino's kind. */
export interface Logger {
  error(fields: object, message: string): void;
  warn?(fields: object, message: string): void;
}

/** Something that records faults: an OpenTelemetry adapter, a metric. */
export interface Telemetry {
  fault(event: FaultEvent): void;
}

/** Everybody who wants to know. */
export interface Reporters {
  readonly logger?: Logger | undefined;
  readonly telemetry?: Telemetry | undefined;
  readonly onFault?: ((event: FaultEvent) => void) | undefined;
}

/** Tells everybody, and says whether there was anybody. Reporting never changes the answer: what fails here is warned of. */
export function report(reporters: Reporters, event: FaultEvent): boolean {
  const { logger, telemetry, onFault } = reporters;
  if (logger !== undefined) quietly('logger', () => log(logger, event));
  if (telemetry !== undefined) quietly('telemetry', () => telemetry.fault(event));
  if (onFault !== undefined) quietly('onFault', () => onFault(event));
  return (logger ?? telemetry ?? onFault) !== undefined;
}

/** What the caller did wrong is a warning; what the server did wrong is an error. */
function log(logger: Logger, event: FaultEvent): unknown {
  const { fault, cause, correlationId, call, durationMs } = event;
  const fields = {
    ...(cause === undefined ? {} : { err: cause }),
    correlationId,
    kind: fault.kind,
    reaction: fault.reaction,
    subject: fault.subject,
    mcp: {
      method: bounded(call.method),
      name: bounded(call.name),
      id: bounded(call.id),
      revision: call.revision,
    },
    durationMs,
  };
  const blamed = fault.reaction === 'validation' || fault.reaction === 'permission';
  if (blamed && logger.warn !== undefined) return logger.warn(fields, fault.message);
  return logger.error(fields, fault.message);
}

const LONGEST = 200;

/** What a caller has written is no longer in the log than it takes to know it by. */
function bounded<T>(value: T): T | string {
  return typeof value === 'string' && value.length > LONGEST ? `${value.slice(0, LONGEST - 1)}…` : value;
}

/** The cause that a thrown fault keeps; the fault itself, when it has none. */
export function privateCause(thrown: FaultError): unknown {
  return causeOf(thrown) ?? thrown;
}
