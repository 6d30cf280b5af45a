/** What a server says behind a refusal counts until the call is made again. */
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, open, post } from '../tools.ts';
import {
  END,
  executedIn,
  LOG,
  NO_RECEIPT,
  NOTHING,
  PAID,
  pay,
  payIn,
  telling,
  tellingBeside,
  tellingOld,
} from './refusing-servers.ts';

afterEach(cleanUp);

const RESULT_OF_IT = (id: number): object => ({ jsonrpc: '2.0', id, result: PAID });
const ERROR_OF_IT = (id: number): object => ({ jsonrpc: '2.0', id, error: NO_RECEIPT });
const RESULT_OF_ANOTHER = (id: number): object => ({ jsonrpc: '2.0', id: id + 9000, result: PAID });
const HALF_OF_IT = (id: number): string => `data: {"jsonrpc":"2.0","id":${id},"result":{"con`;
const NAME_OF_IT = (): string => 'id: 5\nevent: message\n';
const RENAMED = (id: number): string => `event: result\ndata: ${JSON.stringify(RESULT_OF_IT(id))}\n\n`;
const IN_HEARTBEAT = (id: number): string => RENAMED(id).replace('result', 'ping');
const AS_ADDRESS = (id: number): string => RENAMED(id).replace('result', 'endpoint');
const CUT = (id: number): string => HALF_OF_IT(id) + END;
const NAMELESS = { jsonrpc: '2.0', id: null, error: NO_RECEIPT };

/** What is said behind a refusal, with which status and after how long, what becomes of the call, and how often it is made. */
const ROWS = [
  ['its result, at once', RESULT_OF_IT, { behindMs: 0 }, 'paid', 1],
  ['its result, soon', RESULT_OF_IT, { behindMs: 10 }, 'paid', 1],
  ['its result, later', RESULT_OF_IT, { behindMs: 300 }, 'paid', 1],
  ['its error', ERROR_OF_IT, { behindMs: 10 }, 'maybe', 1],
  ['an error under no id', NAMELESS, { behindMs: 10 }, 'maybe', 1],
  ['a log', LOG, { behindMs: 10 }, 'maybe', 1],
  ['half its result', HALF_OF_IT, { behindMs: 10 }, 'maybe', 1],
  ['half its result, and the end', CUT, { behindMs: 10 }, 'maybe', 1],
  ['the name of its event', NAME_OF_IT, { behindMs: 10 }, 'maybe', 1],
  ['its result under another name', RENAMED, { behindMs: 10 }, 'paid', 1],
  ['its result in a heartbeat', IN_HEARTBEAT, { behindMs: 10 }, 'paid', 1],
  ['its result as an address', AS_ADDRESS, { behindMs: 10 }, 'paid', 1],
  ['the name of a heartbeat', () => 'event: ping\n', { behindMs: 10 }, 'no', 2],
  ['a heartbeat', () => 'event: ping\ndata: {"at":7}\n\n', { behindMs: 10 }, 'no', 2],
  ['the name of an event, and nothing else', () => 'event: booked\n\n', { behindMs: 10 }, 'maybe', 1],
  ['a comment that names a thing', () => ': order 991\n\n', { behindMs: 10 }, 'maybe', 1],
  ['the beginning of a comment', () => ': keep-al', { behindMs: 10 }, 'no', 2],
  ['nothing about work', NOTHING, { behindMs: 10 }, 'no', 2],
  ['the result of another', RESULT_OF_ANOTHER, { behindMs: 10 }, 'no', 2],
] as const;

const NO_SESSION = { code: -32001, message: 'Session not found' };

/** Behind a 404, which in a session says that it is lost, with words or without. */
const LOST = [
  ['its result', RESULT_OF_IT, undefined],
  ['its result, behind words', RESULT_OF_IT, NO_SESSION],
  ['a log', LOG, undefined],
  ['a log, behind words', LOG, NO_SESSION],
  ['an error under no id', NAMELESS, undefined],
  ['half its result', HALF_OF_IT, undefined],
  ['half its result, behind words', HALF_OF_IT, NO_SESSION],
  ['half its result, and the end', CUT, NO_SESSION],
  ['the name of its event', NAME_OF_IT, undefined],
  ['the name of its event, behind words', NAME_OF_IT, NO_SESSION],
  ['its result under another name', RENAMED, undefined],
  ['its result in a heartbeat', IN_HEARTBEAT, undefined],
  ['its result as an address', AS_ADDRESS, undefined],
] as const;

/** Behind a result that declares the same. */
const DECLARED = [
  ['its result', RESULT_OF_IT, 'paid', 1],
  ['a log', LOG, 'maybe', 1],
  ['nothing about work', NOTHING, 'no', 2],
] as const;

const overSession = (url: string): ReturnType<typeof payIn> => payIn(`${url}/u/mcp`, 'pay');
const joined = (url: string): ReturnType<typeof payIn> => payIn(`${url}/mcp`, 'u_pay');
const alone = async (url: string): ReturnType<typeof payIn> =>
  (await post(`${url}/u/mcp`, pay('pay'))).message;

it.each([
  ['its own endpoint', overSession],
  ['the joined endpoint', joined],
])('behind a declaration, over %s', async (_, ask) => {
  const told = DECLARED.map(async ([name, said]) => {
    const server = await telling(said, { isDeclared: true, behindMs: 300 });
    const gateway = await open({
      upstreams: { u: { url: server.url, transport: 'http', retry: { attempts: 2 } } },
    });
    const message = await ask(gateway.url);
    return [
      name,
      executedIn(message) ?? (JSON.stringify(message).includes('"paid"') ? 'paid' : 'else'),
      server.paid(),
    ];
  });
  expect(await Promise.all(told)).toEqual(DECLARED.map(([name, , became, times]) => [name, became, times]));
});

