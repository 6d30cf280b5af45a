/** A server that says a great deal in very little words: others have their turn, and time limits hold. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { call, callTool, cleanUp, JSON_TYPES, later, open, post } from '../tools.ts';

afterEach(cleanUp);

const LOG = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };

/** What a stream is flooded with. */
const FLOODS = {
  'blank lines': '\n',
  comments: ': a\n\n',
  ids: 'id: 1\n\n',
  'ids between lone returns': 'id: 1\r\r',
  'names of events': 'event: x\n\n',
  'empty data': 'data:\n\n',
  'pauses and ids in turn': 'retry: 1\n\nid: 1\n\n',
  logs: `data: ${JSON.stringify(LOG)}\n\n`,
};

/** Answers each call over HTTP with a stream that never ends. */
const OVER_HTTP = `
  const opening = { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 's', version: '1' } };
  const tools = [{ name: 'x', inputSchema: { type: 'object' } }];
  const text = process.argv[1].repeat(Math.ceil(65536 / process.argv[1].length));
  const server = require('node:http').createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => { body += chunk; });
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method } = JSON.parse(body);
      if (id === undefined) return response.writeHead(202).end();
      if (method !== 'tools/call') {
        const result = method === 'initialize' ? opening : { tools };
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const go = () => {
        if (response.destroyed) return;
        if (response.write(text)) setImmediate(go);
        else response.once('drain', go);
      };
      go();
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/** The same over standard output. */
const OVER_STDIO = `
  const say = (said) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...said }) + '\\n');
  const text = process.argv[1].repeat(Math.ceil(65536 / process.argv[1].length));
  const go = () => { if (process.stdout.write(text)) setImmediate(go); else process.stdout.once('drain', go); };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'initialize') say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 's', version: '1' } } });
    else if (method === 'tools/list') say({ id, result: { tools: [{ name: 'x', inputSchema: { type: 'object' } }] } });
    else if (method === 'tools/call') go();
  });
`;

async function overHttp(flood: string): Promise<string> {
  const child = spawn(process.execPath, ['-e', OVER_HTTP, flood], { stdio: ['ignore', 'pipe', 'inherit'] });
  later(() => child.kill('SIGKILL'));
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return `http://127.0.0.1:${String(port).trim()}/mcp`;
}

/** The end of what a call is answered with. */
async function ask(url: string, tool: string): Promise<string> {
  const body = JSON.stringify(callTool(tool));
  const sent = request(url, { method: 'POST', headers: { ...JSON_TYPES } });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  let end = '';
  for await (const chunk of answer) end = (end + String(chunk)).slice(-4000);
  return end;
}

/** The longest that everybody else waited while something was under way, in milliseconds of this thread's own work. */
async function longestTurn<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  let last = threadClock();
  let ms = 0;
  const timer = setInterval(() => {
    ms = Math.max(ms, threadClock() - last);
    last = threadClock();
  }, 1);
  const value = await work();
  clearInterval(timer);
  return { value, ms };
}

const LIMITS = { timeout_ms: 400, max_time_ms: 800, breaker: false, retry: { attempts: 1 } } as const;

it.each(
  Object.entries(FLOODS).flatMap(([name, flood]) =>
    ['/s/mcp', '/mcp'].map((path) => ({ name, flood, path })),
  ),
)('$name over HTTP, at $path', async ({ flood, path }) => {
  const gateway = await open({ upstreams: { s: { url: await overHttp(flood), ...LIMITS } } });
  const name = path === '/mcp' ? 's_x' : 'x';
  await post(gateway.url + path, call('tools/list'));
  const { value, ms } = await longestTurn(() => ask(gateway.url + path, name));
  expect(value).toContain('"kind":"timeout"');
  expect(ms).toBeLessThan(150);
});

it.each(['/s/mcp', '/mcp'])('lines over standard output, at %s', async (path) => {
  const flood = `${JSON.stringify(LOG)}\n`;
  const args = ['-e', OVER_STDIO, flood];
  const gateway = await open({ upstreams: { s: { command: process.execPath, args, ...LIMITS } } });
  await post(gateway.url + path, call('tools/list'));
  const { value, ms } = await longestTurn(() => ask(gateway.url + path, path === '/mcp' ? 's_x' : 'x'));
  expect(value).toContain('"kind":"timeout"');
  expect(ms).toBeLessThan(150);
});
