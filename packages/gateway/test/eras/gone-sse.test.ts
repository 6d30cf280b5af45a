/** A server of 2024-11-05 whose endpoint is gone, from its start or in the middle of a conversation. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, later, open, post } from '../tools.ts';

afterEach(cleanUp);

const OPENED = {
  protocolVersion: '2024-11-05',
  capabilities: { tools: {} },
  serverInfo: { name: 'old', version: '1' },
};

/** Answers a call, then what is posted, or all that is asked, with a status. */
async function old() {
  let gone: { readonly status: number; readonly type: string; readonly body: string } | undefined;
  let stream: ServerResponse | undefined;
  const refuse = (response: ServerResponse): void => {
    response.writeHead(gone?.status ?? 500, { 'content-type': gone?.type ?? 'text/plain' }).end(gone?.body);
  };
  const server = createServer(async (request, response) => {
    if (gone !== undefined) return refuse(response);
    if (request.method === 'GET') {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.write('event: endpoint\ndata: /post?session=s1\n\n');
    }
    let body = '';
    for await (const chunk of request) body += String(chunk);
    response.writeHead(202).end();
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    const result =
      method === 'initialize' ? OPENED : { content: [{ type: 'text', text: 'fine' }], tools: [] };
    if (id !== undefined)
      stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;
  const gateway = await open({ upstreams: { old: { url, transport: 'sse', retry: { attempts: 1 } } } });
  return {
    call: async () => faultIn(await post(`${gateway.url}/mcp`, callTool('old_go'))),
    goes: (status: number, body: string, type = 'text/plain') => {
      gone = { status, body, type };
    },
  };
}

const PROBLEM =
  '{"type":"about:blank","title":"Not Found","status":404,"detail":"No route matches this path"}';

it.each([
  [404, 'Cannot POST /sse', 'text/plain', 'is not there (HTTP 404: Cannot POST /sse)'],
  [404, PROBLEM, 'application/problem+json', 'is not there (HTTP 404: No route matches this path)'],
  [410, 'Gone', 'text/plain', 'is gone (HTTP 410: Gone)'],
])('HTTP %i %j is told of the server', async (status, body, type, says) => {
  const whole = await old();
  whole.goes(status, body, type);
  const cold = await whole.call();
  const warm = await old();
  expect(await warm.call()).toBeUndefined();
  warm.goes(status, body, type);
  for (const fault of [cold, await warm.call()]) {
    expect(fault).toMatchObject({ kind: 'unavailable', retry: { when: 'backoff' } });
    expect(fault?.['message']).toContain(`The endpoint of the server ${says}`);
    expect(fault?.['advice']).toContain('check its `url`');
  }
});
