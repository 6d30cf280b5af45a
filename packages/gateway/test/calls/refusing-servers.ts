/** Servers that tell of their work beside the answer, and say that they have not begun it. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beBusy } from '../../../../test/busy.ts';
import { json, later, post, upstream } from '../tools.ts';

export const LOG = {
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: 'booked' },
};
export const CHANGE = {
  jsonrpc: '2.0',
  method: 'notifications/resources/updated',
  params: { uri: 'order://7' },
};
export const QUESTION = {
  jsonrpc: '2.0',
  id: 'q',
  method: 'elicitation/create',
  params: { message: 'Sure?' },
};
export const NEW_RESOURCE = { jsonrpc: '2.0', method: 'notifications/resources/list_changed' };
export const TAKEN_BACK = {
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId: 'q', reason: 'already paid' },
};
export const NOTHING = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
export const PAID = { content: [{ type: 'text', text: 'paid' }] };
export const NO_RECEIPT = { code: -32000, message: 'paid, no receipt' };

export const RESULT = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 's' },
};
const OPENING = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'c', version: '1' },
  },
};
/** The call; `token`: under which it wants to hear how it goes on. */
export function pay(name: string, token?: string): object {
  const _meta = { progressToken: token };
  const params = { name, arguments: {}, ...(token === undefined ? {} : { _meta }) };
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
}

/** Opens a session with a stream that stands, and pays in it, with another call `beside`, or before: what the first was answered with. */
export async function payIn(
  url: string,
  name: string,
  resumed: { 'last-event-id'?: string } = {},
  beside?: string | undefined,
  isBesideFirst = false,
): Promise<Answered> {
  const opened = await post(url, OPENING);
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  const abort = new AbortController();
  later(() => abort.abort());
  const headers = { accept: 'text/event-stream', ...session, ...resumed };
  void fetch(url, { headers, signal: abort.signal }).catch(() => undefined);
  await sleep(300);
  if (isBesideFirst) {
    void post(url, { ...pay(beside ?? ''), id: 2 }, session).catch(() => undefined);
    await sleep(300);
  }
  const paying = post(url, pay(name), session);
  if (beside !== undefined && !isBesideFirst) void post(url, { ...pay(beside), id: 2 }, session);
  return (await paying).message;
}

/** What it says of the call. */
export function executedIn({ result, error }: Answered): unknown {
  return result?._meta?.['dev.mayday/fault']?.['executed'] ?? error?.data?.['executed'];
}

type Answered = Awaited<ReturnType<typeof post>>['message'];

/** A message or what is written as it is, or what makes one by the id of the call. */
type Said = object | ((id: number) => object | string);

/** The stream ends behind what is written as it is. */
export const END = '<end>';

/** How the call is refused. */
interface Refusing {
  readonly status?: number | undefined;
  /** So long after the refusal it is said; before it, if absent. */
  readonly behindMs?: number | undefined;
  /** A JSON-RPC error that it is refused with; without a word, if absent. */
  readonly error?: object | undefined;
  /** This process does something else from then on, until the wait is over: what was said still waits to be read. */
  readonly busy?: boolean | undefined;
  /** Under a status of success, a result declares that nothing was done. */
  readonly isDeclared?: boolean | undefined;
}

const BUSY = {
  kind: 'overloaded',
  message: 'busy',
  executed: 'no',
  retryable: true,
  reaction: 'retryable',
  retry: { when: 'after_wait', after_ms: 1000 },
};
const DECLARED = {
  isError: true,
  content: [{ type: 'text', text: 'busy' }],
  _meta: { 'dev.mayday/fault': BUSY },
};

function sayTo(stream: ServerResponse | undefined, id: number, said: Said): void {
  const message = typeof said === 'function' ? said(id) : said;
  if (typeof message !== 'string') stream?.write(`data: ${JSON.stringify(message)}\n\n`);
  else if (message.endsWith(END)) stream?.end(message.slice(0, -END.length));
  else stream?.write(message);
}

/** Until after the wait that is asked for. */
const BUSY_MS = 1500;

function refuse(
  response: ServerResponse,
  id: number,
  tell: () => void,
  { status = 429, behindMs, error, isDeclared, busy }: Refusing,
): void {
  const say = (): void => {
    // In one phase of the loop: what is written is not read before.
    setImmediate(tell);
    if (busy === true) setImmediate(beBusy, BUSY_MS);
  };
  if (isDeclared === true) {
    json(response, 200, { jsonrpc: '2.0', id, result: DECLARED });
    setTimeout(say, behindMs);
    return;
  }
  const wait = status === 429 ? { 'retry-after': behindMs === undefined ? '0' : '1' } : {};
  const type = error === undefined ? {} : { 'content-type': 'application/json' };
  const words = error === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id: null, error });
  if (behindMs === undefined) {
    say();
    setTimeout(() => response.writeHead(status, { ...wait, ...type }).end(words), 200);
  } else {
    response.writeHead(status, { ...wait, ...type }).end(words);
    setTimeout(say, behindMs);
  }
}

