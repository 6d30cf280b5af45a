/** What is refused does not come through in a form that only some servers read. */
import { afterEach, expect, it } from 'vitest';
import { cleanUp, faultIn, json, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

async function bank() {
  const seen: string[] = [];
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}');
    if (/secret/.test(body)) seen.push(body);
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize')
      json(response, 200, {
        jsonrpc: '2.0',
        id,
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { prompts: {}, completions: {}, resources: { subscribe: true } },
          serverInfo: { name: 'bank', version: '1' },
        },
      });
    else json(response, 200, { jsonrpc: '2.0', id, result: {} });
  });
  const gateway = await open({
    access: { rules: [{ deny: ['bank/secret', 'bank/file:///secret.txt'] }] },
    upstreams: { bank: { url } },
  });
  return { at: (path: string) => `${gateway.url}${path}`, seen };
}

const OLD = {};
const NEW = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
const META =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"}}';

const KEY = '"dev.mayday/idempotency-key"';

it.each([
  [OLD, 'tools/call', `{"name":"pay","_meta":{${KEY}:"secret 1",${KEY}:"secret 2"}}`],
  [
    OLD,
    'tools/call',
    '{"name":"pay","arguments":{"to":"secret"},"_meta":{"progressToken":1,"progressToken":2}}',
  ],
  [
    OLD,
    'completion/complete',
    '{"ref":{"type":"ref/prompt","name":"hello","Name":"secret"},"argument":{"name":"x","value":""}}',
  ],
  [
    OLD,
    'completion/complete',
    '{"ref":{"type":"ref/prompt","name":"hello"},"Ref":{"type":"ref/prompt","name":"secret"},"argument":{"name":"x","value":""}}',
  ],
  [
    OLD,
    'completion/complete',
    '{"ref":{"type":"ref/resource","name":"hello","URI":"file:///secret.txt"},"argument":{"name":"x","value":""}}',
  ],
  [NEW, 'subscriptions/listen', `{${META},"notifications":{"resourcesubscriptions":["file:///secret.txt"]}}`],
  [
    NEW,
    'subscriptions/listen',
    `{${META},"notifications":{},"Notifications":{"resourceSubscriptions":["file:///secret.txt"]}}`,
  ],
])('with %j %s of %s', async (headers, method, params) => {
  const { at, seen } = await bank();
  for (const path of ['/bank/mcp', '/mcp']) {
    const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
    const posted = await post(at(path), body, headers);
    expect([faultIn(posted)?.['kind'], faultIn(posted)?.['executed']]).toEqual(['invalid_request', 'no']);
  }
  expect(seen).toEqual([]);
});

it.each([
  ['resources/subscribe', '{"uri":"file:///secret.txt"}'],
  ['resources/unsubscribe', '{"uri":"file:///secret.txt"}'],
  ['completion/complete', '{"ref":{"type":"ref/prompt","name":"secret"},"argument":{"name":"x","value":""}}'],
  ['subscriptions/listen', '{"notifications":{"resourceSubscriptions":["file:///secret.txt"]}}'],
  ['tasks/cancel', '{"taskId":"secret"}'],
  ['logging/setLevel', '{"level":"secret"}'],
  ['tools/call', '{"name":"secret"}'],
])('%s is a request, and none without an id', async (method, params) => {
  const { at, seen } = await bank();
  for (const path of ['/bank/mcp', '/mcp'])
    expect(
      faultIn(await post(at(path), `{"jsonrpc":"2.0","method":"${method}","params":${params}}`)),
    ).toMatchObject({
      kind: 'invalid_request',
      executed: 'no',
      message: `${method} is sent as a request; give it an id`,
    });
  expect(seen).toEqual([]);
});

it('lets notifications of other names pass', async () => {
  const { at, seen } = await bank();
  const body = '{"jsonrpc":"2.0","method":"acme/secret"}';
  expect((await post(at('/bank/mcp'), body)).status).toBe(202);
  expect(seen).toEqual([body]);
});
