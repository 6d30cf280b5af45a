/** Callers are apart: what one opens, asks or sends concerns nobody else, and what one can hold is bounded. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gateway, scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { eventsOf, type Message, post, type SendOptions, send } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call, initialize, modern, tell } from './support/messages.ts';
import type { Step } from './support/puppet.ts';
import { firstWords } from './support/raw.ts';
import { API_PATHS, openapiFile, stdio } from './support/world.ts';

const ALICE = 'alice-key-0123456789';
const BOB = 'bob-key-0123456789';
const CAROL = 'carol-key-0123456789';
const KEYS = [
  { name: 'alice', key: ALICE },
  { name: 'bob', key: BOB },
  { name: 'carol', key: CAROL, upstreams: ['s'] },
];
const STREAM = { accept: 'text/event-stream' };

const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ sessions: true });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});

function settings(more: object = {}): object {
  const upstreams = {
    s: stdio({ name: 'house', ledger }, { timeout_ms: 3000 }),
    treasury: stdio(
      { name: 'treasury', tools: [{ name: 'gold', inputSchema: { type: 'object' } }] },
      { timeout_ms: 3000 },
    ),
    u: { url: http.url, timeout_ms: 3000 },
    o: { openapi: openapiFile(folder, API_PATHS), base_url: http.origin },
    fresh: stdio({}, { timeout_ms: 3000 }),
    small: stdio({}, { max_sessions: 4, timeout_ms: 20_000 }),
    ...more,
  };
  return { keys: KEYS, upstreams };
}
const gateway = keepGateway(() => startGateway(settings()), [ledger]);

async function open(endpoint: string, key: string, to: Gateway = gateway()): Promise<string> {
  const { headers, status, body } = await post(at(to, endpoint), initialize(), { key });
  expect([status, typeof headers['mcp-session-id']], body).toEqual([200, 'string']);
  return String(headers['mcp-session-id']);
}

/** The first message on a stream that looks like this. */
function listen(endpoint: string, options: SendOptions): { seen: () => string; stop: () => void } {
  const pieces: string[] = [];
  const end = new AbortController();
  const answer = send(at(gateway(), endpoint), undefined, {
    ...options,
    headers: { ...STREAM, ...options.headers },
    signal: end.signal,
    onText: (text) => pieces.push(text),
  });
  answer.catch(() => undefined);
  return { seen: () => pieces.join(''), stop: () => end.abort() };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('a session belongs to the key that opened it', () => {
  it.each([
    ['s', 'echo'],
    ['u', 'echo'],
    ['o', 'echo'],
    ['', 's_echo'],
  ])('at /%s', async (endpoint, tool) => {
    const session = await open(endpoint, ALICE);
    const url = at(gateway(), endpoint);
    const used = await post(url, call(tool), { key: BOB, session });
    // A stream that stays open was opened: 200.
    const listens = (headers: Record<string, string>): Promise<number> =>
      send(url, undefined, { key: BOB, session, headers: { ...STREAM, ...headers }, within: 500 }).then(
        ({ status }) => status,
        () => 200,
      );
    const heard = await listens({});
    const replayed = await listens({ 'last-event-id': 'r1-1' });
    const told = await post(url, tell('notifications/initialized'), { key: BOB, session });
    const ended = await send(url, undefined, { method: 'DELETE', key: BOB, session });
    expect([used.status, heard, replayed, told.status, ended.status]).toEqual([404, 404, 404, 404, 404]);
    const own = await post(url, call(tool, { text: 'mine' }), { key: ALICE, session });
    expect([own.status, own.message['result']?.isError ?? false]).toEqual([200, false]);
  });

  it('and to no one without a key', async () => {
    const session = await open('s', ALICE);
    const answer = await post(at(gateway(), 's'), call('echo'), { session });
    expect(answer.status).toBe(401);
  });

  it('and to its endpoint, also after the configuration was read again', async () => {
    const session = await open('treasury', ALICE);
    const tries = async (): Promise<number[]> => {
      const answers = await Promise.all([
        post(at(gateway(), 's'), call('gold'), { key: CAROL, session }),
        post(at(gateway(), 's'), call('gold'), { key: ALICE, session }),
        post(at(gateway(), 'treasury'), call('gold'), { key: BOB, session }),
      ]);
      return answers.map(({ status }) => status);
    };
    expect(await tries()).toEqual([404, 404, 404]);
    gateway().rewrite(settings({ later: stdio() }));
    await expect
      .poll(async () => (await post(at(gateway(), 'later'), call('echo'), { key: ALICE })).status, {
        timeout: 5000,
      })
      .toBe(200);
    expect(await tries()).toEqual([404, 404, 404]);
    const own = await post(at(gateway(), 'treasury'), call('gold', {}, 'own'), { key: ALICE, session });
    expect(own.message['result']?.content[0].text).toBe('gold: fine');
  });

  it('with its events: another session resumes nothing of it', async () => {
    const [hers, his] = [await open('s', ALICE), await open('s', BOB)];
    const note = { method: 'notifications/message', params: { level: 'info', data: 'for alice alone' } };
    const script: Step[] = [{ events: [note] }, { wait: 50 }, { answer: { result: { content: [] } } }];
    const heard = await post(at(gateway(), 's'), call('pay', { script }), { key: ALICE, session: hers });
    expect(heard.body).toContain('for alice alone');
    const ids = [...heard.body.matchAll(/^id: (.+)$/gm)].map((match) => match[1] ?? '');
    const streams = ['r1-1', 'r1-0', '0', ...ids].map((id) =>
      listen('s', { key: BOB, session: his, headers: { 'last-event-id': id } }),
    );
    await pause(300);
    for (const stream of streams) stream.stop();
    expect(streams.map((stream) => stream.seen()).join('')).not.toContain('for alice alone');
  });
});

describe('calls without a session', () => {
  const slow: Step[] = [{ wait: 600 }, { answer: { result: { content: [{ type: 'text', text: 'done' }] } } }];

  it.each([
    ['s', 'pay'],
    ['u', 'pay'],
    ['', 's_pay'],
  ])('nobody cancels the call of another at /%s', async (endpoint, tool) => {
    const hers = post(at(gateway(), endpoint), call(tool, { script: slow }, 7), { key: ALICE });
    await pause(250);
    await post(at(gateway(), endpoint), tell('notifications/cancelled', { requestId: 7, reason: 'mine' }), {
      key: BOB,
    });
    expect((await hers).message).toMatchObject({ id: 7, result: { content: [{ text: 'done' }] } });
  });

  it('with the same id at the same time get their own answers', async () => {
    const callers = [ALICE, BOB, CAROL].flatMap((key) => [key, key]);
    const answers = await Promise.all(
      callers.map((key, index) => {
        const script: Step[] = [
          { wait: 20 * (6 - index) },
          { answer: { result: { content: [{ type: 'text', text: `for ${index}` }] } } },
        ];
        return post(at(gateway(), 's'), call('pay', { script }, 'same'), { key });
      }),
    );
    expect(answers.map(({ message }) => message['result']?.content[0].text)).toEqual(
      callers.map((_, index) => `for ${index}`),
    );
  });

  it('with the same progress token hear their own progress', async () => {
    const answers = await Promise.all(
      [ALICE, BOB].map((key) => {
        const note = {
          method: 'notifications/progress',
          params: { progressToken: '$TOKEN', progress: 1, message: `for ${key}` },
        };
        const request = call(
          'pay',
          { script: [{ wait: 30 }, { events: [note] }, { answer: { result: { content: [] } } }] },
          1,
        );
        request['params']._meta = { progressToken: 'same' };
        return post(at(gateway(), 's'), request, { key });
      }),
    );
    expect(answers[0]?.body).toContain(`for ${ALICE}`);
    expect(answers[0]?.body).not.toContain(`for ${BOB}`);
    expect(answers[1]?.body).toContain(`for ${BOB}`);
  });

  it('are not spoilt by an initialize that hangs or fails', async () => {
    const hanging = initialize({ _meta: { 'test/puppet': { script: [{ hang: true }] } } });
    const failing = initialize({
      _meta: { 'test/puppet': { script: [{ answer: { error: { code: -32000, message: 'no' } } }] } },
    });
    const odd = initialize({ protocolVersion: '1999-01-01', capabilities: {}, clientInfo: {} });
    const url = at(gateway(), 'fresh');
    const poison = [hanging, failing, odd].flatMap((request) => [
      post(url, request, { key: BOB, within: 4000 }).catch(() => undefined),
      post(url, modern(request), { key: BOB, within: 4000, era: '2026' }).catch(() => undefined),
    ]);
    await pause(150);
    const answer = await post(at(gateway(), 'fresh'), call('echo', { text: 'hi' }), {
      key: ALICE,
      within: 2000,
    });
    expect(answer.message['result']?.content[0].text).toBe('echo: hi');
    expect(poison).toHaveLength(6);
  });

  it('that hang up are cancelled at the server, and only they', async () => {
    const neighbour = post(at(gateway(), 's'), modern(call('pay', { script: slow }, 7)), {
      key: BOB,
      era: '2026',
    });
    const stop = new AbortController();
    const hers = post(at(gateway(), 's'), modern(call('pay', { key: 'hers', script: [{ hang: true }] }, 7)), {
      key: ALICE,
      era: '2026',
      signal: stop.signal,
    });
    hers.catch(() => undefined);
    const said = (): string => (existsSync(ledger) ? readFileSync(ledger, 'utf8') : '');
    await expect.poll(said, { timeout: 20_000 }).toContain('hers\n');
    stop.abort();
    await expect.poll(said, { timeout: 20_000 }).toContain('note:notifications/cancelled');
    expect((await neighbour).message['result']?.content[0].text).toBe('done');
  });
});

describe('questions of a server', () => {
  it('reach the session they belong to, and only its answer counts', async () => {
    const [hers, his] = [await open('', ALICE), await open('', BOB)];
    const heard: string[] = [];
    const asks: Step[] = [
      { asks: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } } },
    ];
    const calling = post(at(gateway(), ''), call('s_pay', { script: asks }), {
      key: ALICE,
      session: hers,
      onText: (text) => heard.push(text),
    });
    const stream = listen('', { key: ALICE, session: hers });
    calling.catch(() => undefined);
    const question = (): Message | undefined =>
      eventsOf(heard.join('') + stream.seen()).find(
        (message) => message['method'] === 'sampling/createMessage',
      );
    await expect.poll(question, { timeout: 3000 }).toBeDefined();
    const id: unknown = question()?.['id'];
    const reply = (text: string): Message => ({
      jsonrpc: '2.0',
      id,
      result: { role: 'assistant', model: 'm', content: { type: 'text', text } },
    });
    await post(at(gateway(), ''), reply('from bob'), { key: BOB, session: his });
    await pause(100);
    await post(at(gateway(), ''), reply('from alice'), { key: ALICE, session: hers });
    const answer = await calling;
    stream.stop();
    expect(answer.body).toContain('from alice');
    expect(answer.body).not.toContain('from bob');
  });
});

