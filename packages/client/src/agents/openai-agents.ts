/** MCP servers of the OpenAI Agents SDK, made resilient. */
import type { MCPServer, MCPToolErrorFunction } from '@openai/agents-core';
import { createAnnotationBook } from '../sdk/annotations.ts';
import { faultInResult } from '../sdk/read-failure.ts';
import { type AgentOptions, createGuard, valueOrThrow } from './guard.ts';
import { readError } from './read.ts';

export type { AgentOptions } from './guard.ts';

/** Tells the model what happened and what to do next; for `errorFunction` of a server, a tool or an agent. */
export const errorForModel: MCPToolErrorFunction = ({ error }) => readError(error).text;

/**
 * The same server, with retries where they are safe, circuits, deadlines, and errors that the model can act
 * on. Tools that declare themselves read-only or idempotent are repeated; `tools` overrules them.
 *
 * @example
 * const server = resilientServer(new MCPServerStreamableHttp({ url }));
 * const agent = new Agent({ name: 'clerk', mcpServers: [server] });
 */
export function resilientServer<Server extends MCPServer>(
  server: Server,
  options: AgentOptions = {},
): Server {
  const guard = createGuard(options);
  const book = createAnnotationBook();

  const guarded = <T>(
    send: (name: string, ...rest: unknown[]) => Promise<T>,
    resultOf: (value: T) => unknown,
  ): ((name: string, ...rest: unknown[]) => Promise<T>) => {
    return async (name, ...rest) => {
      const signal = (rest[2] as { signal?: AbortSignal } | undefined)?.signal;
      const settled = await guard.call(
        name,
        ({ signal: ours }) =>
          send(name, rest[0], rest[1], { ...(rest[2] as object | undefined), signal: ours }),
        (value, now) => faultInResult(resultOf(value), now),
        { signal, call: book.of(name) },
      );
      return valueOrThrow(settled);
    };
  };
  const overrides: { [key: PropertyKey]: unknown } = {
    async listTools() {
      const tools = await server.listTools();
      book.learn('tools/list', { tools });
      return tools;
    },
    // `callTool` returns the content with the rest of the result hung onto the array.
    callTool: guarded(server.callTool.bind(server) as never, (content) => ({
      ...(content as object),
      content,
    })),
    ...(server.callToolResult === undefined
      ? {}
      : { callToolResult: guarded(server.callToolResult.bind(server) as never, (result) => result) }),
    ...(server.errorFunction === undefined ? { errorFunction: errorForModel } : {}),
  };
  return new Proxy(server, {
    get(target, name) {
      if (Object.hasOwn(overrides, name)) return overrides[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
