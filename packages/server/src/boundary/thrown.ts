/** Whatever a handler throws, as a fault that is safe to send. */
import { FaultError, faultOf, type Json, makeFault, read } from '@mayday/core';
import type { Message } from '../shapes.ts';

/** The retired code by which 2025-era servers ask for input at a URL; the client must get it as it is. */
export const URL_ELICITATION = -32042;

interface SpokenError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What became of a request, and what of it must stay as it is on the wire. */
export interface Failure {
  readonly thrown: FaultError;
  /** A code that the specification fixes, and over HTTP the status with it. */
  readonly code?: number;
  /** A code that the author chose. */
  readonly spokenCode?: number;
  readonly data?: unknown;
  /** The message goes out as it is: the client has to act on it. */
  readonly verbatim?: Message;
  /** The author wrote the error result: its content stays, and the fault is added to it. */
  readonly authored?: boolean;
}

/** Anything thrown → a fault. Only faults and the SDK's own wire errors keep their words. */
export function failureFromThrown(reason: unknown): Failure {
  if (faultOf(reason) !== undefined) return { thrown: FaultError.from(reason) };
  const spoken = spokenError(reason);
  if (spoken === undefined) return { thrown: FaultError.from(reason) };
  return { thrown: faultFromSpoken(spoken, reason), spokenCode: spoken.code };
}

/**
 * The SDK's own wire error: an author who throws one speaks to the client on purpose, so its sentence, code
 * and data stay. Every other exception with an integer `code` speaks of a database or a socket.
 */
export function spokenError(reason: unknown): SpokenError | undefined {
  try {
    if (!(reason instanceof Error) || !isWireErrorClass(reason)) return undefined;
    const { code, data } = reason as Error & { code?: unknown; data?: unknown };
    if (!Number.isSafeInteger(code)) return undefined;
    // v1 writes the code into the message, once for each hop.
    const message = reason.message.replace(/^(?:MCP error -?\d+: )+/, '');
    return data === undefined ? { code: code as number, message } : { code: code as number, message, data };
  } catch {
    return undefined; // a hostile getter is no wire error
  }
}

function isWireErrorClass(reason: Error): boolean {
  for (let proto = Object.getPrototypeOf(reason); proto !== null; proto = Object.getPrototypeOf(proto)) {
    const name = proto.constructor?.name;
    if (name === 'ProtocolError' || name === 'McpError') return true;
  }
  return false;
}

function faultFromSpoken(spoken: SpokenError, reason: unknown): FaultError {
  const heard = read({ jsonrpc: '2.0', id: 0, error: spoken });
  const base = heard.failure ? heard.fault : makeFault({ kind: 'internal' });
  const data = jsonOrNothing(spoken.data);
  const fault = makeFault({
    ...base,
    kind: base.kind === 'unknown' ? 'internal' : base.kind,
    message: spoken.message,
    origin: base.origin === 'local' ? 'server' : base.origin,
    native: undefined,
    details: { code: spoken.code, ...(data === undefined ? {} : { data }) },
  });
  return new FaultError(fault, { cause: reason });
}

function jsonOrNothing(value: unknown): Json | undefined {
  try {
    return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
  } catch {
    return undefined; // cyclic, BigInt: it could not have been sent
  }
}
