/** What an upstream's failure says. */
import { type DialectId, type Fault, makeFault, read } from '@mayday/core';
import type { Placement } from '@mayday/core/dialects';
import type { Call, Failure } from '@mayday/relay';

/** A failure, understood. */
export interface Interpreted {
  readonly fault: Fault;
  readonly from: DialectId | null;
  readonly placement: Placement;
  readonly certainty: number;
  /** The bytes must reach the caller as they are: they are the protocol negotiating, not failing. */
  readonly verbatim: boolean;
}

/** -32020, -32021, -32022 decide the era (2026-07-28); -32042 asks the user to visit a page (2025-11-25). */
const NEGOTIATION: ReadonlySet<number> = new Set([-32020, -32021, -32022, -32042]);
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Reads a failure in the dialect that the upstream speaks, or in the one that it turns out to speak. */
export function interpret(call: Call, failure: Failure, from: DialectId | undefined): Interpreted {
  if (failure.type === 'fault') {
    const placement = call.peek.method === 'tools/call' ? 'tool' : 'protocol';
    return { fault: makeFault(failure.fault), from: null, placement, certainty: 1, verbatim: false };
  }
  const wire =
    failure.type === 'message'
      ? failure.message
      : { http: { status: failure.status, headers: failure.headers, body: failure.body.toString('utf8') } };
  const reading = read(wire, from === undefined ? {} : { from });
  if (!reading.failure) {
    const fault = makeFault({ kind: 'unknown', message: 'The server failed without saying why' });
    return { fault, from: null, placement: 'protocol', certainty: 0, verbatim: false };
  }
  return {
    fault: reading.fault,
    from: reading.dialect,
    placement: reading.placement,
    certainty: reading.certainty,
    verbatim: isNegotiation(call, failure),
  };
}

function isNegotiation(call: Call, failure: Failure): boolean {
  const code = errorCode(failure);
  if (code === undefined) return false;
  return NEGOTIATION.has(code) || (OPENINGS.has(call.peek.method) && code >= -32768 && code <= -32000);
}

function errorCode(failure: Failure): number | undefined {
  if (failure.type === 'fault') return undefined;
  const message = failure.type === 'message' ? failure.message : parsed(failure.body);
  const code = (message as { error?: { code?: unknown } } | null | undefined)?.error?.code;
  return typeof code === 'number' ? code : undefined;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined; // a body that is no JSON negotiates nothing
  }
}
