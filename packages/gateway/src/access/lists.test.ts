/** What callers are listed, by the rules that hold for them. */
import { afterEach, expect, it } from 'vitest';
import { ANN, type Asked, GUEST, gatewayWith, KEYS, listed } from '../../test/ruled-house.ts';
import {
  call,
  cleanUp,
  INITIALIZE,
  idIn,
  json,
  open,
  post,
  settingsOf,
  takeEvents,
  upstream,
} from '../../test/tools.ts';

afterEach(cleanUp);

it('lists at every endpoint what a caller may use, and no more', async () => {
  const { url } = await gatewayWith({
    rules: [
      { deny: ['bank/pay', 'bank/plot', 'bank/bank://b'], callers: ['guest-*'] },
      { allow: ['shop/*'], scopes: ['bank:pay'] },
    ],
  });
  expect(await listed(`${url}/bank/mcp`, GUEST)).toEqual({
    tools: ['look'],
    prompts: ['plan'],
    resources: ['bank://a'],
    resourceTemplates: ['bank://{x}'],
  });
  expect(await listed(`${url}/mcp`, GUEST)).toEqual({
    tools: ['bank_look'],
    prompts: ['bank_plan'],
    resources: ['bank://a'],
    resourceTemplates: ['bank://{x}'],
  });
  expect(await listed(`${url}/mcp`, ANN)).toEqual({
    tools: ['bank_pay', 'bank_look', 'shop_pay', 'shop_look'],
    prompts: ['bank_plan', 'bank_plot', 'shop_plan', 'shop_plot'],
    resources: ['bank://a', 'bank://b', 'shop://a', 'shop://b'],
    resourceTemplates: ['bank://{x}', 'shop://{x}'],
  });
});

it('leaves what stays on a list as the bytes that came, and the whole list where nothing is left out', async () => {
  const odd =
    '{ "jsonrpc":"2.0","id":1,"result":{"x":1.0, "tools":[ {"name":"a","n":12345678901234567890} , {"name":"b"},\n{"name":"c", "s":"\\u0041"} ],"cacheScope":"private"}}';
  const { url: at } = await upstream((body, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(odd.replace('"id":1,', `"id":${JSON.parse(body).id},`));
  });
  const access = { rules: [{ deny: ['one/b'], callers: ['guest-*'] }] };
  const gateway = await open({ keys: KEYS, access, upstreams: { one: { url: at } } });
  expect((await post(`${gateway.url}/one/mcp`, call('tools/list'), ANN)).text).toBe(odd);
  expect((await post(`${gateway.url}/one/mcp`, call('tools/list'), GUEST)).text).toBe(
    '{ "jsonrpc":"2.0","id":1,"result":{"x":1.0, "tools":[{"name":"a","n":12345678901234567890},{"name":"c", "s":"\\u0041"}],"cacheScope":"private"}}',
  );
});

it('lets nobody keep for others what one caller was listed', async () => {
  const { url: at } = await upstream((body, response) => {
    const result = { tools: [{ name: 'a' }], cacheScope: 'public' };
    json(response, 200, { jsonrpc: '2.0', id: idIn(body), result });
  });
  const access = { rules: [{ deny: ['one/b'] }] };
  const gateway = await open({ access, upstreams: { one: { url: at } } });
  expect((await post(`${gateway.url}/one/mcp`, call('tools/list'))).message.result).toEqual({
    tools: [{ name: 'a' }],
    cacheScope: 'private',
  });
});

it('lists within a stream, too', async () => {
  const { url: at } = await upstream((body, response) => {
    const { id } = JSON.parse(body) as Asked;
    const result = { tools: [{ name: 'a' }, { name: 'b' }] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`id: 7\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  });
  const gateway = await open({ access: { rules: [{ deny: ['*/a'] }] }, upstreams: { one: { url: at } } });
  const { message } = await post(`${gateway.url}/one/mcp`, call('tools/list'));
  expect(message.result?.['tools']).toEqual([{ name: 'b' }]);
});

it('lists within a stream that is taken up again, too', async () => {
  const { url: at } = await upstream((_body, response) => {
    const result = { tools: [{ name: 'a' }, { name: 'b' }] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`id: 7\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`);
  });
  const gateway = await open({ access: { rules: [{ deny: ['*/a'] }] }, upstreams: { one: { url: at } } });
  const headers = { accept: 'text/event-stream', 'mcp-session-id': 's', 'last-event-id': '6' };
  const response = await fetch(`${gateway.url}/one/mcp`, { headers });
  expect((await takeEvents(response, 1)).join()).toContain('"tools":[{"name":"b"}]');
});

it('tells sessions at /mcp when new rules change their lists', async () => {
  const { url, gateway, bank, shop } = await gatewayWith(undefined);
  const { headers } = await post(`${url}/mcp`, INITIALIZE, ANN);
  const session = { ...ANN, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(`${url}/mcp`, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const stream = await fetch(`${url}/mcp`, { headers: { ...session, accept: 'text/event-stream' } });
  const upstreams = { bank: { url: bank.url }, shop: { url: shop.url } };
  gateway.reload(settingsOf({ keys: KEYS, access: { rules: [{ deny: ['bank/pay'] }] }, upstreams }));
  expect((await takeEvents(stream, 1)).join()).toContain('notifications/tools/list_changed');
  expect(await listed(`${url}/mcp`, session)).toMatchObject({
    tools: ['bank_look', 'shop_pay', 'shop_look'],
  });
});

it('tells sessions at /mcp when the scopes of a key change their lists', async () => {
  const access = { rules: [{ allow: ['bank/pay'], scopes: ['bank:pay'] }] };
  const { url, gateway, bank, shop } = await gatewayWith(access);
  const { headers } = await post(`${url}/mcp`, INITIALIZE, ANN);
  const session = { ...ANN, 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(`${url}/mcp`, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const stream = await fetch(`${url}/mcp`, { headers: { ...session, accept: 'text/event-stream' } });
  const upstreams = { bank: { url: bank.url }, shop: { url: shop.url } };
  gateway.reload(settingsOf({ keys: [{ name: 'ann', key: 'ann-secret' }], access, upstreams }));
  expect((await takeEvents(stream, 1)).join()).toContain('notifications/tools/list_changed');
});
