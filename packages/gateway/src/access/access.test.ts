/** Who may use what, through the whole gateway. */

import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { ANN, GUEST, gatewayWith, isDone, KEYS, listed, server } from '../../test/ruled-house.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  later,
  type Posted,
  post,
  settingsOf,
  until,
} from '../../test/tools.ts';
import { startStdioGateway } from '../index.ts';

afterEach(cleanUp);

it('lets the first rule that fits decide, and sends nothing of what is refused', async () => {
  const { url, bank } = await gatewayWith({
    rules: [
      { deny: ['bank/*'], callers: ['guest-*'] },
      { deny: ['*/look'], tenants: ['ac*'] },
      { allow: ['bank/pay'], scopes: ['bank:pay'] },
    ],
  });
  const at = `${url}/bank/mcp`;
  expect(faultIn(await post(at, callTool('pay'), GUEST))).toMatchObject({
    kind: 'forbidden',
    executed: 'no',
    origin: 'gateway',
    retryable: false,
    message: 'You may not use the tool pay',
    subject: { type: 'tool', id: 'pay' },
  });
  expect(faultIn(await post(at, callTool('look'), ANN))).toMatchObject({ kind: 'forbidden' });
  expect(faultIn(await post(at, call('prompts/get', { name: 'plan' }), GUEST))).toMatchObject({
    kind: 'forbidden',
    message: 'You may not use the prompt plan',
  });
  expect(faultIn(await post(at, call('resources/read', { uri: 'bank://a' }), GUEST))).toMatchObject({
    kind: 'forbidden',
    subject: { type: 'resource', id: 'bank://a' },
  });
  expect(bank.calls).toEqual([]);
  expect(isDone(await post(at, callTool('pay'), ANN))).toBe(true);
  expect(isDone(await post(`${url}/shop/mcp`, callTool('look'), GUEST))).toBe(true);
  expect(bank.calls).toHaveLength(1);
});

it.each(['/bank/mcp', '/mcp'])(
  'takes no call without an id, which would pass by all rules, at %s',
  async (path) => {
    const { url, bank } = await gatewayWith({ rules: [{ deny: ['bank/*'] }] });
    for (const [method, params] of [
      ['tools/call', { name: 'pay' }],
      ['prompts/get', { name: 'plan' }],
      ['resources/read', { uri: 'bank://a' }],
    ] as const)
      expect((await post(`${url}${path}`, { jsonrpc: '2.0', method, params }, ANN)).status).toBe(400);
    expect(bank.calls).toEqual([]);
  },
);

it('names the scopes that are missing', async () => {
  const { url, bank } = await gatewayWith({
    rules: [{ allow: ['bank/*'], scopes: ['bank:pay', 'bank:all', 'x'] }],
  });
  const posted = await post(`${url}/bank/mcp`, callTool('pay'), ANN);
  expect(faultIn(posted)).toMatchObject({
    kind: 'forbidden',
    executed: 'no',
    message: 'The tool pay needs scopes that you do not have: bank:all, x',
    details: { required_scopes: ['bank:all', 'x'] },
  });
  expect(bank.calls).toEqual([]);
});

it('refuses what no rule fits, where that is the default', async () => {
  const { url } = await gatewayWith({ default: 'deny', rules: [{ allow: ['bank/look', 'shop/shop://*'] }] });
  expect(isDone(await post(`${url}/bank/mcp`, callTool('look'), GUEST))).toBe(true);
  expect(faultIn(await post(`${url}/bank/mcp`, callTool('pay'), GUEST))).toMatchObject({ kind: 'forbidden' });
  expect(await listed(`${url}/bank/mcp`, GUEST)).toEqual({
    tools: ['look'],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  });
  expect(await listed(`${url}/shop/mcp`, GUEST)).toMatchObject({
    tools: [],
    resources: ['shop://a', 'shop://b'],
    resourceTemplates: ['shop://{x}'],
  });
});

it('holds for whoever starts the gateway as a plain command', async () => {
  const { url: at, calls } = await server('bank');
  const [input, output] = [new PassThrough(), new PassThrough()];
  const access = { rules: [{ deny: ['bank/pay'] }] };
  const settings = settingsOf({ access, upstreams: { bank: { url: at } } });
  const gateway = await startStdioGateway(settings, { input, output });
  later(() => gateway.close(500));
  let said = '';
  output.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const lines = async (count: number): Promise<Posted['message'][]> => {
    const all = (): string[] => said.split('\n').filter((line) => line !== '');
    await until(() => all().length >= count);
    return all().map((line) => JSON.parse(line));
  };
  input.write(`${JSON.stringify(INITIALIZE)}\n`);
  await lines(1);
  input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  input.write(`${JSON.stringify(call('tools/list', {}, 2))}\n`);
  expect((await lines(2)).at(-1)?.result?.['tools']).toMatchObject([{ name: 'bank_look' }]);
  input.write(`${JSON.stringify(callTool('bank_pay', {}, 3))}\n`);
  const last = (await lines(3)).at(-1);
  expect(last?.result?._meta?.['dev.mayday/fault']).toMatchObject({ kind: 'forbidden', executed: 'no' });
  expect(calls).toEqual([]);
});

