/** A repeat of which a gateway knows nothing, that has been started again: the tool's own word decides, and it is asked for. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import {
  call,
  cleanUp,
  faultIn,
  INITIALIZE,
  json,
  open,
  type Posted,
  post,
  upstream,
} from '../../test/tools.ts';

afterEach(cleanUp);

const KEY = 'dev.mayday/idempotency-key';
const TAKES_KEYS = { _meta: { [KEY]: true } };

interface House {
  /** What the tool says of itself, of whoever asks. */
  readonly tool?: (headers: { readonly [name: string]: unknown }) => object;
  readonly settings?: object;
  readonly more?: object;
  /** How a list is answered; as it should be, if absent. */
  readonly list?: (say: () => void, refuse: (status: number) => void) => void;
}

/** A gateway that knows nothing yet, before a server that kept the answers to calls with a key. */
async function house({ tool = () => TAKES_KEYS, settings = {}, more = {}, list }: House = {}) {
  const asked: string[] = [];
  const kept = new Map([['k', 'receipt']]);
  const { url } = await upstream((body, response, { headers }) => {
    const { id, method, params } = JSON.parse(body);
    const answer = (result: object): void => json(response, 200, { jsonrpc: '2.0', id, result });
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'initialize') {
      const serverInfo = { name: 's', version: '1' };
      return answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
    }
    asked.push(method);
    if (method !== 'tools/list')
      return answer({ content: [{ type: 'text', text: kept.get(params._meta[KEY]) ?? 'made anew' }] });
    const tools = [{ name: 'pay', inputSchema: { type: 'object' }, ...tool(headers) }];
    const say = (): void => answer({ tools });
    return list === undefined ? say() : list(say, (status) => json(response, status, { error: 'busy' }));
  });
  const gateway = await open({ ...more, upstreams: { a: { url, ...settings } } });
  return { url: gateway.url, asked };
}

function repeat(name: string, meta: object = {}, key = 'k'): object {
  const _meta = { [KEY]: key, 'dev.mayday/executed': 'maybe', ...meta };
  return call('tools/call', { name, arguments: {}, _meta });
}

const textOf = ({ message }: Posted): string =>
  ((message.result?.['content'] ?? []) as { text: string }[]).map(({ text }) => text).join(' ');

const MODERN = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
};
const modern = (name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': name,
});

it.each([
  ['/a/mcp', 'pay', false],
  ['/a/mcp', 'pay', true],
  ['/mcp', 'a_pay', false],
  ['/mcp', 'a_pay', true],
])('is made where its tool honours keys: %s as %s (2026-07-28: %s)', async (path, name, isModern) => {
  const { url, asked } = await house();
  const [meta, headers] = isModern ? [MODERN, modern(name)] : [{}, {}];
  expect(textOf(await post(url + path, repeat(name, meta), headers))).toBe('receipt');
  expect(asked).toEqual(['tools/list', 'tools/call']);
});

it('is made in a session, which is told of the tool as it asks', async () => {
  const { url, asked } = await house();
  const opened = await post(`${url}/mcp`, INITIALIZE);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  expect(textOf(await post(`${url}/mcp`, repeat('a_pay'), session))).toBe('receipt');
  expect(asked).toEqual(['tools/list', 'tools/call']);
});

it('is made where its tool does no harm a second time', async () => {
  const { url, asked } = await house({ tool: () => ({ annotations: { readOnlyHint: true } }) });
  expect(textOf(await post(`${url}/a/mcp`, repeat('pay')))).toBe('receipt');
  expect(asked).toEqual(['tools/list', 'tools/call']);
});

const UNKNOWN = 'Nothing is known here of the first call with this idempotency key; it was not made again';

it('is refused where its tool says nothing of keys, and asked about once', async () => {
  const { url, asked } = await house({ tool: () => ({}) });
  for (const key of ['k', 'k', 'l'])
    expect(faultIn(await post(`${url}/a/mcp`, repeat('pay', {}, key)))).toMatchObject({
      kind: 'disconnected',
      executed: 'maybe',
      message: UNKNOWN,
    });
  expect(asked).toEqual(['tools/list']);
});

it('asks nobody for a first call, and once for all who repeat one', async () => {
  let lists: (() => void)[] = [];
  const { url, asked } = await house({ list: (say) => lists.push(say) });
  const first = call('tools/call', { name: 'pay', arguments: {}, _meta: { [KEY]: 'new' } });
  expect(textOf(await post(`${url}/a/mcp`, first))).toBe('made anew');
  expect(asked).toEqual(['tools/call']);
  const repeats = ['k', 'k', 'l', 'm'].map((key) => post(`${url}/a/mcp`, repeat('pay', {}, key)));
  while (lists.length === 0) await sleep(5);
  await sleep(50);
  for (const say of lists) say();
  lists = [];
  const texts = (await Promise.all(repeats)).map(textOf);
  expect(texts).toEqual(['receipt', 'receipt', 'made anew', 'made anew']);
  expect(asked).toEqual(['tools/call', 'tools/list', 'tools/call', 'tools/call', 'tools/call']);
});

