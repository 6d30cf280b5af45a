/** Faults as tool results: what an agent loop hands to the model. */
import { type Fault, type JsonObject, toDocument } from '@mayday/core';
import { FAULT_KEY as META_KEY } from '@mayday/core/protocol';
import { isObject, withoutMarks } from '../http/reply.ts';
import { textFor } from './text.ts';

/** A failing tool result, as both SDKs type it. */
export interface FailedToolResult {
  readonly isError: true;
  readonly content: { type: 'text'; text: string }[];
  readonly _meta: { [META_KEY]: JsonObject };
  readonly [key: string]: unknown;
}

/** A result that tells the model what happened and what to do, and the program everything. */
export function toToolResult(fault: Fault): FailedToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: textFor(fault) }],
    _meta: { [META_KEY]: toDocument(fault) },
  };
}

/** The server's own failing result, with the fault that was read in it. */
export function withFault(result: unknown, fault: Fault): unknown {
  if (!isObject(result)) return result;
  const meta = isObject(result['_meta']) ? (withoutMarks(result['_meta']) as object) : {};
  return { ...result, isError: true, _meta: { ...meta, [META_KEY]: toDocument(fault) } };
}
