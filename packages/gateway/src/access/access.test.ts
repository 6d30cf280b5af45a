/** Who may use what, through the whole gateway. */
import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  later,
  open,
  type Posted,
  post,
  settingsOf,
  takeEvents,
  until,
  upstream,
} from '../../test/tools.ts';
import { type SettingsFile, startStdioGateway } from '../index.ts';

afterEach(cleanUp);

interface Asked {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly uri?: string; readonly arguments?: unknown };
}

/** A server with two tools, two prompts and two resources, under this name. */
async function server(name: string) {
  const calls: Asked[] = [];
  const { url } = await upstream((body, response) => {
    const asked = JSON.parse(body) as Asked;
    const { id, method, params = {} } = asked;
    const answer = (result: unknown): void => json(response, 200, { jsonrpc: '2.0', id, result });
    const none = (message: string): void =>
      json(response, 200, { jsonrpc: '2.0', id, error: { code: -32602, message } });
    const schema = { type: 'object' };
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize')
      answer({
        protocolVersion: '2025-11-25',
        capabilities: { tools: {}, prompts: {}, resources: {} },
        serverInfo: { name, version: '1' },
      });
    else if (method === 'tools/list')
      answer({
        tools: [
          { name: 'pay', inputSchema: { ...schema, maximum: 5 } },
          { name: 'look', inputSchema: schema },
        ],
      });
    else if (method === 'prompts/list') answer({ prompts: [{ name: 'plan' }, { name: 'plot' }] });
    else if (method === 'resources/list')
      answer({
        resources: [
          { name: 'a', uri: `${name}://a` },
          { name: 'b', uri: `${name}://b` },
        ],
      });
    else if (method === 'resources/templates/list')
      answer({ resourceTemplates: [{ name: 't', uriTemplate: `${name}://{x}` }] });
    else {
      calls.push(asked);
      const isTool = params.name === 'pay' || params.name === 'look';
      const isPrompt = params.name === 'plan' || params.name === 'plot';
      const isResource = params.uri?.startsWith(`${name}://`) === true;
      if (method === 'tools/call' && isTool) answer({ content: [{ type: 'text', text: 'done' }] });
      else if (method === 'prompts/get' && isPrompt) answer({ messages: [] });
      else if (method === 'resources/read' && isResource) answer({ contents: [] });
      else if (method === 'completion/complete') answer({ completion: { values: [] } });
      else if (method === 'resources/subscribe') answer({});
      else if (method === 'resources/read')
        json(response, 200, { jsonrpc: '2.0', id, error: { code: -32002, message: 'Resource not found' } });
      else
        none(method === 'tools/call' ? `Tool ${params.name} not found` : `Prompt ${params.name} not found`);
    }
  });
  return { url, calls };
}

const KEYS = [
  { name: 'ann', key: 'ann-secret', tenant: 'acme', scopes: ['bank:pay'] },
  { name: 'guest-web', key: 'guest-secret' },
];
const ANN = { authorization: 'Bearer ann-secret' };
const GUEST = { authorization: 'Bearer guest-secret' };

async function gatewayWith(access: SettingsFile['access'], more: Partial<SettingsFile> = {}) {
  const [bank, shop] = [await server('bank'), await server('shop')];
  const gateway = await open({
    keys: KEYS,
    access,
    upstreams: { bank: { url: bank.url }, shop: { url: shop.url } },
    ...more,
  });
  return { url: gateway.url, gateway, bank, shop };
}

async function listed(url: string, headers: { readonly [name: string]: string }): Promise<unknown> {
  const found: { [key: string]: unknown } = {};
  for (const [method, key, naming] of [
    ['tools/list', 'tools', 'name'],
    ['prompts/list', 'prompts', 'name'],
    ['resources/list', 'resources', 'uri'],
    ['resources/templates/list', 'resourceTemplates', 'uriTemplate'],
  ] as const) {
    const { message } = await post(url, call(method), headers);
    const items = (message.result?.[key] ?? []) as { readonly [name: string]: unknown }[];
    found[key] = items.map((item) => item[naming]);
  }
  return found;
}

