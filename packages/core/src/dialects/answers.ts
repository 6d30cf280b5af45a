/** The shapes that dialects answer in. */
import type { Json, JsonObject } from '../fault.ts';
import type { WriteContext, Written } from './dialect.ts';

/** A JSON-RPC error response. */
export function errorResponse(context: WriteContext, code: number, message: string, data?: Json): Written {
  const error = data === undefined ? { code, message } : { code, message, data };
  return { wire: { jsonrpc: '2.0', ...idOf(context), error } };
}

/** A JSON-RPC response with a result. */
export function resultResponse(context: WriteContext, result: JsonObject): Written {
  return { wire: { jsonrpc: '2.0', ...idOf(context), result } };
}

/** One text block, as a tool result's content. */
export function textContent(text: string): readonly Json[] {
  return [{ type: 'text', text }];
}

function idOf(context: WriteContext): { id?: string | number | null } {
  return context.id === undefined ? {} : { id: context.id };
}
