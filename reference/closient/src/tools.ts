/** The operations as MCP tools. */
import { fault } from '@mayday/core';
import { type Guard, guard, type Logger } from '@mayday/server';
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server';
import type { Desk } from './desk.ts';
import { OPERATIONS } from './operations.ts';
import type { Caller } from './tokens.ts';

/** Tells who calls, and refuses who may not, before arguments are even looked at. */
function deskGuard(desk: Desk, token: string | undefined, callers: Map<string | number, Caller>): Guard {
  return {
    name: 'desk',
    before(call) {
      const authorization =
        call.header('authorization') ?? (token === undefined ? undefined : `Bearer ${token}`);
      callers.set(call.id, desk.admit(call.name ?? '', authorization));
    },
    after: (call) => void callers.delete(call.id),
  };
}

/** An MCP server whose tools fail as Closient's document says. `token` is for stdio, which has no headers. */
export function createToolServer(desk: Desk, logger: Logger, token?: string): McpServer {
  const callers = new Map<string | number, Caller>();
  const server = guard(new McpServer({ name: 'closient', version: '1.0.0' }), {
    dialect: 'closient',
    idempotency: false,
    guards: [deskGuard(desk, token, callers)],
    logger,
  });
  for (const [name, { description, input, writes }] of Object.entries(OPERATIONS)) {
    const annotations = { readOnlyHint: writes !== true, idempotentHint: true, openWorldHint: false };
    server.registerTool(name, { description, inputSchema: input, annotations }, (args, context) =>
      toResult(desk.run(name, args, known(callers.get(context.mcpReq.id)))),
    );
  }
  return server;
}

/** Whoever was not let in is nobody, and nobody is not served. */
function known(caller: Caller | undefined): Caller {
  if (caller === undefined) throw fault.unauthenticated('The caller is not known');
  return caller;
}

/** The payload as it is, and for readers of text as text; an image also as an image. */
function toResult(payload: ReturnType<Desk['run']>): CallToolResult {
  const { qr_url: image, ...text } = payload;
  const content: CallToolResult['content'] = [{ type: 'text', text: JSON.stringify(text) }];
  if (typeof image === 'string')
    content.push({ type: 'image', mimeType: 'image/png', data: image.slice(image.indexOf(',') + 1) });
  return { content, structuredContent: payload };
}