const isDone = ({ message }: Posted): boolean =>
  message.result !== undefined && message.result['isError'] !== true;

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
  const { url: at } = await upstream((_body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'a' }], cacheScope: 'public' } }),
  );
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

const withoutIds = ({ status, text }: Posted): unknown => [
  status,
  text.replace(/"(?:correlation_id|correlationId)":"[^"]+"/g, ''),
];

it.each(['/bank/mcp', '/mcp'])('tells an opaque refusal alike at %s, whatever the reason', async (path) => {
  const { url, gateway } = await gatewayWith({
    refusals: 'opaque',
    rules: [{ deny: ['*/look', '*/plan'] }, { allow: ['*/pay'], scopes: ['none'] }],
  });
  const prefix = path === '/mcp' ? 'bank_' : '';
  const ask = (name: string): Promise<Posted> => post(`${url}${path}`, callTool(`${prefix}${name}`), ANN);
  const [deniedOne, lacking, unknown] = [await ask('look'), await ask('pay'), await ask('nope')];
  expect(faultIn(deniedOne)).toMatchObject({
    kind: 'forbidden',
    executed: 'no',
    message: 'This tool is not available for your key.',
  });
  expect(withoutIds(lacking)).toEqual(withoutIds(deniedOne));
  expect(withoutIds(unknown)).toEqual(withoutIds(deniedOne));
  const log = gateway.logs.filter((line) => line.includes('method=tools/call'));
  expect(log.map((line) => /reason=("[^"]+"|\S+)/.exec(line)?.[1])).toEqual([
    'denied',
    '"missing scopes"',
    'unknown',
  ]);
  const nowhere = await post(`${url}/mcp`, callTool('nobody_x'), ANN);
  expect(faultIn(nowhere)).toMatchObject({ message: 'This tool is not available for your key.' });
  const prompt = async (name: string) =>
    withoutIds(await post(`${url}${path}`, call('prompts/get', { name: `${prefix}${name}` }), ANN));
  expect(await prompt('plan')).toEqual(await prompt('nope'));
});

it('does not take a tool that was listed for one that there is none of, whatever it says', async () => {
  const { url: at } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body) as Asked;
    const said = { isError: true, content: [{ type: 'text', text: 'Unknown tool: odd' }] };
    const result = method === 'tools/list' ? { tools: [{ name: 'odd' }] } : said;
    json(response, 200, { jsonrpc: '2.0', id, result });
  });
  const gateway = await open({ access: { refusals: 'opaque' }, upstreams: { one: { url: at } } });
  const url = `${gateway.url}/one/mcp`;
  expect(faultIn(await post(url, callTool('odd')))).toMatchObject({ kind: 'forbidden' });
  await post(url, call('tools/list'));
  expect(faultIn(await post(url, callTool('odd')))).toMatchObject({ kind: 'not_found', executed: 'maybe' });
});

it.each(['/bank/mcp', '/mcp'])('tells everything alike in a closed dialect at %s', async (path) => {
  const { url } = await gatewayWith(
    { rules: [{ deny: ['*/look'] }, { allow: ['*/pay'], scopes: ['none'] }] },
    { dialect: 'qaqnuz' },
  );
  const prefix = path === '/mcp' ? 'bank_' : '';
  for (const name of ['look', 'pay', 'nope'])
    expect((await post(`${url}${path}`, callTool(`${prefix}${name}`), ANN)).message.result).toEqual({
      content: [{ type: 'text', text: 'This tool is not available for your key.' }],
      isError: true,
    });
});

it('says explicitly that a tool is unknown, and that one is denied', async () => {
  const { url } = await gatewayWith({ rules: [{ deny: ['*/look'] }] });
  const kind = async (name: string): Promise<unknown> =>
    faultIn(await post(`${url}/bank/mcp`, callTool(name), ANN))?.['kind'];
  expect([await kind('look'), await kind('nope')]).toEqual(['forbidden', 'not_found']);
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
