/** Shorthands that several test files share. */
import { expect } from 'vitest';
import type { FormContext, Heard, JsonRpcWire, WriteContext, WrittenWire } from '../src/dialects/dialect.ts';
import { inForm } from '../src/dialects/forms.ts';
import { readUnstructured } from '../src/entries/prose.ts';
import {
  type DialectId,
  type Fault,
  type FaultInit,
  language,
  makeFault,
  type Reading,
  read,
  write,
} from '../src/index.ts';
import { look } from '../src/wire/look.ts';

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

/** A JSON-RPC error response. */
export function rpc(code: number, message: string, data?: unknown): object {
  return { jsonrpc: '2.0', id: 1, error: data === undefined ? { code, message } : { code, message, data } };
}

/** A tool result that failed, with one text. */
export function toolError(text: string, more: object = {}): object {
  return { jsonrpc: '2.0', id: 1, result: { isError: true, content: [{ type: 'text', text }], ...more } };
}

/** What one dialect alone makes of a wire, whoever else would claim it. */
export function heardBy(id: DialectId, wire: unknown): Heard | undefined {
  return language.dialect(id).read(look(wire), { now: () => NOW, prose: readUnstructured });
}

/** What one dialect alone makes of a fault, before anything is redacted. */
export function saidBy(id: DialectId, fault: FaultInit, context: Partial<WriteContext> = {}): WrittenWire {
  const plain = { now: NOW, id: 1, revision: '2026-07-28', structuredContent: true } as const;
  return language.dialect(id).write(makeFault(fault), { ...plain, ...context }).wire;
}

/** A wire, what it says, how sure that is, and what it stands on: `by: says` for the dialect's own evidence. */
export type HeardRow = readonly [
  wire: unknown,
  said: object | undefined,
  certainty?: number,
  proof?: string | readonly object[],
];

/** A row's expectation, spelt out. */
export function wholeHeard(
  dialect: DialectId,
  said: unknown,
  certainty: unknown,
  proof: unknown,
): object | undefined {
  if (said === undefined) return undefined;
  const { kind, ...rest } = said as FaultInit;
  if (typeof proof !== 'string') return { kind, ...rest, certainty, evidence: proof };
  const [by, says] = [proof.slice(0, proof.indexOf(': ')), proof.slice(proof.indexOf(': ') + 2)];
  return { kind, ...rest, certainty, evidence: [{ by, says, dialect, kind }] };
}

/** A fault, where it goes out, and the answer without `jsonrpc` and `id`. */
export type SaidRow = readonly [fault: FaultInit, context: Partial<WriteContext>, answer: object];

/** What a server of the dialect answers to nobody in particular, in the form of the dialect's document. */
export function formedBy(id: DialectId, init: FaultInit, more: Partial<FormContext>): JsonRpcWire {
  const plain = { ours: true, ofRequest: false, masked: false, retryableSaid: false };
  const context = { method: 'tools/call', ...plain, now: NOW, ...more };
  const dialect = language.dialect(id);
  const made = makeFault(init);
  const fault = dialect.asSaid?.(made, context) ?? made;
  const { wire } = write(fault, id, { method: context.method, now: NOW, redact: false });
  return inForm(wire as JsonRpcWire, fault, dialect, language, context);
}

/** A fault, what is known about its request, and the answer without `jsonrpc`. */
export type FormedRow = readonly [fault: FaultInit, context: Partial<FormContext>, answer: object];
