/** What a server says behind a refusal counts until the call is made again, also where the caller makes it again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { spokenTo } from '../spoken-to.ts';
import { cleanUp, later, open, post } from '../tools.ts';
import { executedIn, LOG, NO_RECEIPT, NOTHING, PAID, telling, tellingOld } from './refusing-servers.ts';

afterEach(cleanUp);

type Meta = { readonly [key: string]: unknown };
type Message = Parameters<typeof executedIn>[0];
type Ask = (message: object) => Promise<Message>;

const NAME = '7b1c4f0e-3a52-4d5e-9f38-0d7f6a1c2b3d';
const attempt = (number: number, call?: string): Meta => ({
  'dev.mayday/attempt': number,
  ...(call === undefined ? {} : { 'dev.mayday/call': call }),
});

/** A client with a session and a stream that stands; `credential`: what it sends along. */
async function clientOf(url: string, credential?: string): Promise<Ask> {
  const own = credential === undefined ? {} : { authorization: `Bearer ${credential}` };
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'c', version: '1' },
  };
  const opened = await post(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, own);
  const headers = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', ...own };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  const abort = new AbortController();
  later(() => abort.abort());
  const accept = 'text/event-stream';
  void fetch(url, { headers: { ...headers, accept }, signal: abort.signal }).catch(() => undefined);
  await sleep(300);
  return async (message) => (await post(url, message, headers)).message;
}

const paying = (name: string, id: number, _meta?: Meta, args: object = { amount: 7 }): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...(_meta && { _meta }) },
});

const became = (message: Message): unknown =>
  executedIn(message) ?? (/"paid"|"again"/.exec(JSON.stringify(message))?.[0] || message);

/** Time in which the server says what it has to say. */
const SAID_MS = 400;

const ITS_RESULT = (id: number): object => ({ jsonrpc: '2.0', id, result: PAID });
const BEHIND = [
  ['its result', ITS_RESULT, '"paid"', 1],
  ['its error', (id: number) => ({ jsonrpc: '2.0', id, error: NO_RECEIPT }), 'maybe', 1],
  ['a log', LOG, 'maybe', 1],
  ['a list with a log', () => [LOG], 'maybe', 1],
  ['a text', () => 'data: booked\n\n', 'maybe', 1],
  ['an event of its own', () => 'event: booked\ndata: {}\n\n', 'maybe', 1],
  ['null', () => 'data: null\n\n', 'maybe', 1],
  ['a field that nobody knows', () => 'order: 991\n\n', 'maybe', 1],
  ['half a message', () => 'data: {"jsonrpc":"2.0","meth', 'maybe', 1],
  ['nothing about work', NOTHING, 'no', 2],
] as const;

type Url = { readonly url: string };

const own = async (server: Url, transport: 'http' | 'sse') => {
  const gateway = await open({ upstreams: { u: { url: server.url, transport } } });
  return [`${gateway.url}/u/mcp`, 'pay'] as const;
};
const joined = async (server: Url, transport: 'http' | 'sse') => {
  const gateway = await open({ upstreams: { u: { url: server.url, transport } } });
  return [`${gateway.url}/mcp`, 'u_pay'] as const;
};
const chained = async (server: Url, transport: 'http' | 'sse') => {
  const [url] = await own(server, transport);
  return own({ url }, 'http');
};

describe.each([
  ['its own endpoint', telling, 'http', own],
  ['the joined endpoint', telling, 'http', joined],
  ['two gateways', telling, 'http', chained],
  ['HTTP+SSE', tellingOld, 'sse', own],
  ['HTTP+SSE, joined', tellingOld, 'sse', joined],
] as const)('over %s', (_, start, transport, reach) => {
  /** Makes a call and, when its server has said more, makes it again. */
  async function madeTwice(said: Parameters<typeof start>[0], first?: Meta, second?: Meta) {
    const server = await start(said, { behindMs: 100 });
    const [url, name] = await reach(server, transport);
    const ask = await clientOf(url);
    const before = became(await ask(paying(name, 1, first)));
    await sleep(SAID_MS);
    const after = became(await ask(paying(name, 2, second)));
    return { before, after, times: server.paid() };
  }

  it('answers the next attempt with what has become of the one before', async () => {
    const told = BEHIND.map(async ([what, said]) => {
      const { before, after, times } = await madeTwice(said, attempt(1, NAME), attempt(2, NAME));
      return [what, before, after, times];
    });
    expect(await Promise.all(told)).toEqual(
      BEHIND.map(([what, , after, times]) => [what, 'no', after, times]),
    );
  });

  it('makes another call, and one of another name', async () => {
    expect(await madeTwice(ITS_RESULT, attempt(1, NAME), attempt(1, 'another'))).toMatchObject({ times: 2 });
    expect(await madeTwice(ITS_RESULT, attempt(1, NAME), attempt(2, 'another'))).toMatchObject({ times: 2 });
  });

  it('knows a call that has no name by what is asked', async () => {
    const { after, times } = await madeTwice(ITS_RESULT, attempt(1), attempt(2));
    expect([after, times]).toEqual(['"paid"', 1]);
  });
});

