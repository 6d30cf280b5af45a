/** A gateway in front of one piece of work, reached in every way there is: calls with a key must all mean the same. */
import type { Gateway, SettingsFile, UpstreamFile } from '../src/index.ts';
import { call, INITIALIZE, json, open, type Posted, post, settingsOf, until, upstream } from './tools.ts';

/** A process that does the work by asking for it; it ends when it is told to. */
const PROCESS = `
import { createInterface } from 'node:readline';
const serverInfo = { name: 's', version: '1' };
const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'initialize') return say(opened);
  if (method !== 'tools/call') return say({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }] });
  const text = await (await fetch(process.env.WORK, { method: 'POST', body: params.arguments.who })).text();
  if (text === 'die') process.exit(1);
  say({ content: [{ type: 'text', text }] });
});
`;

const API = {
  openapi: '3.0.0',
  info: { title: 'o', version: '1' },
  paths: {
    '/pay': {
      post: {
        operationId: 'pay',
        parameters: [{ name: 'who', in: 'query', schema: { type: 'string' } }],
        responses: { 200: { description: 'paid' } },
      },
    },
  },
};

/** The ways to the work: endpoint, tool, and whether in a session. */
export type Way = readonly [path: string, tool: string, inSession: boolean];

/** All of them. */
export const WAYS: readonly Way[] = [
  ['/u/mcp', 'pay'],
  ['/s/mcp', 'pay'],
  ['/o/mcp', 'pay'],
  ['/mcp', 'u_pay'],
  ['/mcp', 's_pay'],
  ['/mcp', 'o_pay'],
].flatMap(([path = '', tool = '']) => [[path, tool, true] as const, [path, tool, false] as const]);

/** Work that ends when the test says so. */
export interface Work {
  readonly begun: string[];
  /** What was begun and is not finished ends with this. */
  finish(text: string): void;
}

/** Everything a test of keyed calls needs. */
export interface House {
  readonly gateway: Gateway;
  readonly work: Work;
  reload(change?: (upstreams: Upstreams) => Upstreams, more?: General): void;
  /** A client of one way. */
  client(way: Way, headers?: { readonly [name: string]: string }): Promise<Client>;
}

/** One client of one way. */
export interface Client {
  readonly who: string;
  /** By default for itself, under a key of the same name. */
  pay(asked?: { readonly who?: string; readonly key?: string; readonly id?: number }): Promise<Posted>;
  tell(message: object): Promise<Posted>;
}

type General = Omit<SettingsFile, 'upstreams'>;
type Upstreams = { readonly [name: string]: UpstreamFile };

/** Opens it. */
export async function keyedHouse(settings: object, more: General = {}): Promise<House> {
  const begun: string[] = [];
  let waiting: ((text: string) => void)[] = [];
  const work = (who: string): Promise<string> => {
    begun.push(who);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const { url } = await upstream((body, response, request) => {
    if (request.url === '/doc') json(response, 200, API);
    else if (request.url === '/work') void work(body).then((text) => response.end(text));
    else if (request.url?.startsWith('/pay') === true) {
      const who = new URL(request.url, url).searchParams.get('who') ?? '';
      void work(who).then((text) => json(response, 200, { text }));
    } else if (request.method !== 'POST') response.writeHead(405).end();
    else {
      const { id, method, params } = JSON.parse(body);
      const say = (result: object): void =>
        json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': 'one' });
      const serverInfo = { name: 'u', version: '1' };
      if (id === undefined) response.writeHead(202).end();
      else if (method === 'initialize')
        say({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
      else if (method !== 'tools/call') say({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }] });
      else void work(params.arguments.who).then((text) => say({ content: [{ type: 'text', text }] }));
    }
  });
  const { origin } = new URL(url);
  const upstreams: Upstreams = {
    u: { url, ...settings },
    s: {
      command: process.execPath,
      args: ['--input-type=module', '-e', PROCESS],
      env: { WORK: `${origin}/work` },
      ...settings,
    },
    o: { openapi: `${origin}/doc`, base_url: origin, ...settings },
  };
  const gateway = await open({ ...more, upstreams });
  return {
    gateway,
    work: {
      begun,
      finish(text) {
        for (const end of waiting.splice(0)) end(text);
        waiting = [];
      },
    },
    reload: (change = (same) => same, other = more) =>
      gateway.reload(settingsOf({ ...other, upstreams: change(upstreams) })),
    client: (way, headers = {}) => clientOf(gateway.url, way, headers),
  };
}

async function clientOf(
  url: string,
  way: Way,
  headers: { readonly [name: string]: string },
): Promise<Client> {
  const [path, tool, inSession] = way;
  const at = url + path;
  const opened = inSession ? await post(at, INITIALIZE, headers) : undefined;
  const id = opened?.headers.get('mcp-session-id');
  const as = typeof id === 'string' ? { ...headers, 'mcp-session-id': id } : headers;
  await post(at, call('tools/list'), as); // processes are started, documents are read
  const own = nameOf(way);
  return {
    who: own,
    pay: ({ who = own, key = who, id: askedAs = 1 } = {}) => {
      const _meta = { 'dev.mayday/idempotency-key': key };
      return post(at, call('tools/call', { name: tool, arguments: { who }, _meta }, askedAs), as);
    },
    tell: (message) => post(at, message, as),
  };
}

function nameOf([path, tool, inSession]: Way): string {
  return `${path} ${tool} ${inSession ? 'in a session' : 'without one'}`;
}

/** Does the same in every way at once; what came of it, by way. */
export async function everyWay<T>(
  house: House,
  act: (client: Client, way: Way) => Promise<T>,
): Promise<{ readonly [who: string]: T }> {
  const all = await Promise.all(
    WAYS.map(async (way) => [nameOf(way), await act(await house.client(way), way)] as const),
  );
  return Object.fromEntries(all);
}

/** Repeats what was asked in every way, from outside of its session. */
export function everyRepeat<T>(
  house: House,
  act: (repeat: () => Promise<Posted>) => Promise<T>,
): Promise<{ readonly [who: string]: T }> {
  return everyName(async ([path, tool, inSession]) => {
    const client = await house.client([path, tool, false]);
    const who = nameOf([path, tool, inSession]);
    return act(() => client.pay({ who, id: 2 }));
  });
}

/** Something for every way, by its name. */
export async function everyName<T>(give: (way: Way) => Promise<T>): Promise<{ readonly [who: string]: T }> {
  return Object.fromEntries(
    await Promise.all(WAYS.map(async (way) => [nameOf(way), await give(way)] as const)),
  );
}

/** The same value for every way. */
export function each<T>(value: T): { readonly [who: string]: T } {
  return Object.fromEntries(WAYS.map((way) => [nameOf(way), value]));
}

/** Waits until the work has begun for this client. */
export function begun({ work }: House, { who }: Client): Promise<void> {
  return until(() => work.begun.includes(who));
}
