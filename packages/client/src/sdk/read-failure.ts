/** The fault in what an SDK client returns or throws. */
import { type Fault, faultOf, META_KEY, makeFault, read } from '@mayday/core';
import { bounded, faultInThrown } from '@mayday/policy';
import { unusable } from '../http/answer.ts';
import { sessionExpired } from '../http/mend-fetch.ts';
import { isObject, isStandIn } from '../http/reply.ts';

const TOOL_FAILURE = 'io.modelcontextprotocol/toolFailure';

/** The fault in a result; `undefined` when it is a success, or a question for the user. */
export function faultInResult(result: unknown, now: number): Fault | undefined {
  if (!isObject(result) || result['resultType'] === 'input_required') return undefined;
  const meta = result['_meta'];
  const failed =
    result['isError'] === true ||
    isObject(result['error']) ||
    (isObject(meta) && (TOOL_FAILURE in meta || META_KEY in meta));
  if (!failed) return undefined;
  const reading = read(result, { now });
  return reading.failure ? bounded(reading.fault) : undefined;
}

/** The fault in what was thrown, with what only the caller's side knows about the SDKs. */
export function faultInSdkError(thrown: unknown, now: number, hadSession: boolean): Fault {
  if (faultOf(thrown) === undefined && isObject(thrown)) {
    // Without our fetch, an expired session is a 404 with a text.
    if (hadSession && httpStatus(thrown) === 404 && !/-32601/.test(textOf(thrown))) return sessionExpired();
    // The SDKs throw the parser's own errors when an answer cannot be understood.
    const name = String(thrown['name']);
    if (/ZodError$/.test(name)) return unusable('The answer is not a valid MCP message');
    if (name === 'SyntaxError') return unusable('The answer is not JSON');
  }
  return inWords(faultInThrown(thrown, now));
}

/** Has the server itself answered with this error? The SDKs throw errors of their own, and so do we. */
export function isAnswer(thrown: unknown, { kind }: Fault): boolean {
  if (!(thrown instanceof Error) || isStandIn(thrown)) return false;
  const { code } = thrown as { code?: unknown };
  // v1 says in the server's codes that it has waited too long, or that the connection is gone.
  return Number.isInteger(code) && (code as number) < 0 && kind !== 'timeout' && kind !== 'disconnected';
}

/** `fetch` says nothing but that it failed; the reason is in the cause, and so in the kind. */
function inWords(fault: Fault): Fault {
  if (fault.message !== 'fetch failed' && fault.message !== 'terminated') return fault;
  const message = FETCH_WORDS[fault.kind];
  return message === undefined ? fault : { ...fault, message };
}

const FETCH_WORDS: { readonly [kind: string]: string } = {
  unavailable: 'The server cannot be reached',
  disconnected: 'The connection was lost before the answer came',
  timeout: 'The connection was not made in time',
};

function httpStatus(thrown: { readonly [key: string]: unknown }): unknown {
  return (
    thrown['status'] ??
    (thrown['name'] === 'StreamableHTTPError' || thrown['code'] === 404 ? thrown['code'] : undefined)
  );
}

function textOf(thrown: { readonly [key: string]: unknown }): string {
  const { data } = thrown;
  return `${String(thrown['message'])} ${isObject(data) ? String(data['text']) : ''}`.slice(0, 10_000);
}

/** The check of a tool's output failed on this side, after the tool ran. */
export function outputRejected(thrown: unknown): Fault {
  const message = thrown instanceof Error ? thrown.message : 'The output of the tool could not be checked';
  return bounded(
    makeFault({
      kind: 'invalid_output',
      origin: 'local',
      executed: 'yes',
      message: message.replace(/^MCP error -?\d+: /, ''),
    }),
  );
}
