/** Who has told of its work had begun, wherever it has told of it and whatever it refuses with. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { cleanUp, open, post } from '../tools.ts';
import {
  answeringElsewhere,
  CHANGE,
  END,
  executedIn,
  LOG,
  NEW_RESOURCE,
  NO_RECEIPT,
  NOTHING,
  PAID,
  pay,
  payIn,
  QUESTION,
  RESULT,
  strangersServer,
  TAKEN_BACK,
  telling,
  tellingOld,
} from './refusing-servers.ts';

afterEach(cleanUp);

const TOLD = [
  ['a log', LOG, 'maybe', 1],
  ['a change', CHANGE, 'maybe', 1],
  ['a question', QUESTION, 'maybe', 1],
  ['another list of resources', NEW_RESOURCE, 'maybe', 1],
  ['a question that is taken back', TAKEN_BACK, 'maybe', 1],
  ['nothing about work', NOTHING, 'no', 3],
] as const;

/** Answers that come where no answer belongs, by the id of the call. */
const ANSWERED = [
  ['its result', (id: number) => ({ jsonrpc: '2.0', id, result: PAID }), 'maybe', 1],
  ['its error', (id: number) => ({ jsonrpc: '2.0', id, error: NO_RECEIPT }), 'maybe', 1],
  [
    'its result, under its id as text',
    (id: number) => ({ jsonrpc: '2.0', id: `${id}`, result: PAID }),
    'maybe',
    1,
  ],
  ['an error under no id', () => ({ jsonrpc: '2.0', id: null, error: NO_RECEIPT }), 'maybe', 1],
  ['a result under no id', () => ({ jsonrpc: '2.0', id: null, result: PAID }), 'maybe', 1],
  ['the result of another', (id: number) => ({ jsonrpc: '2.0', id: id + 9000, result: PAID }), 'no', 3],
  ['its result, in a list', (id: number) => [NOTHING, { jsonrpc: '2.0', id, result: PAID }], 'maybe', 1],
  ['a log, in a list', () => [NOTHING, LOG], 'maybe', 1],
  ['a list of nothing about work', () => [NOTHING], 'no', 3],
] as const;

/** Half of what would have told of work, had it come. */
const HALF_ITS_RESULT = (id: number): string => `data: {"jsonrpc":"2.0","id":${id},"result":{"con`;
const HALVES = [
  ['half its result', HALF_ITS_RESULT, 'maybe', 1],
  ['half its result, and the end', (id: number) => HALF_ITS_RESULT(id) + END, 'maybe', 1],
  ['the name of its event', () => 'event: message\n', 'maybe', 1],
  ['half the name of its event', () => 'event: mess', 'maybe', 1],
  ['the id and the name of its event', () => 'id: 5\nevent: message\n', 'maybe', 1],
  ['the beginning of a comment', () => ': keep-al', 'no', 3],
  ['half its result in a heartbeat', (id: number) => `event: ping\n${HALF_ITS_RESULT(id)}`, 'maybe', 1],
  ['half its result as an address', (id: number) => `event: endpoint\n${HALF_ITS_RESULT(id)}`, 'maybe', 1],
  ['the name of a heartbeat, and of its event', () => 'event: ping\nevent: message\n', 'maybe', 1],
  ['the name of a heartbeat', () => 'event: ping\n', 'no', 3],
  ['an id, and nothing else', () => 'id: 5\n\n', 'no', 3],
] as const;

/** Events that are there, and bring no message. */
const NO_MESSAGES = [
  ['a receipt', () => 'event: receipt\ndata: pay_991\n\n', 'maybe', 1],
  ['a list of no messages', () => 'data: ["pay_991"]\n\n', 'maybe', 1],
  ['half a message as a whole event', (id: number) => `${HALF_ITS_RESULT(id)}\n\n`, 'maybe', 1],
  ['a field that no reader knows', () => 'receipt: pay_991\n\n', 'maybe', 1],
  ['the name of an event, and nothing else', () => 'event: booked\n\n', 'maybe', 1],
  ['a name of its own, before a comment', () => 'event: gebucht\n\n: here\n\n', 'maybe', 1],
  ['a comment that names a thing', () => ': order 991\n\n', 'maybe', 1],
  ['a heartbeat with words', () => 'event: ping\ndata: 12:00\n\n: still here\n\n', 'no', 3],
] as const;

const retry = { attempts: 3 };

it.each([...TOLD, ...ANSWERED, ...HALVES, ...NO_MESSAGES])(
  'on the standing stream of a session: %s',
  async (_, said, executed, times) => {
    const server = await telling(said);
    const gateway = await open({ upstreams: { u: { url: server.url, transport: 'http', retry } } });
    expect(executedIn(await payIn(`${gateway.url}/u/mcp`, 'pay'))).toBe(executed);
    expect(server.paid()).toBe(times);
  },
);

it.each(ANSWERED)('on a stream of a session that is taken up again: %s', async (_, said, executed, times) => {
  const server = await telling(said);
  const gateway = await open({ upstreams: { u: { url: server.url, transport: 'http', retry } } });
  expect(executedIn(await payIn(`${gateway.url}/u/mcp`, 'pay', { 'last-event-id': 'e1' }))).toBe(executed);
  expect(server.paid()).toBe(times);
});