describe('strangers', () => {
  it.each([['/nope/mcp'], ['/treasury'], ['/'], ['/-/nope']])(
    'are not told what there is at %s',
    async (path) => {
      const answers = await Promise.all([
        post(gateway().url + path, call('echo')),
        post(gateway().url + path, call('echo'), { key: 'wrong-key-0123456789' }),
        send(gateway().url + path, undefined),
        post(gateway().url + path, call('echo'), { key: CAROL }),
      ]);
      for (const answer of answers) {
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.body.replaceAll(path, '')).not.toMatch(/treasury|fresh|small/);
      }
    },
  );

  it('with a key for something else see only that', async () => {
    const list = await post(at(gateway(), ''), ask('tools/list'), { key: CAROL });
    const tools: Message[] = list.message['result']?.tools ?? [];
    expect(tools.filter((tool) => !String(tool['name']).startsWith('s_'))).toEqual([]);
    expect(list.body).not.toContain('treasury');
    const taken = await post(at(gateway(), ''), call('treasury_gold'), { key: CAROL });
    expect(taken.body).not.toContain('gold: fine');
    const direct = await post(at(gateway(), 'treasury'), call('gold'), { key: CAROL });
    expect([403, 404]).toContain(direct.status);
  });

  it('are refused before their body is read', async () => {
    const head = (key: string): string =>
      `POST /s/mcp HTTP/1.1\r\nHost: 127.0.0.1:${gateway().port}\r\nContent-Type: application/json\r\n${key}Content-Length: 15000000\r\n\r\n{"jsonrpc"`;
    const answers = await Promise.all([
      firstWords(gateway().port, head('')),
      firstWords(gateway().port, head('Authorization: Bearer wrong-key-0123456789\r\n')),
      firstWords(gateway().port, head(`Authorization: Basic ${ALICE}\r\n`)),
    ]);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('cannot fill the memory with bodies', async () => {
    const before = gateway().memory();
    const body = Buffer.alloc(15_000_000, 0x20);
    const sent = Array.from({ length: 40 }, () =>
      post(at(gateway(), 's'), body, { key: 'wrong-key-0123456789', within: 8000 }).catch(() => undefined),
    );
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, gateway().memory());
    }, 20);
    await Promise.all(sent);
    clearInterval(watch);
    expect(peak - before).toBeLessThan(150);
  });
});

describe('one caller', () => {
  it('cannot take all sessions of an upstream', async () => {
    const tries = await Promise.all(
      Array.from({ length: 6 }, () =>
        post(at(gateway(), 'small'), initialize(), { key: ALICE, within: 30_000 }),
      ),
    );
    expect(tries.filter(({ status }) => status === 503).length).toBeGreaterThan(0);
    await open('small', BOB);
  });

  it('cannot take all sessions of the joined endpoint', async () => {
    const own = scratch();
    const upstreams = { o: { openapi: openapiFile(own, API_PATHS), base_url: http.origin } };
    const other = await startGateway({ keys: KEYS.slice(0, 2), upstreams }, { folder: own });
    const tries = Array.from({ length: 80 }, () => post(at(other, ''), initialize(), { key: ALICE }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    const his = await post(at(other, ''), initialize(), { key: BOB });
    await other.stop('SIGKILL');
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    expect(his.status).toBe(200);
  });
});
