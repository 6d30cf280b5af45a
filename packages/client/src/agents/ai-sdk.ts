/** Tools of the Vercel AI SDK, made resilient. */
import { either } from '@mayday/policy';
import { factsIn } from '../sdk/annotations.ts';
import { faultInResult } from '../sdk/read-failure.ts';
import { asResilient, checkFresh, checkGiven } from './given.ts';
import { type AgentOptions, createRunner, valueOrThrow } from './runner.ts';
import { isGenerator, isTelling, lastOf, toldBy } from './telling.ts';

export type { AgentOptions } from './runner.ts';

/** A tool of the AI SDK, as far as it matters here: what `tool(…)` and the MCP client make, in every version. */
export interface AiTool {
  readonly description?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a tool of any input, with the options of any version
  readonly execute?: ((...args: any[]) => any) | undefined;
}

interface ExecuteOptions {
  readonly abortSignal?: AbortSignal | undefined;
}

type Execute = (input: unknown, options: ExecuteOptions) => unknown;
type Tell = (value: unknown) => void;

/** Where `@ai-sdk/mcp` keeps what a server says about a tool. */
interface McpTool {
  readonly metadata?:
    | { readonly annotations?: unknown; readonly toolName?: unknown; readonly clientName?: unknown }
    | undefined;
  readonly _meta?: unknown;
}

/** Is it a request of the SDK's MCP client? Version 1 of it names the client only, version 2 the tool as well. */
function isRequest(tool: McpTool): boolean {
  const { toolName, clientName } = tool.metadata ?? {};
  return toolName !== undefined || (typeof clientName === 'string' && '_meta' in tool);
}

/** With `maxRetries` the SDK's client repeats calls by itself; its error is about the last of them. */
function wasRepeated(thrown: unknown): boolean {
  return thrown instanceof Error && /^Failed after \d+ attempts/.test(thrown.message);
}

/**
 * The same tools, with retries where they are safe, circuits, deadlines, and errors that the model can act
 * on. Works for tools from MCP servers and for your own. Tools of MCP servers that declare themselves read-only
 * or idempotent are repeated; `tools` overrules them.
 *
 * @example
 * const tools = resilientTools(await mcp.tools(), { tools: { search: { repeatable: true } } });
 * await generateText({ model, tools, prompt });
 */
export function resilientTools<Tools extends { readonly [name: string]: AiTool }>(
  tools: Tools,
  options: AgentOptions = {},
): Tools {
  checkGiven(tools, 'tools by their names', (given) => !Array.isArray(given));
  const runner = createRunner(options);
  const wrapped = Object.entries(tools).map(([name, tool]) => {
    const execute = tool.execute as Execute | undefined;
    if (execute === undefined) return [name, tool];
    checkFresh(execute, `a tool \`${name}\``);
    const { metadata, _meta } = tool as McpTool;
    const facts = factsIn(metadata?.annotations, _meta);
    const isOwn = !isRequest(tool as McpTool);
    const run = async (input: unknown, given: ExecuteOptions, tell: Tell): Promise<unknown> => {
      const settled = await runner.run({
        name,
        input,
        send: async ({ signal }) => {
          const value = await execute.call(tool, input, { ...given, abortSignal: signal });
          return isTelling(value) ? lastOf(value, tell) : value;
        },
        faultIn: faultInResult,
        facts,
        signal: given?.abortSignal,
        isOwn,
        lateAs: (result) => result,
        wasRepeated,
      });
      return valueOrThrow(settled);
    };
    const guarded: Execute = (input, given) => run(input, given, () => undefined);
    // The SDK looks at what a call gives, not at what that becomes.
    const telling: Execute = (input, given) =>
      toldBy((tell, left) => {
        const abortSignal = given?.abortSignal === undefined ? left : either(given.abortSignal, left);
        return run(input, { ...given, abortSignal }, tell);
      });
    return [name, { ...tool, execute: asResilient(isGenerator(execute) ? telling : guarded) }];
  });
  return Object.fromEntries(wrapped) as Tools;
}
