/** A real server of 2024-11-05 on loopback, that does to each tool call what a script says. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tool call: its POST, and the stream on which it would be answered. */
export interface Called {
  readonly post: ServerResponse;
  readonly stream: ServerResponse;
  /** An event with this message, under the id of the call. */
  say(message: object): void;
}

export interface ScriptedSse extends AsyncDisposable {
  readonly url: URL;
  /** How often a tool was called. */
  calls(): number;
  /** How many streams were opened. */
  opened(): number;
  /** Ends those that stand; the conversations go on. */
  endStreams(): void;
}

/** The script is for the first call; every other one works. `retryMs`: how soon a client asks for its stream again. */
export async function scriptedSse(
  script: (called: Called) => void,
  retryMs?: number | undefined,
): Promise<ScriptedSse> {
  const streams = new Map<string, ServerResponse>();
  let calls = 0;
  let opened = 0;
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      const session = `s${opened++}`;
      streams.set(session, response);
      response.on('close', () => streams.delete(session));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`;
      response.write(`${retry}event: endpoint\ndata: /messages?sessionId=${session}\n\n`);
      return;
    }
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const stream = streams.get(url.searchParams.get('sessionId') ?? '');
    if (stream === undefined) return void response.writeHead(404).end('Session not found');
    const { id, method } = JSON.parse(text) as { id?: number; method: string };
    const say = (message: object): void => {
      stream.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n\n`);
    };
    if (method === 'tools/call') {
      calls += 1;
      if (calls === 1) return script({ post: response, stream, say });
    }
    response.writeHead(202).end();
    if (id !== undefined) say({ result: RESULTS[method] ?? { content: [] } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`),
    calls: () => calls,
    opened: () => opened,
    endStreams() {
      for (const stream of streams.values()) stream.end();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const RESULTS: { readonly [method: string]: object } = {
  initialize: {
    protocolVersion: '2024-11-05',
    capabilities: { tools: {} },
    serverInfo: { name: 'old', version: '1.0.0' },
  },
  'tools/list': { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] },
};