/** A server over streamable HTTP that tells on its standing stream what it does, and says that it does not. */
export async function telling(said: Said, refusing: Refusing = {}) {
  let stream: ServerResponse | undefined;
  let paid = 0;
  const server = await upstream((body, response, request) => {
    if (request.method === 'GET') {
      stream = response;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      return;
    }
    if (request.method !== 'POST') return void response.writeHead(204).end();
    const { id, method } = JSON.parse(body);
    if (method === 'initialize')
      json(response, 200, { jsonrpc: '2.0', id, result: RESULT }, { 'mcp-session-id': 'own' });
    else if (id === undefined || method === undefined) response.writeHead(202).end();
    else if (method !== 'tools/call') json(response, 200, { jsonrpc: '2.0', id, result: { tools: [] } });
    else {
      paid += 1;
      refuse(response, id, () => sayTo(stream, id, said), refusing);
    }
  });
  return { url: server.url, paid: () => paid };
}

/** One that says something in the stream of another call of the session, behind the refusal or before. */
export async function tellingBeside(said: string | ((look: number) => string), refusing: Refusing = {}) {
  let looking: { readonly id: number; readonly response: ServerResponse } | undefined;
  let paid = 0;
  const server = await upstream((body, response, request) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    const result = method === 'initialize' ? RESULT : { tools: [] };
    if (id === undefined) response.writeHead(202).end();
    else if (method !== 'tools/call')
      json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 'own' });
    else if (params.name === 'look') {
      looking = { id, response: response.writeHead(200, { 'content-type': 'text/event-stream' }) };
      response.write(': here\n\n');
    } else {
      paid += 1;
      const tell = (): void => {
        const { id: look = 0, response: stream } = looking ?? {};
        sayTo(stream, look, () => (typeof said === 'string' ? said : said(look)));
      };
      refuse(response, id, tell, refusing);
    }
  });
  return { url: server.url, paid: () => paid };
}

/** One that answers `pay` where it answers `look`, as events or as the only message, or says something else there, and says that it does not. */
export async function answeringElsewhere(isEvents: boolean, said?: object) {
  let paid = 0;
  let paying: { readonly id: number; readonly response: ServerResponse } | undefined;
  const server = await upstream((body, response, request) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    const result = method === 'initialize' ? RESULT : { tools: [] };
    if (id === undefined) response.writeHead(202).end();
    else if (method !== 'tools/call')
      json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 'own' });
    else if (params.name === 'pay') {
      paid += 1;
      if (paid > 1) response.writeHead(429, { 'retry-after': '0' }).end();
      else paying = { id, response };
    } else {
      const answer = { jsonrpc: '2.0', id: paying?.id, result: PAID };
      if (isEvents) response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (isEvents)
        response.end(
          `data: ${JSON.stringify(said ?? answer)}\n\ndata: ${JSON.stringify({ ...answer, id })}\n\n`,
        );
      else json(response, 200, answer);
      setTimeout(() => paying?.response.writeHead(429, { 'retry-after': '0' }).end(), 200);
    }
  });
  return { url: server.url, paid: () => paid };
}

/** One that keeps nothing, and tells of `pay` where it answers `look`; `behind`: when it has refused that. */
export async function strangersServer(said: object, behind: boolean) {
  let paid = 0;
  let looking: ServerResponse | undefined;
  const server = await upstream((body, response, request) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) response.writeHead(202).end();
    else if (method !== 'tools/call')
      json(response, 200, { jsonrpc: '2.0', id, result: method === 'initialize' ? RESULT : { tools: [] } });
    else if (params.name === 'look') {
      looking = response.writeHead(200, { 'content-type': 'text/event-stream' });
      looking.write(': here\n\n');
      setTimeout(
        () => response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: PAID })}\n\n`),
        2500,
      );
    } else {
      paid += 1;
      const say = (): unknown => looking?.write(`data: ${JSON.stringify(said)}\n\n`);
      const no = (): unknown => response.writeHead(429, { 'retry-after': '1' }).end();
      if (behind) no();
      else say();
      setTimeout(behind ? say : no, 200);
    }
  });
  return { url: server.url, paid: () => paid };
}

/** One that tells on the stream of the transport of 2024-11-05. */
export async function tellingOld(said: Said, refusing: Refusing = {}) {
  let paid = 0;
  const streams = new Map<string, ServerResponse>();
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'GET') {
      const name = String(streams.size + 1);
      streams.set(name, response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /messages?s=${name}\n\n`);
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const { id, method } = JSON.parse(body);
      const stream = streams.get(searchParams.get('s') ?? '');
      const say = (message: object): void => void stream?.write(`data: ${JSON.stringify(message)}\n\n`);
      if (method !== 'tools/call') {
        response.writeHead(202).end();
        const result = method === 'initialize' ? RESULT : { tools: [] };
        if (id !== undefined && method !== undefined) say({ jsonrpc: '2.0', id, result });
        return;
      }
      paid += 1;
      refuse(response, id, () => sayTo(stream, id, said), refusing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`, paid: () => paid };
}
