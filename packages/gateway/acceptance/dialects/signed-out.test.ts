/** A server that wants a credential which the caller has not sent: what a stranger learns of it through the gateway. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { post } from '../support/http.ts';
import { ask, call } from '../support/messages.ts';

/** The words of Platica's page. */
const WORDS = 'Unauthorized: missing or invalid Authorization header';

const server = createServer((request, response) => {
  request.resume();
  const error = { code: -32001, message: WORDS };
  response.writeHead(401, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
});
let gateway: Gateway;
let port: number;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  gateway = await startGateway({ upstreams: { s: { url: `http://127.0.0.1:${port}/mcp` } } });
});
afterAll(async () => {
  await gateway.stop('SIGKILL');
  server.closeAllConnections();
  server.close();
});

const QUESTIONS = [
  ['tools/call', call('list_clients', {})],
  ['tools/list', ask('tools/list')],
  ['resources/read', ask('resources/read', { uri: 'a://b' })],
] as const;

describe.each(QUESTIONS)('%s without a credential', (_method, question) => {
  it.each(['mayday', 'platica', 'closient', 'onx', 'erlmcp', 'qaqnuz'])(
    'says nothing of where the server is, in %s',
    async (dialect) => {
      const { body, headers } = await post(`${gateway.url}/s/mcp`, question, { dialect });
      expect(`${body} ${JSON.stringify(headers)}`).not.toContain(String(port));
    },
  );

  it('PL-16 is -32001 in the words of the page, and nothing else', async () => {
    const { message } = await post(`${gateway.url}/s/mcp`, question, { dialect: 'platica' });
    expect(message['error']).toEqual({ code: -32001, message: WORDS });
  });
});
