/** Shorthands that several test files share. */
import { expect } from 'vitest';
import { type DialectId, type Fault, type Reading, read, write } from '../src/index.ts';

/** The clock of the tests: the moment in Closient's example. */
export const NOW: number = Date.parse('2026-04-26T02:34:56Z');

/** Reads a wire that has to be a failure. */
export function heard(wire: unknown, from?: DialectId): Extract<Reading, { failure: true }> {
  const reading = read(wire, { now: NOW, ...(from === undefined ? {} : { from }) });
  expect(reading.failure).toBe(true);
  return reading as Extract<Reading, { failure: true }>;
}

/** The JSON-RPC response that a fault becomes. */
export function said(fault: Fault, to: DialectId, options: Parameters<typeof write>[2] = {}): JsonRpc {
  return write(fault, to, { id: 1, now: NOW, ...options }).wire as JsonRpc;
}

/** A loose view of a JSON-RPC response, for assertions. */
export interface JsonRpc {
  readonly jsonrpc: string;
  readonly id?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: assertions look into arbitrary shapes
  readonly error?: any;
  // biome-ignore lint/suspicious/noExplicitAny: assertions look into arbitrary shapes
  readonly result?: any;
}
