/** What the forms of several documents have in common. */
import type { Fault, Issue, Json } from '../fault.ts';
import type { FormContext, JsonRpcWire } from './dialect.ts';

/** A JSON-RPC error object. */
export type ErrorObject = NonNullable<JsonRpcWire['error']>;

/** Only a tool that was found and asked can answer with a result. */
export function isOutside({ method, ofRequest }: FormContext): boolean {
  return ofRequest || method !== 'tools/call';
}

/** Has a tool been asked for that is not there? Authors say `not_found` of other things. */
export function isUnknownTool({ kind, subject }: Fault, { ours }: FormContext): boolean {
  return ours && kind === 'not_found' && subject?.type === 'tool';
}

/** The answer as a protocol error. */
export function withError({ result: _result, ...answer }: JsonRpcWire, error: ErrorObject): JsonRpcWire {
  return { ...answer, error };
}

/** An error object; without `data` where there is none. */
export function errorOf(code: number, message: string, data: Json | undefined): ErrorObject {
  return data === undefined ? { code, message } : { code, message, data };
}

/** An issue in one line. */
export function issueLine({ path, message }: Issue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}
