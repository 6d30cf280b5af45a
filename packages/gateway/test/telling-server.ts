/** A server over HTTP that keeps sessions and says which credential it was sent; what it saw is kept for the test. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json, upstream } from './tools.ts';

/** A request as it arrived. */
interface Seen {
  readonly what: string;
  readonly credential: string | undefined;
  readonly session: string | undefined;
}

/** A server that runs. */
export interface TellingServer {
  readonly url: string;
  readonly seen: Seen[];
}

const OPENED = { protocolVersion: '2025-11-25', serverInfo: { name: 't', version: '1' } };
const TOOLS = ['tell', 'fail', 'deny', 'gossip'].map((name) => ({ name, inputSchema: { type: 'object' } }));

/** Starts one. */
export async function startTelling(header = 'authorization'): Promise<TellingServer> {
  const seen: Seen[] = [];
  let sessions = 0;
  const { url } = await upstream((body, response, request) => {
    const credential = one(request, header);
    const session = one(request, 'mcp-session-id');
    const { id, method, params } = JSON.parse(body || '{}');
    seen.push({ what: method ?? request.method, credential, session });
    const gossip = seen.map((one) => one.credential).join(' ');
    if (request.method === 'DELETE' || method === 'notifications/denied')
      json(response, 401, {}, { 'www-authenticate': `Bearer error="${credential}"` });
    else if (request.method === 'GET') standing(response, credential);
    else if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize') {
      const result = { ...OPENED, capabilities: { tools: { listChanged: true } } };
      json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': `s${++sessions}` });
    } else if (params?.name === 'deny')
      json(response, 401, { error: `bad ${credential}` }, { 'www-authenticate': `Bearer x="${credential}"` });
    else {
      const isGossip = params?.name === 'gossip';
      const content = [{ type: 'text', text: `got ${isGossip ? gossip : credential}` }];
      const called = { resultType: 'complete', content, isError: isGossip || params?.name === 'fail' };
      json(response, 200, {
        jsonrpc: '2.0',
        id,
        result: method === 'tools/list' ? { tools: TOOLS } : called,
      });
    }
  });
  return { url, seen };
}

function one({ headers }: IncomingMessage, name: string): string | undefined {
  const said = headers[name];
  return Array.isArray(said) ? said.join() : said;
}

/** Says at once what it was sent, and nothing more. */
function standing(response: ServerResponse, credential: string | undefined): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const params = { level: 'info', data: `opened with ${credential}` };
  response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params })}\n\n`);
}