it('gives the answer back under the id of the attempt, once', async () => {
  const server = await telling(ITS_RESULT, { behindMs: 100 });
  const [url, name] = await own(server, 'http');
  const ask = await clientOf(url);
  await ask(paying(name, 1, attempt(1, NAME)));
  await sleep(SAID_MS);
  expect(await ask(paying(name, 41, attempt(2, NAME)))).toEqual({ jsonrpc: '2.0', id: 41, result: PAID });
});

it('tells no caller what another one was told', async () => {
  const server = await telling(ITS_RESULT, { behindMs: 100 });
  const [url, name] = await own(server, 'http');
  const [one, other] = [await clientOf(url, 'one'), await clientOf(url, 'other')];
  await one(paying(name, 1, attempt(1, 'c')));
  await sleep(SAID_MS);
  expect(became(await other(paying(name, 2, attempt(2, 'c'))))).toBe('no');
  expect(became(await other(paying(name, 3, attempt(2))))).toBe('no');
});

it('knows what was asked by its arguments, where the call has no name', async () => {
  const server = await telling(LOG, { behindMs: 100 });
  const [url, name] = await own(server, 'http');
  const ask = await clientOf(url);
  await ask(paying(name, 1, attempt(1), { amount: 7, to: 'a' }));
  await sleep(SAID_MS);
  expect(became(await ask(paying(name, 2, attempt(2), { amount: 8, to: 'a' })))).toBe('no');
  expect(server.paid()).toBe(2);
  expect(became(await ask(paying(name, 3, attempt(2), { to: 'a', amount: 7 })))).toBe('maybe');
  expect(server.paid()).toBe(2);
});

const BUSY = {
  ...{ kind: 'overloaded', message: 'busy', executed: 'no', retryable: true, reaction: 'retryable' },
  retry: { when: 'after_wait', after_ms: 500 },
};

/** A process that refuses its first call, and says `later` soon after; to the second it answers. */
function refusing(later: string) {
  const script = `
  const log = ${JSON.stringify(`${JSON.stringify(LOG)}\n`)};
  const send = (said) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...said }) + '\\n');
  const text = (text) => ({ content: [{ type: 'text', text }] });
  let calls = 0;
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const { protocolVersion } = params ?? {};
    if (method === 'initialize')
      return send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } } });
    if (method !== 'tools/call') return send({ id, result: { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] } });
    if (++calls > 1) return send({ id, result: text('again') });
    send({ id, result: { ...text('busy'), isError: true, _meta: { 'dev.mayday/fault': ${JSON.stringify(BUSY)} } } });
    setTimeout(() => { ${later} }, 300);
  });`;
  return { command: process.execPath, args: ['-e', script] };
}

const LINES = [
  ['its result', "send({ id, result: text('paid') });", 'maybe'],
  ['a list with a log', "process.stdout.write('[' + log.trim() + ']\\n');", 'maybe'],
  ['a line with zeroes', "process.stdout.write('booked\\0\\n');", 'maybe'],
  ['an error under no id', "send({ id: null, error: { code: -32000, message: 'no mail' } });", 'maybe'],
  ['half a text', "process.stdout.write('booked');", 'maybe'],
  ['half a log', 'process.stdout.write(log.slice(0, 30));', 'maybe'],
  ['its end', 'process.exit(1);', 'maybe'],
  ['a log of its own', "process.stdout.write('Listening\\n');", '"again"'],
  ['nothing', '', '"again"'],
] as const;

const wrapped = async (bank: ReturnType<typeof refusing>): Promise<readonly [Ask, string]> => {
  const { ask } = await spokenTo({ bank });
  return [ask as Ask, 'pay'];
};
const behindDoor =
  (path: string, name: string) =>
  async (bank: ReturnType<typeof refusing>): Promise<readonly [Ask, string]> => {
    const gateway = await open({ upstreams: { bank } });
    return [await clientOf(`${gateway.url}/${path}`), name];
  };

it.each([
  ['the plain command', wrapped],
  ["a process' own endpoint", behindDoor('bank/mcp', 'pay')],
  ['the joined endpoint', behindDoor('mcp', 'bank_pay')],
])('over %s', async (_, reach) => {
  const told = LINES.map(async ([what, later]) => {
    const [ask, name] = await reach(refusing(later));
    await ask({ jsonrpc: '2.0', id: 90, method: 'tools/list' });
    const before = became(await ask(paying(name, 1, attempt(1, NAME))));
    await sleep(3 * SAID_MS);
    return [what, before, became(await ask(paying(name, 2, attempt(2, NAME))))];
  });
  expect(await Promise.all(told)).toEqual(LINES.map(([what, , after]) => [what, 'no', after]));
});