it('is refused where no list can be had, which is said, and made once there is one', async () => {
  let isUp = false;
  const { url, asked } = await house({ list: (say, refuse) => (isUp ? say() : refuse(503)) });
  const refused = faultIn(await post(`${url}/a/mcp`, repeat('pay')));
  expect(refused).toMatchObject({ kind: 'disconnected', executed: 'maybe', retryable: false });
  expect(refused?.['message']).toBe(
    `${UNKNOWN}, because whether its server honours keys could not be found out (\`tools/list\`: unavailable)`,
  );
  expect(asked).not.toContain('tools/call');
  isUp = true;
  await sleep(1100);
  expect(textOf(await post(`${url}/a/mcp`, repeat('pay')))).toBe('receipt');
});

it('waits for a list half of the time that its caller has', async () => {
  const { url, asked } = await house({ list: () => {} });
  const start = performance.now();
  const message = repeat('pay', { 'dev.mayday/deadline': Date.now() + 2000 });
  const refused = faultIn(await post(`${url}/a/mcp`, message));
  expect(refused?.['message']).toContain('(`tools/list`: timeout)');
  expect(performance.now() - start).toBeLessThan(1900);
  expect(asked).toEqual(['tools/list']);
});

const KEYS = [
  { name: 'ann', key: 'ann-key-12345678' },
  { name: 'bob', key: 'bob-key-12345678' },
];
const as = (name: string) => ({ authorization: `Bearer ${name}-key-12345678` });

it('goes by what its own caller is listed', async () => {
  const tool = ({ authorization }: { readonly [name: string]: unknown }) =>
    authorization === as('ann').authorization ? TAKES_KEYS : {};
  const { url } = await house({ tool });
  const direct = (who: string) => post(`${url}/a/mcp`, repeat('pay'), as(who));
  expect(textOf(await direct('ann'))).toBe('receipt');
  expect(faultIn(await direct('bob'))).toMatchObject({ kind: 'disconnected', message: UNKNOWN });
});

const RENEWED = { authorization: 'Bearer renewed-since' };

it.each([
  ['its caller may not call the tool', '/a/mcp', as('bob'), {}],
  [
    'a token that was renewed, and a tool whose word does not count',
    '/mcp',
    RENEWED,
    { trust_annotations: false },
  ],
  ['a token that was renewed, and a tool that is never repeated', '/mcp', RENEWED, { never_repeat: ['pay'] }],
])('asks only where the answer matters: %s', async (_why, path, headers, retry) => {
  const more = headers === RENEWED ? {} : { keys: KEYS, access: { rules: [{ deny: ['a/pay'] }] } };
  const { url, asked } = await house({ more, settings: { retry } });
  const refused = await post(url + path, repeat(path === '/mcp' ? 'a_pay' : 'pay'), headers);
  expect(faultIn(refused)).toMatchObject({ kind: 'disconnected', executed: 'maybe', message: UNKNOWN });
  expect(asked).toEqual([]);
});

it('is made of whoever has renewed a token, where its tool does no harm a second time', async () => {
  const { url, asked } = await house({ tool: () => ({ annotations: { readOnlyHint: true } }) });
  expect(textOf(await post(`${url}/mcp`, repeat('a_pay'), RENEWED))).toBe('made anew');
  expect(asked).toEqual(['tools/list', 'tools/call']);
});

it('is never made of whoever has renewed a token, however often it comes, where its server would get another key', async () => {
  const { url, asked } = await house();
  for (let i = 0; i < 3; i++)
    expect(faultIn(await post(`${url}/mcp`, repeat('a_pay'), RENEWED))).toMatchObject({ message: UNKNOWN });
  expect(asked).toEqual(['tools/list']);
});

/** A process that has kept an answer, and takes its time to start. */
const PROCESS = `
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
const tools = [{ name: 'pay', inputSchema: { type: 'object' }, _meta: { '${KEY}': true } }];
const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
setTimeout(() => require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') return say(id, opened);
  if (method === 'tools/list') return say(id, { tools });
  if (method === 'tools/call') return say(id, { content: [{ type: 'text', text: 'receipt' }] });
  console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }));
}), 3000);`;

it.each([
  ['/p/mcp', 'pay', {}, {}],
  ['/p/mcp', 'pay', MODERN, modern('pay')],
  ['/mcp', 'p_pay', {}, {}],
])('waits for a process that starts: %s as %s', async (path, name, meta, headers) => {
  const gateway = await open({ upstreams: { p: { command: process.execPath, args: ['-e', PROCESS] } } });
  expect(textOf(await post(gateway.url + path, repeat(name, meta), headers))).toBe('receipt');
});

it('makes a call again that its server lost, under the key that its tool turns out to honour', async () => {
  const asked: unknown[] = [];
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body);
    asked.push([method, params._meta?.['dev.mayday/executed']]);
    if (asked.length === 1) return response.destroy();
    const tools = [{ name: 'pay', inputSchema: { type: 'object' }, ...TAKES_KEYS }];
    const paid = { content: [{ type: 'text', text: 'receipt' }] };
    json(response, 200, { jsonrpc: '2.0', id, result: method === 'tools/list' ? { tools } : paid });
  });
  const gateway = await open({ upstreams: { a: { url } } });
  const first = call('tools/call', { name: 'pay', arguments: {}, _meta: { [KEY]: 'k' } });
  expect(textOf(await post(`${gateway.url}/a/mcp`, first))).toBe('receipt');
  expect(asked).toEqual([
    ['tools/call', undefined],
    ['tools/list', undefined],
    ['tools/call', 'maybe'],
  ]);
});
