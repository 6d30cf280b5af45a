/** Tools of the Vercel AI SDK, made resilient. */
import type { ToolSet } from 'ai';
import { faultInResult } from '../sdk/read-failure.ts';
import { type AgentOptions, createGuard, valueOrThrow } from './guard.ts';

export type { AgentOptions } from './guard.ts';

type Execute = (input: unknown, options: { readonly abortSignal?: AbortSignal | undefined }) => unknown;

/**
 * The same tools, with retries where they are safe, circuits, deadlines, and errors that the model can act
 * on. Works for tools from MCP servers and for your own.
 *
 * @example
 * const tools = resilientTools(await mcp.tools(), { tools: { search: { repeatable: true } } });
 * await generateText({ model, tools, prompt });
 */
export function resilientTools<Tools extends ToolSet>(tools: Tools, options: AgentOptions = {}): Tools {
  const guard = createGuard(options);
  const wrapped = Object.entries(tools).map(([name, tool]) => {
    const execute = tool.execute as Execute | undefined;
    if (execute === undefined) return [name, tool];
    const guarded: Execute = async (input, given) => {
      const settled = await guard.call(
        name,
        async ({ signal }) => execute.call(tool, input, { ...given, abortSignal: signal }),
        faultInResult,
        { signal: given.abortSignal },
      );
      return valueOrThrow(settled);
    };
    return [name, { ...tool, execute: guarded }];
  });
  return Object.fromEntries(wrapped) as Tools;
}
