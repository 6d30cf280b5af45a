/** How a fault goes out: its bytes, its HTTP status, its headers. */
import { type DialectId, type Fault, write } from '@mayday/core';
import { toSeconds } from '@mayday/core/http';
import { type Call, encode, type Failure, idOf } from '@mayday/relay';

/** An answer, ready to send. */
export interface Answer {
  readonly send: Buffer;
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
}

/** What the specification of 2026-07-28 demands for errors that are not the handler's own. */
export const MODERN_STATUS: { readonly [code: number]: number } = {
  [-32700]: 400,
  [-32600]: 400,
  [-32601]: 404,
  [-32020]: 400,
  [-32021]: 400,
  [-32022]: 400,
};

/** Writes a fault, redacted before, for the caller of one call. */
export function answer(
  call: Call,
  failure: Failure,
  fault: Fault,
  to: DialectId,
  placement: 'protocol' | 'tool',
): Answer {
  const id = call.peek.kind === 'request' ? idOf(call.body, call.peek) : undefined;
  const { wire } = write(fault, to, {
    redact: false,
    id,
    method: call.peek.method,
    placement,
    revision: call.era,
    structuredContent: false,
    correlationId: fault.correlationId ?? '',
  });
  const waits: { [name: string]: string } =
    fault.retry.afterMs === undefined ? {} : { 'retry-after': String(toSeconds(fault.retry.afterMs)) };
  if ('http' in wire) {
    const { status, headers, body } = wire.http;
    return { send: encode(body), status, headers: { ...waits, ...headers } };
  }
  const isResult = wire.result !== undefined;
  const headers = { ...waits, ...challengeOf(failure) };
  return {
    send: encode(wire),
    status: isResult ? 200 : statusOf(call, failure, wire.error?.code ?? 0),
    headers,
  };
}

/**
 * Most clients never look at the body of a failed HTTP request, so an error travels in a 200 wherever the
 * specification leaves the choice. Where the status itself is the message it stays: the door's own refusals,
 * authorization, a lost session, and what 2026-07-28 demands.
 */
function statusOf(call: Call, failure: Failure, code: number): number {
  if (failure.type === 'fault' && failure.status !== undefined) return failure.status;
  const said = failure.type === 'fault' ? undefined : failure.status;
  if (said === 401 || said === 403) return said;
  if (said !== undefined && said >= 400 && said < 500) {
    const saysError = failure.type === 'http' && failure.body.includes('"jsonrpc"');
    const isSession = said === 404 && call.headers['mcp-session-id'] !== undefined;
    if (saysError || isSession || call.peek.kind !== 'request') return said;
  }
  if (call.peek.kind !== 'request') return said ?? 502;
  return call.era === '2026-07-28' ? (MODERN_STATUS[code] ?? 200) : 200;
}

/** Without the challenge a client cannot find out where to log in. */
function challengeOf(failure: Failure): { [name: string]: string } {
  if (failure.type !== 'http') return {};
  const challenge = failure.headers['www-authenticate'];
  return typeof challenge === 'string' ? { 'www-authenticate': challenge } : {};
}
