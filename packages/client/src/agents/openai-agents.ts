/** MCP servers of the OpenAI Agents SDK, made resilient. */
import { type CallMeta, writeCallMeta } from '@mayday/core/plan';
import { createAnnotationBook } from '../sdk/annotations.ts';
import { faultInResult } from '../sdk/read-failure.ts';
import { asResilient, checkFresh, checkGiven } from './given.ts';
import { readError } from './read.ts';
import { type AgentOptions, createRunner, valueOrThrow } from './runner.ts';

export type { AgentOptions } from './runner.ts';

/** An MCP server of the SDK, as far as it matters here. */
export interface AgentsServer {
  connect(): Promise<void>;
  listTools(): Promise<readonly unknown[]>;
  // biome-ignore lint/suspicious/noExplicitAny: the arguments and results of any version
  callTool(...args: any[]): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  callToolResult?(...args: any[]): Promise<any>;
  invalidateToolsCache?(): Promise<void>;
}

/** Tells the model what happened and what to do next; for `errorFunction` of a server, a tool or an agent. */
export function errorForModel({ error }: { readonly error: unknown }): string {
  return readError(error).text;
}

/** The SDK's servers that are clients of an MCP server, by the class that makes the call. */
const CLIENTS = /^(?:Base|Node)?MCPServer(?:Stdio|SSE|StreamableHttp)$/;

/** Is `callTool` the SDK's, and not a function of the caller's own? */
function isClient(server: object): boolean {
  let owner: object | null = server;
  while (owner !== null && !Object.hasOwn(owner, 'callTool')) owner = Object.getPrototypeOf(owner) as object;
  return owner !== null && owner !== server && CLIENTS.test(owner.constructor.name);
}

type Send<T> = (name: string, ...rest: unknown[]) => Promise<T>;

/**
 * The same server, with retries where they are safe, circuits, deadlines, and errors that the model can act
 * on. Tools that declare themselves read-only or idempotent are repeated; `tools` overrules them.
 *
 * @example
 * const server = resilientServer(new MCPServerStreamableHttp({ url, fetch: mendFetch() }));
 * const agent = new Agent({ name: 'clerk', mcpServers: [server] });
 */
export function resilientServer<Server extends AgentsServer>(
  server: Server,
  options: AgentOptions = {},
): Server {
  checkGiven(server, 'an MCP server of the SDK', (given) => 'callTool' in given);
  checkFresh(server, 'a server');
  const runner = createRunner(options);
  const book = createAnnotationBook();
  const isOwn = !isClient(server);

  const guarded = <T>(send: Send<T>, resultOf: (value: T) => unknown): Send<T> => {
    return async (name, ...rest) => {
      const given = rest[2] as { readonly signal?: AbortSignal } | undefined;
      const settled = await runner.run({
        name,
        input: rest[0],
        send: ({ signal, meta }) =>
          send(name, rest[0], isOwn ? rest[1] : counted(rest[1], meta), { ...given, signal }),
        faultIn: (value, from) => faultInResult(resultOf(value), from),
        facts: book.of(name),
        signal: given?.signal,
        isOwn,
        isListed: book.isListed(name),
      });
      return valueOrThrow(settled);
    };
  };
  const overrides: { [key: PropertyKey]: unknown } = {
    async listTools() {
      const tools = await server.listTools();
      // The whole list at once: what is not in it is no longer there.
      book.forget('changed');
      book.learn({ method: 'tools/list' }, { tools }, book.edition);
      return tools;
    },
    connect() {
      book.forget('session');
      return server.connect();
    },
    async invalidateToolsCache() {
      book.forget('changed');
      await server.invalidateToolsCache?.();
    },
  };
  if (server.callToolResult === undefined) {
    // Older servers return the content from `callTool`, with the rest of the result hung onto the array.
    const whole = (content: unknown): object => {
      const { isError, _meta, structuredContent } = content as { readonly [key: string]: unknown };
      return { isError, _meta, structuredContent, content };
    };
    overrides['callTool'] = guarded(server.callTool.bind(server) as never, whole);
  } else {
    // `callTool` of the others drops everything but the content, also that it is an error.
    const result: Send<{ readonly content: unknown }> = guarded(
      server.callToolResult.bind(server) as never,
      (value) => value,
    );
    overrides['callToolResult'] = result;
    overrides['callTool'] = async (name: string, ...rest: unknown[]) => (await result(name, ...rest)).content;
  }
  if ((server as { readonly errorFunction?: unknown }).errorFunction === undefined)
    overrides['errorFunction'] = errorForModel;
  const proxy = new Proxy(server, {
    get(target, name) {
      if (Object.hasOwn(overrides, name)) return overrides[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return asResilient(proxy);
}

/** The request's `_meta` with the number of the attempt: who finds it on the way leaves retrying to us. */
function counted(given: unknown, { attempt }: CallMeta): unknown {
  const meta = given as { readonly [key: string]: unknown } | null | undefined;
  return attempt === undefined ? given : writeCallMeta(meta ?? undefined, { attempt });
}
