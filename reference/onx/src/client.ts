/** The document's retry guidance as a client: exponential backoff with jitter for what says `retryable`, else none. */
import { read } from '@mayday/core';
import { pause, payloadOf, sentenceOf, type ToolCall, tooLong } from '@mayday/reference-shared/client';

/** How a call is repeated. */
export interface Backoff {
  readonly attempts?: number | undefined;
  readonly baseMs?: number | undefined;
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined;
  readonly random?: (() => number) | undefined;
}

const LONGEST_MS = 30_000;

/** Calls a tool until it answers, or says that another try is of no use. */
export async function callWithBackoff(call: Pick<ToolCall, 'send'>, options: Backoff = {}): Promise<unknown> {
  const { attempts = 5, baseMs = 1000, sleep = pause, random = Math.random } = options;
  for (let attempt = 1; ; attempt++) {
    const { result, error } = await call.send();
    const reading = read({ jsonrpc: '2.0', id: 1, result, error }, { from: 'onx' });
    if (!reading.failure) return payloadOf(result);
    const { retryable, retry } = reading.fault;
    const asked = tooLong(retry.afterMs);
    if (!retryable || asked !== '' || attempt >= attempts) throw new Error(sentenceOf(reading.fault) + asked);
    // Between a half and one and a half of it, so that those who failed together do not come back together.
    const wait = Math.min(LONGEST_MS, baseMs * 2 ** (attempt - 1)) * (0.5 + random());
    await sleep(Math.max(wait, retry.afterMs ?? 0));
  }
}

/** From the command line. */
export { callWithBackoff as callSample };