it.each([...TOLD, ...ANSWERED, ...HALVES, ...NO_MESSAGES])(
  'on the standing stream of the joined endpoint: %s',
  async (_, said, executed, times) => {
    const server = await telling(said);
    const gateway = await open({ upstreams: { u: { url: server.url, transport: 'http', retry } } });
    expect(executedIn(await payIn(`${gateway.url}/mcp`, 'u_pay'))).toBe(executed);
    expect(server.paid()).toBe(times);
  },
);

it.each([
  ['its own endpoint', 'u/mcp', ''],
  ['the joined endpoint', 'mcp', 'u_'],
])('in the stream of the answer to another call: %s', async (_, path, before) => {
  for (const isEvents of [true, false]) {
    const server = await answeringElsewhere(isEvents);
    const gateway = await open({ upstreams: { u: { url: server.url, transport: 'http', retry } } });
    const paying = payIn(`${gateway.url}/${path}`, `${before}pay`, {}, `${before}look`);
    expect(executedIn(await paying)).toBe('maybe');
    expect(server.paid()).toBe(1);
  }
});

it.each([
  ['u/mcp', ''],
  ['mcp', 'u_'],
])('a log in the stream of the answer to another call, at %s', async (path, before) => {
  const server = await answeringElsewhere(true, LOG);
  const gateway = await open({ upstreams: { u: { url: server.url, transport: 'http', retry } } });
  const paying = payIn(`${gateway.url}/${path}`, `${before}pay`, {}, `${before}look`);
  expect(executedIn(await paying)).toBe('maybe');
  expect(server.paid()).toBe(1);
});

const OF_IT = {
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: 'of-pay', progress: 1, message: 'booked' },
};
const OF_THE_OTHER = { ...OF_IT, params: { progressToken: 'of-look', progress: 1 } };

/** Strangers ask at the same time: which of them work is told of, says its token alone. */
it.each([
  ['progress of it', OF_IT, false, 1],
  ['progress of it, behind the refusal', OF_IT, true, 1],
  ['progress of the other', OF_THE_OTHER, false, 2],
  ['a log', LOG, false, 2],
] as const)('without a session, in the stream of another call: %s', async (_, said, behind, times) => {
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const asked = async (path: string, before: string, isModern: boolean): Promise<unknown> => {
    const server = await strangersServer(said, behind);
    const gateway = await open({
      upstreams: { u: { url: server.url, transport: 'http', retry: { attempts: 2 } } },
    });
    const ask = (name: string, token: string): ReturnType<typeof post> => {
      const message = pay(before + name, token) as { params: { _meta: object } };
      if (isModern) Object.assign(message.params._meta, envelope);
      return post(
        `${gateway.url}/${path}`,
        message,
        isModern ? { ...modern, 'mcp-name': before + name } : {},
      );
    };
    const looking = ask('look', 'of-look');
    await sleep(300);
    await ask('pay', 'of-pay');
    await looking;
    return server.paid();
  };
  const paid = await Promise.all([
    asked('u/mcp', '', false),
    asked('u/mcp', '', true),
    asked('mcp', 'u_', true),
  ]);
  expect(paid).toEqual([times, times, times]);
});

/** Where the stream that stands is the only one, an answer on it is the answer. */
const ANSWERED_OLD = ANSWERED.filter(([, said]) => !/"result"/.test(JSON.stringify(said(0))));

it.each([...TOLD, ...ANSWERED_OLD, ...HALVES, ...NO_MESSAGES])(
  'over HTTP+SSE: %s',
  async (_, said, executed, times) => {
    for (const [path, name] of [
      ['/old/mcp', 'pay'],
      ['/mcp', 'old_pay'],
    ] as const) {
      const server = await tellingOld(said);
      const gateway = await open({ upstreams: { old: { url: server.url, transport: 'sse', retry } } });
      expect(executedIn(await payIn(`${gateway.url}${path}`, name))).toBe(executed);
      expect(server.paid()).toBe(times);
    }
  },
);

it.each([...TOLD, ...ANSWERED_OLD, ...HALVES])(
  'over HTTP+SSE, without a session: %s',
  async (_, said, executed, times) => {
    const server = await tellingOld(said);
    const gateway = await open({ upstreams: { old: { url: server.url, transport: 'sse', retry } } });
    const { message } = await post(`${gateway.url}/old/mcp`, pay('pay'));
    expect(executedIn(message)).toBe(executed);
    expect(server.paid()).toBe(times);
  },
);

const PROCESS = `
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'initialize') say({ id, result: ${JSON.stringify(RESULT)} });
    else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] } });
    else if (method === 'tools/call') {
      say(JSON.parse(process.env.SAID));
      say({ id, error: { code: -32602, message: 'Invalid params' } });
    }
  });`;

it.each(TOLD)('by a process: %s', async (_, said, executed) => {
  const gateway = await open({
    upstreams: {
      p: { command: process.execPath, args: ['-e', PROCESS], env: { SAID: JSON.stringify(said) }, retry },
    },
  });
  expect(executedIn(await payIn(`${gateway.url}/p/mcp`, 'pay'))).toBe(executed);
  const { message } = await post(`${gateway.url}/p/mcp`, pay('pay'));
  expect(JSON.stringify(message)).toContain(`"executed":"${executed}"`);
});
