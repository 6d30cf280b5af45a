/** The document's client: repeats a call that met a rate limit, and nothing else. */
import type { Retry } from '@mayday/core';
import { retryDelay as qaqnuzDelay } from '@mayday/core/dialects/qaqnuz';
import type { ToolCall } from '@mayday/reference-shared';

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
export interface RetryOptions {
  /** All attempts together; 3. */
  readonly maxAttempts?: number;
  /** The hint of the inner envelope, for callers that can see it. Advisory, but better than a guess. */
  readonly hintFor?: (result: ToolResult) => Partial<Retry> | undefined;
  readonly sleep?: (ms: number) => Promise<void>;
  /** In [0, 1). */
  readonly random?: () => number;
}

const STEP_MS = 1000;

/**
 * Calls a tool. A rate limit is waited out; every other failure is final.
 *
 * @example
 * const { content } = await callWithRetry(client, 'find_contacts', { name: 'Ada' });
 */
export async function callWithRetry(
  client: ToolCaller,
  name: string,
  args: { [name: string]: unknown },
  options: RetryOptions = {},
): Promise<ToolResult> {
  const { maxAttempts = 3, hintFor, sleep = wait, random = Math.random } = options;
  for (let attempt = 1; ; attempt++) {
    const result = (await client.callTool({ name, arguments: args })) as ToolResult;
    if (result.isError !== true) return result;
    const text = result.content[0]?.text ?? '';
    const hint = hintFor?.(result);
    const waitMs = hint === undefined ? guess(text, attempt) : qaqnuzDelay(hint, attempt, random());
    if (waitMs === undefined || attempt >= maxAttempts) throw new Error(`call_tool ${name} failed: ${text}`);
    await sleep(waitMs);
  }
}

/** Without a hint, the words are all there is: they name a rate limit, or the call is over. */
function guess(text: string, attempt: number): number | undefined {
  return /rate limit/i.test(text) ? STEP_MS * attempt : undefined;
}

/** The same from the command line. Content that is missing says nothing. */
export async function callSample(call: ToolCall): Promise<unknown> {
  const client: ToolCaller = {
    async callTool() {
      const { result, error } = await call.send();
      if (result !== undefined) return { ...result, content: result['content'] ?? [] };
      throw new Error(`call_tool ${call.name} failed: ${error?.message ?? ''}`);
    },
  };
  const { content } = await callWithRetry(client, call.name, {});
  return content.map(({ text = '' }) => text).join('\n');
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
