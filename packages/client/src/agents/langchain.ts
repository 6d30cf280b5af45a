/** Tools of LangChain, made resilient. */
import { ToolMessage } from '@langchain/core/messages';
import { type Fault, read } from '@mayday/core';
import { factsIn } from '../sdk/annotations.ts';
import { textFor } from '../sdk/text.ts';
import { asResilient, checkFresh, checkGiven } from './given.ts';
import { type AgentOptions, createRunner, valueOrThrow } from './runner.ts';

export type { AgentOptions } from './runner.ts';

/** A LangChain tool, as far as it matters here: `StructuredTool`, `DynamicStructuredTool`, `tool(…)`. */
export interface LangChainTool {
  readonly name: string;
  readonly metadata?: { readonly [key: string]: unknown } | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a tool of any input
  invoke(...args: any[]): Promise<any>;
}

/** What every one of them runs, in the end: input, run manager, configuration. */
type Work = (input: unknown, manager: unknown, config?: Config) => Promise<unknown>;

interface Config {
  readonly signal?: AbortSignal | undefined;
  /** The call of a model that this is the answer to; absent where a program calls. */
  readonly toolCall?: { readonly id?: unknown } | undefined;
}

/**
 * The same tools, with retries where they are safe, circuits, deadlines, and errors that the model can act
 * on. Works for tools from MCP servers and for your own. Tools of MCP servers that declare themselves read-only
 * or idempotent are repeated; `tools` overrules them.
 *
 * @example
 * const tools = resilientTools(await mcp.getTools());
 * const agent = createReactAgent({ llm, tools });
 */
export function resilientTools<Tool extends LangChainTool>(
  tools: readonly Tool[],
  options: AgentOptions = {},
): Tool[] {
  checkGiven(tools, 'a list of tools', Array.isArray);
  const runner = createRunner(options);
  return tools.map((tool) => {
    const work = (tool as unknown as { readonly _call?: Work })._call;
    if (typeof work !== 'function') return tool;
    const { name, metadata } = tool;
    checkFresh(work, `a tool \`${name}\``);
    const facts = factsIn(metadata?.['annotations'], metadata?.['_meta']);
    const guarded: Work = async (input, manager, config) => {
      const settled = await runner.run({
        name,
        input,
        send: async ({ signal }) => asFault(() => work.call(tool, input, manager, { ...config, signal })),
        faultIn: (value) => (value instanceof ToolFailure ? value.fault : undefined),
        facts,
        signal: config?.signal,
        isOwn: true,
      });
      const { outcome } = settled;
      const id = config?.toolCall?.id;
      if (!outcome.ok && outcome.ended !== 'cancelled' && typeof id === 'string') {
        const told = messageOf(outcome.fault, id, name);
        if (told !== undefined) return isInTwo(tool) ? [told, told.artifact] : told;
      }
      const value = valueOrThrow(settled);
      if (value instanceof Bubble) throw value.thrown;
      return value;
    };
    // Everything else stays the tool's own: schemas, callbacks, tracing.
    return Object.create(tool, {
      _call: { value: asResilient(guarded), configurable: true, writable: true },
    }) as Tool;
  });
}

/** Does it give its content and an artifact, as two? */
function isInTwo(tool: object): boolean {
  return (tool as { readonly responseFormat?: unknown }).responseFormat === 'content_and_artifact';
}

/**
 * What the model is told of a call that may have been executed. Not thrown: whoever stands around the tool
 * (`toolRetryMiddleware`, the retry policy of a node) repeats what throws, and knows nothing of what it has done.
 */
function messageOf(fault: Fault, id: string, name: string): ToolMessage | undefined {
  if (fault.executed === 'no') return undefined;
  return new ToolMessage({
    status: 'error',
    content: textFor(fault),
    artifact: { fault },
    tool_call_id: id,
    name,
  });
}

/** A failing result, which `@langchain/mcp-adapters` throws as a sentence. */
class ToolFailure {
  readonly fault: Fault;
  constructor(fault: Fault) {
    this.fault = fault;
  }
}

/** What a graph throws to stop and ask somebody: it is no failure, and passes as it is. */
class Bubble {
  readonly thrown: unknown;
  constructor(thrown: unknown) {
    this.thrown = thrown;
  }
}

function isBubble(thrown: unknown): boolean {
  return (thrown as { readonly is_bubble_up?: unknown } | null | undefined)?.is_bubble_up === true;
}

const RESULT = /^MCP tool '[^']*' on server '[^']*' returned an error: /;
const CALL = /^Error calling tool \S+: (?:\w*Error: )?/;

/** The adapter's own words around what the server said tell the model nothing, and hide what it was. */
async function asFault(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (thrown) {
    if (isBubble(thrown)) return new Bubble(thrown);
    if (!(thrown instanceof Error) || thrown.name !== 'ToolException') throw thrown;
    const { message } = thrown;
    if (RESULT.test(message)) {
      const content = [{ type: 'text', text: message.replace(RESULT, '') }];
      const reading = read({ isError: true, content }, { began: true });
      if (reading.failure) return new ToolFailure(reading.fault);
    }
    const said = message.replace(CALL, '');
    const fault = faultInPost(said);
    if (fault !== undefined) return new ToolFailure(fault);
    throw said === message ? thrown : new Error(said, { cause: thrown });
  }
}

const POST = /^(?:Streamable HTTP error: )?Error POSTing to endpoint(?: \(HTTP (\d{3})\))?: ?([\s\S]*)$/;

/** What is left of a response that failed: the status in some versions of the SDK's sentence, and the body behind it. */
function faultInPost(said: string): Fault | undefined {
  const [, status, body] = POST.exec(said) ?? [];
  if (body === undefined) return undefined;
  const answer =
    status === undefined ? parsed(body) : { http: { status: Number(status), headers: {}, body } };
  const reading = read(answer ?? body, { began: true });
  return reading.failure && reading.fault.kind !== 'unknown' ? reading.fault : undefined;
}

function parsed(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // a page, or words
  }
}
