/** The twelve tools over an adapter, as an MCP server that fails as the onX error model says. */
import { fault } from '@mayday/core';
import { guard, type Logger, type RateStore, rateLimit } from '@mayday/server';
import { McpServer, type McpServerFactory } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Adapter, Answer } from './adapter.ts';
import { CHECKS } from './checks.ts';
import { INPUTS, isReading, type ToolName } from './inputs.ts';

/** How the desk is set up. */
export interface DeskOptions {
  readonly adapter: Adapter;
  readonly logger: Logger;
  /** How long a tool may take; 5 seconds. */
  readonly deadlineMs?: number;
  /** Calls a minute; 600. */
  readonly perMinute?: number;
  /** Where calls are counted; in memory, if absent. */
  readonly counts?: RateStore | undefined;
}

/** Makes servers for one desk. */
export function createDesk(options: DeskOptions): McpServerFactory {
  const { adapter, logger, deadlineMs = 5000, perMinute = 600, counts } = options;
  const guards = [rateLimit({ limit: perMinute, windowMs: 60_000, per: 'caller', store: counts })];
  return () => {
    const server = guard(new McpServer({ name: 'onx', version: '1.0.0' }), {
      dialect: 'onx',
      idempotency: false,
      guards,
      deadlineMs,
      logger,
    });
    for (const name of Object.keys(INPUTS) as ToolName[]) {
      const inputSchema: z.ZodObject = INPUTS[name];
      const { description = name } = inputSchema;
      const annotations = { readOnlyHint: isReading(name) };
      server.registerTool(name, { description, annotations, inputSchema }, async (input, context) => {
        const answer = await run(adapter, name, input, context.mcpReq.signal);
        return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
      });
    }
    return server;
  };
}

async function run(adapter: Adapter, name: ToolName, input: unknown, signal: AbortSignal): Promise<Answer> {
  const tool = adapter.tools[name];
  if (tool === undefined) throw fault.unsupported(`The ${adapter.name} adapter does not support ${name}`);
  CHECKS[name]?.(input as never);
  return tool(input as never, signal);
}
