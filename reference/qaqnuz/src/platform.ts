/**
 * The platform as an MCP server. A call passes, in this order: key, entitlement, rate limits, reachability and
 * scope, arguments, consent. The order decides which refusal a caller sees.
 */
import { argumentsGuard, bearerToken } from '@mayday/reference-shared';
import { guard, keys, type Logger } from '@mayday/server';
import { McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import { type Envelope, failure, SUCCESS } from './envelope.ts';
import { runGoverned } from './governed.ts';
import { entitlement, invalidArguments, reach, remember } from './guards.ts';
import { createLimits, type LimitOptions } from './limits.ts';
import type { StockOf } from './provider.ts';
import type { Store } from './store/index.ts';
import { listTools } from './tool-list.ts';
import { TOOLS } from './tools.ts';

/** What it takes to make the platform. */
export interface PlatformOptions extends LimitOptions {
  readonly store: Store;
  readonly stockOf: StockOf;
  readonly logger: Logger;
  /** The caller's key, on stdio, which has no headers. */
  readonly stdioKey?: string | undefined;
}

const SCHEMAS = Object.fromEntries(Object.entries(TOOLS).map(([name, tool]) => [name, tool.input]));

/** Makes servers for one platform. */
export function createPlatform(options: PlatformOptions): McpServerFactory {
  const { store, stockOf, logger, stdioKey, now = Date.now } = options;
  const limits = createLimits(store.rates, options);

  function audit(principal: string, tool: string, envelope: Envelope): void {
    try {
      store.audit.add({ at: now(), principal, tool, envelope });
    } catch (err) {
      // The outcome is what it is, also when nobody can write it down.
      logger.error({ err, tool }, 'A call is missing in the audit log');
    }
  }

  return () => {
    const principals = new Map<string | number, string>();
    const server = guard(new McpServer({ name: 'qaqnuz', version: '1.0.0' }), {
      dialect: 'qaqnuz',
      idempotency: false,
      clientDialects: false,
      logger,
      guards: [
        keys({
          lookup: store.keys.lookup,
          from: (call) => keyOf(call.header('authorization'), stdioKey),
          methods: ['tools/call'],
          now,
        }),
        entitlement(store),
        ...limits.guards,
        limits.free(reach()),
        argumentsGuard(SCHEMAS, invalidArguments),
        remember(principals),
      ],
      onFault({ fault, call }) {
        if (call.method === 'tools/call') audit(call.principal ?? '', bounded(call.name), failure(fault));
      },
    });
    for (const [name, tool] of Object.entries(TOOLS)) {
      const { description, input: inputSchema } = tool;
      const handle = server.registerTool(name, { description, inputSchema }, async (args, { mcpReq }) => {
        const principal = principals.get(mcpReq.id) ?? '';
        const context = { store, stockOf, principal, signal: mcpReq.signal };
        const payload =
          tool.governed === true
            ? runGoverned(name, tool, args, context, limits, now())
            : await tool.run(args, context);
        audit(principal, name, SUCCESS);
        return { content: [{ type: 'text', text: JSON.stringify(payload) }], isError: false };
      });
      if (tool.reach === 'disabled') handle.disable();
    }
    server.server.setRequestHandler('tools/list', (_request, { http }) =>
      listTools(store, keyOf(http?.req?.headers.get('authorization') ?? undefined, stdioKey), now()),
    );
    return server;
  };
}

/** A header that is no bearer's has no key in it, and does not fall back on another one. */
function keyOf(authorization: string | undefined, stdioKey: string | undefined): string | undefined {
  return authorization === undefined ? stdioKey : (bearerToken(authorization) ?? '');
}

const LONGEST_NAME = 200;

/** Names come from callers, who may send a megabyte of one. */
function bounded(name = ''): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}
