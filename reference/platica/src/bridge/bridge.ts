/** The REST interface as MCP tools, failing as Platica's document says. */
import { fault, isFault } from '@mayday/core';
import { bearerToken, createTurns, wasUnsent } from '@mayday/reference-shared';
import { type Guard, guard, type Logger } from '@mayday/server';
import { McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import { callEndpoint } from './call.ts';
import { TOOLS } from './tools.ts';

/** How the bridge is set up. */
export interface BridgeOptions {
  /** Where the REST interface is. */
  readonly apiUrl: string;
  readonly logger: Logger;
  /** The key on stdio, which has no headers. */
  readonly key?: string | undefined;
}

/** Whatever begins like a key is the interface's to judge. */
const KEY = /^pl_key_./;

/** Is this an `Authorization` header with a key in it? */
export function hasKey(authorization: string | null | undefined): boolean {
  return KEY.test(bearerToken(authorization) ?? '');
}

/** Makes servers for one bridge. */
export function createBridge({ apiUrl, logger, key }: BridgeOptions): McpServerFactory {
  const fallback = key === undefined ? '' : `Bearer ${key}`;
  const inTurn = createTurns(32); // the interface cannot count thousands that stand before it at once
  const keyGuard: Guard = {
    name: 'key',
    before(call) {
      if (!hasKey(call.header('authorization') ?? fallback)) throw fault.unauthenticated();
    },
  };
  return () => {
    const server = guard(new McpServer({ name: 'platica', version: '1.0.0' }), {
      dialect: 'platica',
      idempotency: false,
      // A missing key and an exception of the bridge itself are JSON-RPC errors.
      placement: 'protocol',
      guards: [keyGuard],
      logger,
    });
    for (const [name, tool] of Object.entries(TOOLS)) {
      const { description, input, method } = tool;
      const annotations = { readOnlyHint: method === 'GET', destructiveHint: method === 'DELETE' };
      server.registerTool(name, { description, inputSchema: input, annotations }, (args, { http, mcpReq }) =>
        handled(
          inTurn(() =>
            callEndpoint(tool, args, {
              url: apiUrl,
              authorization: http?.req?.headers.get('authorization') ?? fallback,
              signal: mcpReq.signal,
            }),
          ),
        ),
      );
    }
    return server;
  };
}

/** Whatever nobody meant to throw is -32603, and worth another try. */
async function handled<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (isFault(cause)) throw cause;
    const said = wasUnsent(cause) ? ({ executed: 'no' } as const) : { retryable: true };
    throw fault.internal('Internal MCP server error', { ...said, cause });
  }
}
