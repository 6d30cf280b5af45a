/** Tools of Mastra, made resilient. */
import { factsIn } from '../sdk/annotations.ts';
import { faultInResult } from '../sdk/read-failure.ts';
import { asResilient, checkFresh, checkGiven } from './given.ts';
import { type AgentOptions, createRunner, valueOrThrow } from './runner.ts';

export type { AgentOptions } from './runner.ts';

/** What Mastra's `createTool` and `MCPClient` make, as far as it matters here. */
export interface MastraTool {
  // biome-ignore lint/suspicious/noExplicitAny: a tool of any input, with the context of any version
  execute?: ((...args: any[]) => Promise<any>) | undefined;
}

/** Where `@mastra/mcp` keeps what a server says about a tool. */
interface McpTool {
  readonly mcp?: { readonly annotations?: unknown; readonly _meta?: unknown } | undefined;
}

/**
 * The same tools, with retries where they are safe, circuits, deadlines, and errors that the model can act
 * on. Works for tools from MCP servers and for your own. Tools of MCP servers that declare themselves read-only
 * or idempotent are repeated; `tools` overrules them.
 *
 * @example
 * const agent = new Agent({ name: 'clerk', model, instructions, tools: resilientTools(await mcp.listTools()) });
 */
export function resilientTools<Tools extends { readonly [name: string]: MastraTool }>(
  tools: Tools,
  options: AgentOptions = {},
): Tools {
  checkGiven(tools, 'tools by their names', (given) => !Array.isArray(given));
  const runner = createRunner(options);
  const wrapped = Object.entries(tools).map(([name, tool]) => {
    const { execute } = tool;
    if (execute === undefined) return [name, tool];
    checkFresh(execute, `a tool \`${name}\``);
    const { mcp } = tool as McpTool;
    const facts = factsIn(mcp?.annotations, mcp?._meta);
    const guarded = async (
      input: unknown,
      given?: { readonly abortSignal?: AbortSignal },
    ): Promise<unknown> => {
      const settled = await runner.run<unknown>({
        name,
        input,
        send: ({ signal }) => execute.call(tool, input, { ...given, abortSignal: signal }),
        faultIn: faultInResult,
        facts,
        signal: given?.abortSignal,
        isOwn: mcp === undefined,
        wasRepeated,
      });
      return valueOrThrow(settled);
    };
    // The same class with the same members: Mastra looks for both.
    const clone = Object.assign(Object.create(Object.getPrototypeOf(tool) as object) as object, tool);
    return [name, Object.assign(clone, { execute: asResilient(guarded) })];
  });
  return Object.fromEntries(wrapped) as Tools;
}

/**
 * Mastra's client connects again and sends the call a second time when an error reads like one of the connection; when
 * that fails as well, it throws the first error, which says nothing of the second attempt.
 */
const RECONNECTS =
  /session|server not initialized|not connected|http 40[0134]|econnrefused|fetch failed|connection (?:refused|closed)|typeerror: terminated/i;

function wasRepeated(thrown: unknown): boolean {
  return thrown instanceof Error && RECONNECTS.test(thrown.message);
}
