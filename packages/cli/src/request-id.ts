/** The id of the JSON-RPC message that came in, so that the answer carries the same one. */
import { read } from '@mayday/core';

type Id = string | number | null;

const MAX_UNWRAP = 3;
const MAX_BATCH = 100;

/** The request id of a message, also inside an HTTP body, a batch or a string; `undefined` without one. */
export function requestId(value: unknown, unwraps: number = MAX_UNWRAP): Id | undefined {
  if (unwraps < 0) return undefined;
  if (typeof value === 'string') return requestId(parse(value), unwraps - 1);
  if (Array.isArray(value)) {
    // A batch speaks through its first failing answer.
    return requestId(
      value.slice(0, MAX_BATCH).find((item) => read(item).failure),
      unwraps - 1,
    );
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const http = member(value, 'http');
  if (http !== undefined) return requestId(member(http, 'body') ?? member(http, 'text'), unwraps - 1);
  const isMessage = ['jsonrpc', 'error', 'result'].some((key) => Object.hasOwn(value, key));
  const id = isMessage ? member(value, 'id') : undefined;
  return typeof id === 'string' || typeof id === 'number' || id === null ? id : undefined;
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as { readonly [key: string]: unknown })[key];
}

/** JSON, or the last JSON message of a server-sent event stream. */
function parse(text: string): unknown {
  const from = text.trimStart().startsWith('{') || text.trimStart().startsWith('[') ? 0 : lastData(text);
  if (from < 0) return undefined;
  const end = from === 0 ? -1 : text.indexOf('\n', from);
  try {
    return JSON.parse(text.slice(from, end < 0 ? undefined : end)) as unknown;
  } catch {
    return undefined; // plain text has no id
  }
}

function lastData(text: string): number {
  const at = text.lastIndexOf('data:');
  return at < 0 ? -1 : at + 'data:'.length;
}
