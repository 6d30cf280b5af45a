/**
 * docs/gateway.md: a call that makes no progress for `timeout_ms` is given up, a ping is no progress, and the oldest question that
 * nobody has answered decides, whatever the server says beside it.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, cleanUp, faultIn, INITIALIZE, json, open, post, upstream } from '../tools.ts';

const PING = '{"jsonrpc":"2.0","id":"p$I","method":"ping"}';
const LOG = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';
const QUESTION = '{"jsonrpc":"2.0","id":"q$I","method":"roots/list"}';
const LONG_QUESTION = `{"jsonrpc":"2.0","id":"${'q'.repeat(300)}$I","method":"roots/list"}`;
const PROGRESS =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$TOKEN,"progress":$I}}';
const FOREIGN =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"of-another","progress":$I}}';

const EVERY_MS = 250;
const LIMITS = { timeout_ms: 1200, max_time_ms: 4000, retry: { attempts: 1 }, breaker: false } as const;
const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 's', version: '1' },
};

/** Says the first line once, then the second again and again, and never answers. */
function play(first: string, beat: string, token: unknown, say: (line: string) => void): () => void {
  let n = 0;
  const put = (line: string): void => {
    if (line !== '') say(line.replace('$I', String(++n)).replace('$TOKEN', JSON.stringify(token)));
  };
  put(first);
  const beats = setInterval(() => put(beat), EVERY_MS);
  return () => clearInterval(beats);
}

const PROCESS = `
const say = (line) => process.stdout.write(line + '\\n');
${play.toString()}
const EVERY_MS = ${EVERY_MS};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') say(JSON.stringify({ jsonrpc: '2.0', id, result: ${JSON.stringify(INITIALIZED)} }));
  else if (method === 'tools/list') say(JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [{ name: 'play', inputSchema: { type: 'object' } }] } }));
  else if (method === 'tools/call') play(params.arguments.first, params.arguments.beat, params._meta?.progressToken, say);
});`;

interface Asked {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly arguments: { readonly first: string; readonly beat: string };
    readonly _meta?: object;
  };
}

function answerTo({ id, method }: Asked): object | undefined {
  if (method === 'initialize') return { jsonrpc: '2.0', id, result: INITIALIZED };
  return method === 'tools/list' ? { jsonrpc: '2.0', id, result: { tools: [] } } : undefined;
}

function playTo(response: ServerResponse, { params }: Asked): void {
  const token = (params?._meta as { readonly progressToken?: unknown } | undefined)?.progressToken;
  const { first = '', beat = '' } = params?.arguments ?? {};
  const stop = play(first, beat, token, (line) => response.write(`data: ${line}\n\n`));
  response.on('close', stop);
}

/** `opens`: every client has a session. */
async function overHttp(opens = true): Promise<string> {
  let sessions = 0;
  const { url } = await upstream((body, response) => {
    if (body === '') return void response.writeHead(405).end();
    const asked = JSON.parse(body) as Asked;
    if (asked.id === undefined || asked.method === undefined) return void response.writeHead(202).end();
    const answer = answerTo(asked);
    if (answer !== undefined)
      return json(response, 200, answer, opens ? { 'mcp-session-id': `s${++sessions}` } : {});
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    playTo(response, asked);
  });
  return url;
}

async function overSse(): Promise<string> {
  const streams = new Map<string, ServerResponse>();
  const { url } = await upstream((body, response, request) => {
    const at = request.url ?? '';
    if (request.method === 'GET') {
      const own = `/messages/${streams.size}`;
      streams.set(own, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      return void response.write(`event: endpoint\ndata: ${own}\n\n`);
    }
    response.writeHead(202).end();
    const asked = JSON.parse(body) as Asked;
    const stream = streams.get(at);
    const answer = answerTo(asked);
    if (answer !== undefined) stream?.write(`data: ${JSON.stringify(answer)}\n\n`);
    else if (asked.method === 'tools/call' && stream !== undefined) playTo(stream, asked);
  });
  return url;
}

let url: string;

beforeAll(async () => {
  const gateway = await open({
    upstreams: {
      st: { command: process.execPath, args: ['-e', PROCESS], ...LIMITS },
      ht: { url: await overHttp(), ...LIMITS },
      no: { url: await overHttp(false), ...LIMITS },
      ol: { url: await overSse(), transport: 'sse', ...LIMITS },
    },
  });
  url = gateway.url;
});
afterAll(cleanUp);

/** How a call ends to which the server says this, and whose client `answers` what has ids that begin so. */
async function ended(path: string, first: string, beat: string, answers = '') {
  const opened = await post(url + path, INITIALIZE);
  const id = opened.headers.get('mcp-session-id');
  const session: { readonly [name: string]: string } = id === null ? {} : { 'mcp-session-id': id };
  await post(url + path, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const name = path === '/mcp' ? 'st_play' : 'play';
  const params = { name, arguments: { first, beat }, _meta: { progressToken: 'mine' } };
  const running = post(url + path, call('tools/call', params, 2), session);
  for (let n = 1; answers !== '' && n < 30; n++) {
    await sleep(EVERY_MS / 2);
    await post(url + path, { jsonrpc: '2.0', id: `${answers}${n}`, result: {} }, session);
  }
  return faultIn(await running);
}

describe.each(['/st/mcp', '/ht/mcp', '/no/mcp', '/ol/mcp', '/mcp'])('at %s', (path) => {
  it.concurrent.each([
    ['nothing', '', '', 'The server did not answer within 1.2 s (`timeout_ms`)'],
    ['pings', '', PING, 'The server did not answer within 1.2 s (`timeout_ms`)'],
    ['progress of another call', '', FOREIGN, 'The server did not answer within 1.2 s (`timeout_ms`)'],
    [
      'a question that nobody answers, and log messages',
      QUESTION,
      LOG,
      'The client did not answer within 1.2 s (`timeout_ms`) what the server has asked it',
    ],
    [
      'one question after the other',
      '',
      QUESTION,
      'The client did not answer within 1.2 s (`timeout_ms`) what the server has asked it',
    ],
    [
      'the same under long ids',
      '',
      LONG_QUESTION,
      'The client did not answer within 1.2 s (`timeout_ms`) what the server has asked it',
    ],
  ])('%s give no time', async (_what, first, beat, message) => {
    expect(await ended(path, first, beat)).toMatchObject({ kind: 'timeout', message });
  });

  it.concurrent('pings that are answered give no time', async () => {
    const message = 'The server did not answer within 1.2 s (`timeout_ms`)';
    expect(await ended(path, '', PING, 'p')).toMatchObject({ kind: 'timeout', message });
  });

  it.concurrent.each([
    ['log messages', LOG],
    ['its own progress', PROGRESS],
  ])('%s give time', async (_what, beat) => {
    const message = 'The server did not answer within 4 s (`max_time_ms`)';
    expect(await ended(path, '', beat)).toMatchObject({ kind: 'timeout', message });
  });
});

it.concurrent.each(['/ht/mcp', '/no/mcp'])(
  'a question that is answered keeps nobody waiting, at %s',
  async (path) => {
    const message = 'The server did not answer within 4 s (`max_time_ms`)';
    expect(await ended(path, QUESTION, LOG, 'q')).toMatchObject({ kind: 'timeout', message });
  },
);