describe.each([
  ['its own endpoint, in a session', telling, 'http', overSession],
  ['the joined endpoint', telling, 'http', joined],
  ['HTTP+SSE', tellingOld, 'sse', alone],
  ['HTTP+SSE, in a session', tellingOld, 'sse', overSession],
  ['HTTP+SSE, the joined endpoint', tellingOld, 'sse', joined],
] as const)('over %s', (_, start, transport, ask) => {
  async function made(said: Parameters<typeof start>[0], refusing: Parameters<typeof start>[1]) {
    const server = await start(said, refusing);
    const gateway = await open({ upstreams: { u: { url: server.url, transport, retry: { attempts: 2 } } } });
    const message = await ask(gateway.url);
    const became = executedIn(message) ?? (JSON.stringify(message).includes('"paid"') ? 'paid' : 'else');
    return { message, became, times: server.paid() };
  }

  it('is told what comes behind a limit, and is not made again', async () => {
    const told = await Promise.all(
      ROWS.map(async ([name, said, refusing]) => {
        const { became, times } = await made(said, refusing);
        return [name, became, times];
      }),
    );
    expect(told).toEqual(ROWS.map(([name, , , became, times]) => [name, became, times]));
  });

  it('counts what was sent', async () => {
    const { message, times } = await made(LOG, { behindMs: 10 });
    expect(executedIn(message)).toBe('maybe');
    expect(JSON.stringify(message)).not.toMatch(/"attempts":[^1]/);
    expect(times).toBe(1);
  });

  it('hears the words of the error that comes behind it', async () => {
    const { message } = await made(ERROR_OF_IT, { behindMs: 10 });
    expect(JSON.stringify(message)).toContain('paid, no receipt');
  });

  it.each(LOST)('is made once where a session is lost: %s', async (_name, said, error) => {
    const { became, times } = await made(said, { status: 404, behindMs: 5, error });
    expect(['paid', 'maybe']).toContain(became);
    expect(times).toBe(1);
  });
});

const LOGGED = `data: ${JSON.stringify(LOG)}\n\n`;
const HALF_OF = (id: number): string => `data: {"jsonrpc":"2.0","id":${id},"result":{"content":[],\n`;

/** What is said in the stream of another call, what becomes of the call, and how often it is made. */
const BESIDE: readonly (readonly [string, string | ((look: number) => string), string, number])[] = [
  ['a log', LOGGED, 'maybe', 1],
  ['a text', 'data: paid 991\n\n', 'maybe', 1],
  ['a comment that names a thing', ': order 991\n\n', 'maybe', 1],
  ['the name of an event, and nothing else', 'event: booked\n\n', 'maybe', 1],
  ['an id that names a thing', 'id: order-991\n\n', 'maybe', 1],
  ['a field that no reader knows', 'order: 991\n\n', 'maybe', 1],
  ['such a field beside other tools', `order: 991\ndata: ${JSON.stringify(NOTHING)}\n\n`, 'maybe', 1],
  ['a log without its blank line', LOGGED.slice(0, -1), 'maybe', 1],
  ['half a log', LOGGED.slice(0, 40), 'maybe', 1],
  ['half a log, and the end', LOGGED.slice(0, 40) + END, 'maybe', 1],
  ['half its result', (look) => HALF_OF(look + 1), 'maybe', 1],
  [
    'a log behind the answer there',
    (look) => `data: {"jsonrpc":"2.0","id":${look},"result":{}}\n\n${LOGGED}`,
    'maybe',
    1,
  ],
  ['half the answer that belongs there', HALF_OF, 'no', 2],
  ['a comment', ': keep-alive\n\n', 'no', 2],
  ['other tools', `data: ${JSON.stringify(NOTHING)}\n\n`, 'no', 2],
];

describe.each([
  ['its own endpoint', 'u/mcp', ''],
  ['the joined endpoint', 'mcp', 'u_'],
])('in the stream of another call, over %s', (_, path, before) => {
  it.each([
    ['a limit', { behindMs: 300 }],
    ['a declaration', { behindMs: 300, isDeclared: true }],
    ['a limit, before it', {}],
  ])('behind %s', async (_name, refusing) => {
    const told = BESIDE.map(async ([name, said]) => {
      const server = await tellingBeside(said, refusing);
      const gateway = await open({
        upstreams: { u: { url: server.url, transport: 'http', retry: { attempts: 2 } } },
      });
      const message = await payIn(`${gateway.url}/${path}`, `${before}pay`, {}, `${before}look`, true);
      return [name, executedIn(message), server.paid()];
    });
    expect(await Promise.all(told)).toEqual(BESIDE.map(([name, , became, times]) => [name, became, times]));
  });
});

/** What a stream that is the whole conversation may do behind a refusal, besides telling of work. */
const OF_CONVERSATION = [
  ['its end', () => END, 300, 'maybe', 1],
  ['another address', () => 'event: endpoint\ndata: /messages?s=paid991\n\n', 300, 'maybe', 1],
  ['the same address', () => 'event: endpoint\ndata: /messages?s=1\n\n', 300, 'no', 2],
] as const;

it.each(OF_CONVERSATION)('over HTTP+SSE: %s', async (_, said, behindMs, executed, times) => {
  const server = await tellingOld(said, { behindMs });
  const retry = { attempts: 2 };
  const gateway = await open({ upstreams: { u: { url: server.url, transport: 'sse', retry } } });
  expect(executedIn(await alone(gateway.url))).toBe(executed);
  expect(server.paid()).toBe(times);
});
