import type { Fault, Json, JsonObject } from '../../fault.ts';
import { STATELESS_REVISION } from '../../protocol.ts';
import type { Form, FormContext, JsonRpcWire, WriteContext } from '../dialect.ts';
import { errorOf, isOutside, isUnknownTool, withError } from '../forming.ts';
import { write } from './write.ts';

// biome-ignore format: a table
const NAMES: { readonly [code: number]: string } = {
  [-32700]: 'Parse error', [-32600]: 'Invalid request', [-32601]: 'Method not found',
  [-32602]: 'Invalid params', [-32603]: 'Internal error',
};

/** The five protocol errors by their names; arguments that the schema refuses and unknown tools are among them. */
export const form: Form = (written, fault, context) => {
  const { ours } = context;
  const unknownTool = isUnknownTool(fault, context);
  const isRefused = unknownTool || (ours && fault.kind === 'invalid_arguments');
  if (written.error === undefined && !isOutside(context) && !isRefused)
    return context.retryableSaid ? saidRetryable(written) : written;
  const { code, data } = written.error ?? {
    code: unknownTool ? -32602 : codeOf(fault, context),
    data: unknownTool ? { field: 'name', reason: 'unknown_tool' } : dataOf(fault, context),
  };
  return withError(written, errorOf(code, ours ? (NAMES[code] ?? fault.message) : fault.message, data));
};

/** A failed backend is not worth another try unless somebody says so; the author did. */
function saidRetryable(written: JsonRpcWire): JsonRpcWire {
  const error = { ...(written.result?.['error'] as JsonObject), retryable: true };
  return { ...written, result: { ...written.result, error } };
}

function codeOf({ kind, reaction }: Fault, { ofRequest }: FormContext): number {
  if (kind === 'invalid_arguments') return -32602;
  if (ofRequest) return -32600;
  if (reaction === 'validation' || kind === 'unsupported') return -32602;
  return kind === 'not_found' || kind === 'conflict' || reaction === 'permission' ? -32602 : -32603;
}

/** What `write` has for the same failure of a plain request. */
function dataOf(fault: Fault, { now }: FormContext): Json | undefined {
  const plain: WriteContext = { method: 'ping', now, revision: STATELESS_REVISION, structuredContent: false };
  return (write(fault, plain).wire as JsonRpcWire).error?.data;
}
