/** The server that the official conformance suite is run against, guarded or not, in both eras. */
import { randomUUID } from 'node:crypto';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { guardHandler } from '../../src/http.ts';
import { guard } from '../../src/index.ts';
import { listen } from '../wire.ts';
import { registerContent, registerNotifying, registerReadable } from './features.ts';
import { keepsEvents, registerPolled } from './polled.ts';
import { registerAsking, registerOneRound, registerRounds, states } from './rounds.ts';

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
};

/** Serves both eras on loopback: sessions for 2025, no state for 2026. */
export async function serveEverything(guarded: boolean): Promise<{ url: string; close(): Promise<void> }> {
  const create = (): McpServer => {
    const plain = new McpServer(
      { name: 'everything', version: '1.0.0' },
      { capabilities: CAPABILITIES, requestState: { verify: states.verify } },
    );
    const server = guarded ? guard(plain) : plain;
    for (const register of [
      registerContent,
      registerNotifying,
      registerPolled,
      registerReadable,
      registerAsking,
      registerOneRound,
      registerRounds,
    ])
      register(server);
    const triggers = {
      tool: () => modern.notify.toolsChanged(),
      prompt: () => modern.notify.promptsChanged(),
    };
    for (const [name, notify] of Object.entries(triggers)) {
      server.registerTool(`test_trigger_${name}_change`, { description: 'Notifies' }, async () => {
        notify();
        return { content: [{ type: 'text', text: 'notified' }] };
      });
    }
    server.server.setRequestHandler('resources/subscribe', async () => ({}));
    server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
    server.server.setRequestHandler('completion/complete', async () => ({
      completion: { values: [], total: 0, hasMore: false },
    }));
    return server;
  };
  const modern = createMcpHandler(create);
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const legacy = async (request: Request): Promise<Response> => {
    const id = request.headers.get('mcp-session-id');
    const known = id === null ? undefined : sessions.get(id);
    if (known !== undefined) return known.handleRequest(request);
    if (id !== null)
      return Response.json(
        { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } },
        { status: 404 },
      );
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: keepsEvents(),
      retryInterval: 500,
      onsessioninitialized: (session) => void sessions.set(session, transport),
      onsessionclosed: (session) => void sessions.delete(session),
    });
    await create().connect(transport);
    return transport.handleRequest(request);
  };
  const endpoint = {
    async fetch(request: Request): Promise<Response> {
      const refused = hostHeaderValidationResponse(request, localhostAllowedHostnames());
      if (refused !== undefined) return refused;
      return (await isLegacyRequest(request)) ? legacy(request) : modern.fetch(request);
    },
  };
  return listen(guarded ? guardHandler(endpoint) : endpoint);
}