it('asks nothing about what is refused', async () => {
  const { url, bank } = await gatewayWith({ rules: [{ deny: ['*/plan', '*/bank://a'] }] });
  const at = `${url}/bank/mcp`;
  const complete = (ref: object): object =>
    call('completion/complete', { ref, argument: { name: 'x', value: '' } });
  for (const asked of [
    complete({ type: 'ref/prompt', name: 'plan' }),
    complete({ type: 'ref/resource', uri: 'bank://a' }),
    call('resources/subscribe', { uri: 'bank://a' }),
  ])
    expect(faultIn(await post(at, asked, ANN))).toMatchObject({ kind: 'forbidden', executed: 'no' });
  for (const [path, name] of [
    ['/bank/mcp', 'plan'],
    ['/mcp', 'bank_plan'],
  ])
    for (const type of ['ref/prompt', 'ref/resource'])
      expect(
        faultIn(await post(`${url}${path}`, complete({ type, name, uri: 'bank://b' }), ANN)),
      ).toMatchObject({ kind: 'invalid_arguments', executed: 'no' });
  for (const resourceSubscriptions of ['bank://a', { 0: 'bank://a' }, [{ uri: 'bank://a' }], null])
    for (const path of ['/bank/mcp', '/mcp']) {
      const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
      const listen = call('subscriptions/listen', {
        notifications: { toolsListChanged: true, resourceSubscriptions },
        _meta,
      });
      const headers = {
        ...ANN,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      };
      expect(faultIn(await post(`${url}${path}`, listen, headers))).toMatchObject({
        kind: 'invalid_arguments',
        executed: 'no',
      });
    }
  const twice =
    '{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"plan"},"ref":{"type":"ref/prompt","name":"plot"},"argument":{"name":"x","value":""}}}';
  expect(faultIn(await post(at, twice, ANN))).toMatchObject({ kind: 'invalid_request' });
  expect(
    faultIn(await post(`${url}/mcp`, complete({ type: 'ref/prompt', name: 'bank_plan' }), ANN)),
  ).toMatchObject({
    kind: 'forbidden',
    subject: { id: 'bank_plan' },
  });
  expect(bank.calls).toEqual([]);
  expect(isDone(await post(at, complete({ type: 'ref/prompt', name: 'plot' }), ANN))).toBe(true);
});

it('refuses at /mcp by the names of the upstream, and in the names of the caller', async () => {
  const { url, bank } = await gatewayWith({
    rules: [{ deny: ['bank/pay', 'bank/bank://*'] }, { deny: ['*/shop_look'] }],
  });
  expect(faultIn(await post(`${url}/mcp`, callTool('bank_pay'), ANN))).toMatchObject({
    kind: 'forbidden',
    message: 'You may not use the tool bank_pay',
    subject: { type: 'tool', id: 'bank_pay' },
  });
  expect(isDone(await post(`${url}/mcp`, callTool('shop_look'), ANN))).toBe(true);
  expect(faultIn(await post(`${url}/mcp`, call('resources/read', { uri: 'bank://a' }), ANN))).toMatchObject({
    kind: 'forbidden',
    message: 'You may not use the resource bank://a',
  });
  expect(bank.calls).toEqual([]);
  expect(isDone(await post(`${url}/mcp`, call('resources/read', { uri: 'shop://a' }), ANN))).toBe(true);
});

it('asks the others where the one that a template names may not be asked', async () => {
  const { url, bank, shop } = await gatewayWith({ rules: [{ deny: ['bank/*'], callers: ['guest-*'] }] });
  await listed(`${url}/mcp`, ANN);
  const posted = await post(`${url}/mcp`, call('resources/read', { uri: 'bank://new' }), GUEST);
  expect(faultIn(posted)).toMatchObject({ kind: 'forbidden' });
  expect([bank.calls.length, shop.calls.map(({ params }) => params?.uri)]).toEqual([0, ['bank://new']]);
});

it('suggests no name to somebody who may not use it', async () => {
  const { url } = await gatewayWith({ rules: [{ deny: ['bank/pay'], callers: ['guest-*'] }] });
  await listed(`${url}/mcp`, ANN);
  const told = async (name: string, who: typeof ANN): Promise<string> =>
    (await post(`${url}/mcp`, callTool(name), who)).text;
  expect(await told('bank_payy', ANN)).toContain('Did you mean bank_pay?');
  expect(await told('bank_payy', GUEST)).not.toContain('bank_pay?');
  expect(await told('bankPay', ANN)).toContain('Did you mean bank_pay?');
  expect(await told('bankPay', GUEST)).not.toContain('bank_pay?');
});

it('takes new rules at once, and lists by them', async () => {
  const { url, gateway, bank, shop } = await gatewayWith(undefined);
  const at = `${url}/bank/mcp`;
  expect(isDone(await post(at, callTool('pay'), ANN))).toBe(true);
  const upstreams = { bank: { url: bank.url }, shop: { url: shop.url } };
  gateway.reload(settingsOf({ keys: KEYS, access: { rules: [{ deny: ['bank/pay'] }] }, upstreams }));
  expect(faultIn(await post(at, callTool('pay'), ANN))).toMatchObject({ kind: 'forbidden' });
  expect(await listed(at, ANN)).toMatchObject({ tools: ['look'] });
  expect(gateway.logs.at(-1)).not.toContain('nothing to apply');
  gateway.reload(settingsOf({ keys: KEYS, upstreams }));
  expect(isDone(await post(at, callTool('pay'), ANN))).toBe(true);
});

it('without keys knows everybody as one, without name, tenant and scopes', async () => {
  const { url } = await gatewayWith(
    {
      rules: [
        { deny: ['bank/look'], callers: ['*'] },
        { deny: ['bank/look'], tenants: ['*'] },
        { allow: ['bank/pay'], scopes: ['bank:pay'] },
      ],
    },
    { keys: [] },
  );
  expect(isDone(await post(`${url}/bank/mcp`, callTool('look')))).toBe(true);
  expect(faultIn(await post(`${url}/bank/mcp`, callTool('pay')))).toMatchObject({
    details: { required_scopes: ['bank:pay'] },
  });
});
