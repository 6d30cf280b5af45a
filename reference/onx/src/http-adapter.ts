/** The adapter for a commerce system somewhere else, reached over HTTP. */
import { type FaultError, fault, type JsonObject } from '@mayday/core';
import { AdapterError } from '@mayday/core/dialects/onx';
import { kindOfStatus, parseRetryAfter } from '@mayday/core/http';
import { isJsonObject, objectIn, wasUnsent } from '@mayday/reference-shared';
import type { Adapter, Answer } from './adapter.ts';
import { fieldIn, identifierIn, safeContext } from './foreign-words.ts';
import { INPUTS, isReading, type ToolName } from './inputs.ts';
import { type Reached, reach } from './reach.ts';

/** The system behind it knows no returns. */
const MISSING: readonly ToolName[] = ['create-return', 'get-returns'];

/** How the system is reached. */
export interface HttpAdapterOptions {
  /** How long it may take to answer; 4.5 seconds, a little less than the desk itself. */
  readonly timeoutMs?: number | undefined;
}

/** Forwards every tool that the backend has to `POST <base>/operations/<tool>`. */
export function createHttpAdapter(base: string, { timeoutMs = 4500 }: HttpAdapterOptions = {}): Adapter {
  const names = (Object.keys(INPUTS) as ToolName[]).filter((name) => !MISSING.includes(name));
  const forward = (name: ToolName) => (input: object, signal: AbortSignal) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return call({ name, input }, `${base}/operations/${name}`, limit);
  };
  return {
    name: 'http',
    tools: Object.fromEntries(names.map((name) => [name, forward(name)])),
    close: () => {},
  };
}

/** What was asked of the backend. */
interface Asked {
  readonly name: ToolName;
  readonly input: object;
}

async function call(asked: Asked, url: string, signal: AbortSignal): Promise<Answer> {
  let reached: Reached;
  try {
    reached = await reach(url, asked.input, signal);
  } catch (cause) {
    throw unanswered(asked, cause);
  }
  const body = objectIn(reached.text);
  const isOk = reached.ok && body?.['success'] !== false; // some say no in the body alone
  if (isOk && body !== undefined) return body;
  const error = body?.['error'];
  if (!isOk) throw failure(asked, reached, isJsonObject(error) ? { ...body, ...error } : (body ?? {}));
  const cause = new SyntaxError(`Expected a JSON object from the backend, got ${reached.text.slice(0, 200)}`);
  throw unusable(asked, 'something else than JSON', cause);
}

/** An answer that is none, and will be none the next time. */
function unusable({ name }: Asked, what: string, cause: unknown): FaultError {
  const executed = isReading(name) ? undefined : 'maybe';
  return new AdapterError('BAD_GATEWAY', { message: `The backend answered with ${what}`, executed, cause });
}

/**
 * No answer, or half of one. 4002 and 3002 say that another try is safe: that holds for what only reads, and for a
 * connection that was never made.
 */
function unanswered(asked: Asked, cause: unknown): FaultError {
  if (cause instanceof RangeError) return unusable(asked, 'more than anybody can read', cause);
  const error = cause as Error;
  const late = error.name === 'TimeoutError' || error.name === 'AbortError';
  const unsent = wasUnsent(cause);
  if (!isReading(asked.name) && !unsent) return mayBeDone(late ? 'TIMEOUT' : 'CONNECTION_LOST', cause);
  if (late) return fault.timeout('The backend took too long', { cause });
  return fault.unavailable('The backend cannot be reached', { executed: unsent ? 'no' : undefined, cause });
}

/** A change that the backend may have made: nobody is told to ask for it again. */
function mayBeDone(identifier: string, cause: unknown, what = 'did not answer'): FaultError {
  return new AdapterError(identifier, {
    message: `The backend ${what}; the change may have been made`,
    suggestion: 'Look it up before you try again.',
    executed: 'maybe',
    cause,
  });
}

/** What a status says, and the backend's own identifier for it. The backend's sentences stay in the log. */
function failure(asked: Asked, { status, retryAfter, text }: Reached, body: JsonObject): FaultError {
  const cause = new Error(`The backend answered ${status}: ${text.slice(0, 4000)}`);
  const afterMs = parseRetryAfter(retryAfter, Date.now());
  const retry = afterMs === undefined ? undefined : { afterMs };
  switch (status) {
    case 408:
    case 504:
      return isReading(asked.name)
        ? fault.timeout('The backend took too long', { cause })
        : mayBeDone('GATEWAY_TIMEOUT', cause);
    case 429:
      return fault.rateLimited('The backend is asked too often', { executed: 'no', cause, retry });
    case 501:
      return fault.unsupported('The backend does not do this', { cause });
    case 503:
      return isReading(asked.name)
        ? fault.unavailable('The backend is not available', { cause, retry })
        : mayBeDone('SERVICE_UNAVAILABLE', cause, 'is not available');
    default:
      return refusal(asked, status, body, cause);
  }
}

/** Whether it is worth another try is the backend's to say; what it does not say is no. */
function refusal({ input }: Asked, status: number, body: JsonObject, cause: Error): FaultError {
  const identifier = identifierIn(body) ?? `HTTP_${status}`;
  return new AdapterError(identifier, {
    message: status >= 500 ? 'The backend failed' : `The backend refused: ${identifier}`,
    kind: kindOf(status),
    retryable: body['retryable'] === true,
    field: fieldIn(body, input),
    context: safeContext(body, input),
    cause,
  });
}

/** The desk's own key is not the caller's business, and what is wrong with an order is not the caller's syntax. */
function kindOf(status: number): ReturnType<typeof kindOfStatus> {
  if (status === 401) return 'misconfigured';
  if (status === 400 || status === 422) return 'unprocessable';
  return status < 500 ? kindOfStatus(status) : 'upstream_failed';
}
