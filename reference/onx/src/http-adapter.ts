/** The adapter for a commerce system somewhere else, reached over HTTP. */
import { type FaultError, fault, type JsonObject } from '@mayday/core';
import { kindOfStatus, parseRetryAfter } from '@mayday/core/http';
import type { Adapter, Answer } from './adapter.ts';
import { adapterError, unusable } from './faults.ts';
import { INPUTS, type ToolName } from './inputs.ts';

/** The system behind it knows no returns. */
const MISSING: readonly ToolName[] = ['create-return', 'get-returns'];

/** Forwards every tool that the backend has to `POST <base>/operations/<tool>`. */
export function createHttpAdapter(base: string): Adapter {
  const names = (Object.keys(INPUTS) as ToolName[]).filter((name) => !MISSING.includes(name));
  const forward = (name: ToolName) => (input: object, signal: AbortSignal) => call(base, name, input, signal);
  return {
    name: 'http',
    tools: Object.fromEntries(names.map((name) => [name, forward(name)])),
    close: () => {},
  };
}

async function call(base: string, name: ToolName, input: object, signal: AbortSignal): Promise<Answer> {
  const { response, text } = await reach(`${base}/operations/${name}`, input, signal);
  const body = parse(text);
  if (response.ok && body !== undefined) return body;
  if (response.ok) {
    const cause = new SyntaxError(`Expected a JSON object from the backend, got ${text.slice(0, 200)}`);
    throw adapterError('BAD_GATEWAY', 'The backend answered with something else than JSON', { cause });
  }
  throw failure(response, body ?? {}, text);
}

async function reach(
  url: string,
  input: object,
  signal: AbortSignal,
): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input), signal });
    return { response, text: await response.text() };
  } catch (cause) {
    throw unreachable(cause);
  }
}

/** Only a connection that was never made tells that nothing was done. */
function unreachable(cause: unknown): FaultError {
  const { code } = ((cause as Error).cause ?? {}) as { code?: string };
  const executed = code === 'ECONNREFUSED' || code === 'ENOTFOUND' ? 'no' : 'maybe';
  return fault.unavailable('The backend cannot be reached', { executed, cause });
}

/** What a status says, and the backend's own identifier for it. The backend's sentences stay in the log. */
function failure(response: Response, body: JsonObject, text: string): FaultError {
  const { status, headers } = response;
  const cause = new Error(`The backend answered ${status}: ${text.slice(0, 1000)}`);
  const afterMs = parseRetryAfter(headers.get('retry-after') ?? '', Date.now());
  const retry = afterMs === undefined ? {} : { retry: { afterMs } };
  switch (status) {
    case 408:
    case 504:
      return fault.timeout('The backend took too long', { cause });
    case 429:
      return fault.rateLimited('The backend is asked too often', { cause, ...retry });
    case 501:
      return fault.unsupported('The backend does not do this', { cause });
    case 503:
      return fault.unavailable('The backend is not available', { cause, ...retry });
    default:
      return refusal(status, body, cause);
  }
}

function refusal(status: number, body: JsonObject, cause: Error): FaultError {
  const { code, field, reason, context } = body;
  if (typeof field === 'string' && typeof reason === 'string') return unusable('wrong', field, reason);
  const name = typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : `HTTP_${status}`;
  const details = isObject(context) ? context : undefined;
  if (status >= 500)
    return adapterError(name, 'The backend failed', { retryable: body['retryable'] === true, cause });
  const kind = kindOfStatus(status) ?? 'upstream_failed';
  return fault(kind, `The backend refused: ${name}`, { name, retryable: false, details, cause });
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // said by the caller, with the text in the cause
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
