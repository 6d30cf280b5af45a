/** The client of qaqnuz's document: it repeats a call that met a rate limit, and nothing else. */
import { hintIn, type RetryHint, retryDelay } from './reference.ts';

/** A tool's result, as both official SDKs give it. */
export interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly content: readonly { readonly type: string; readonly text?: string | undefined }[];
}

/** An MCP client, as far as it is needed here. */
export interface ToolCaller {
  callTool(call: { name: string; arguments: { [name: string]: unknown } }): Promise<unknown>;
}

/** How to retry. */
export interface CallWithRetryOptions {
  /** A timer, if absent. */
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined;
  /** All attempts together; 3. */
  readonly maxAttempts?: number | undefined;
  /** The hint of the inner envelope, for callers that can see it. Advisory, but better than a guess; one that says no wait is none. */
  readonly hintFor?: ((result: ToolResult) => RetryHint | undefined) | undefined;
  /** In [0, 1), for the jitter of hints; without it, waits are as long as the hints say. */
  readonly random?: (() => number) | undefined;
}

const STEP_MS = 1000;
const MIDDLE = 0.5;
/** Nobody waits longer than a day for a call, and a timer that is given a month ends at once. */
const DAY_MS = 86_400_000;

/**
 * Calls a tool. A rate limit is waited out; every other failure is final, and so is a wait of more than a day.
 * The last argument is the document's number of attempts, or more than that.
 *
 * @example
 * const { content } = await callWithRetry(client, 'find_contacts', { name: 'Ada' });
 */
export async function callWithRetry(
  client: ToolCaller,
  name: string,
  args: { [name: string]: unknown },
  options: number | CallWithRetryOptions = {},
): Promise<ToolResult> {
  const given = typeof options === 'number' ? { maxAttempts: options } : options;
  const { maxAttempts = 3, hintFor, sleep = timer, random = () => MIDDLE }: CallWithRetryOptions = given;
  for (let attempt = 1; ; attempt++) {
    const result = (await client.callTool({ name, arguments: args })) as ToolResult;
    if (result.isError !== true) return result;
    // Whatever a server sends: the types of the SDKs promise more than the wire.
    const text = (result as Partial<ToolResult>).content?.[0]?.text ?? '';
    const hint = hintFor?.(result);
    const isHinted = hint !== undefined && hintIn(hint).afterMs !== undefined;
    const waitMs = isHinted ? retryDelay(hint, attempt, random()) : guess(text, attempt);
    if (waitMs === undefined || attempt >= maxAttempts) throw new Error(`call_tool ${name} failed: ${text}`);
    if (waitMs > DAY_MS)
      throw new Error(`call_tool ${name} failed: ${text} (told to wait ${Math.ceil(waitMs / DAY_MS)} days)`);
    await sleep(waitMs);
  }
}

/** What every platform has, and the language's own types do not know. */
interface Platform {
  setTimeout(done: () => void, ms: number): unknown;
}

function timer(ms: number): Promise<void> {
  return new Promise((resolve) => void (globalThis as unknown as Platform).setTimeout(resolve, ms));
}

/** Without a hint, the words are all there is: they name a rate limit, or the call is over. */
function guess(text: string, attempt: number): number | undefined {
  return /rate limit/i.test(text) ? STEP_MS * attempt : undefined;
}
