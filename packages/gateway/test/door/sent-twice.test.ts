/** A request that somebody on the way sends twice, under its one id, is made once. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

/** Counts what it has done, and takes its time. */
const COUNTING = `
let done = 0;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  if (method === 'initialize') say({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } });
  else if (method === 'tools/list') say({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }] });
  else if (method === 'tools/call') {
    const text = 'paid ' + ++done;
    setTimeout(() => say({ content: [{ type: 'text', text }] }), 600);
  }
});`;

async function house(): Promise<string> {
  let done = 0;
  const opened = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'u', version: '1' } };
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    const say = (result: object, headers = {}) =>
      json(response, 200, { jsonrpc: '2.0', id, result }, headers);
    if (method === 'initialize') say(opened, { 'mcp-session-id': 's1' });
    else if (method === 'tools/list') say({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }] });
    else if (method === 'tools/call') {
      const text = `paid ${++done}`;
      setTimeout(() => say({ content: [{ type: 'text', text }] }), 600);
    } else response.writeHead(202).end();
  });
  const std = { command: process.execPath, args: ['-e', COUNTING] };
  return (await open({ upstreams: { std, web: { url } } })).url;
}

async function sessionAt(url: string): Promise<{ readonly [name: string]: string }> {
  const { headers } = await post(url, INITIALIZE);
  return {
    'mcp-session-id': headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': '2025-11-25',
  };
}

it.each([
  ['/std/mcp', 'pay'],
  ['/web/mcp', 'pay'],
  ['/mcp', 'std_pay'],
  ['/mcp', 'web_pay'],
])('at %s (%s)', async (path, tool) => {
  const url = (await house()) + path;
  const session = await sessionAt(url);
  const both = await Promise.all([1, 2].map(() => post(url, callTool(tool), session)));
  expect(both.map(({ message }) => message.result?.['content'])).toEqual([
    [{ type: 'text', text: 'paid 1' }],
    [{ type: 'text', text: 'paid 1' }],
  ]);
  // Whoever uses an id again when it is free is served.
  const { message } = await post(url, callTool(tool), session);
  expect(message.result?.['content']).toEqual([{ type: 'text', text: 'paid 2' }]);
});

it.each(['/std/mcp', '/web/mcp'])(
  'and goes on for the second where the first has left, at %s',
  async (path) => {
    const url = (await house()) + path;
    const session = await sessionAt(url);
    const leaving = new AbortController();
    const first = fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
      },
      body: JSON.stringify(callTool('pay')),
      signal: leaving.signal,
    }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const second = post(url, callTool('pay'), session);
    await new Promise((resolve) => setTimeout(resolve, 150));
    leaving.abort();
    await first;
    expect((await second).message.result?.['content']).toEqual([{ type: 'text', text: 'paid 1' }]);
  },
);

it.each(['/std/mcp', '/web/mcp'])('is not another request under the same id, at %s', async (path) => {
  const url = (await house()) + path;
  const session = await sessionAt(url);
  const first = post(url, callTool('pay'), session);
  await new Promise((resolve) => setTimeout(resolve, 150));
  const other = await post(url, callTool('pay', { order: 2 }), session);
  expect(other.message.result?.['content']).toEqual([{ type: 'text', text: 'paid 2' }]);
  expect((await first).message.result?.['content']).toEqual([{ type: 'text', text: 'paid 1' }]);
});

it('without a session an id says nothing', async () => {
  const url = `${await house()}/web/mcp`;
  const both = await Promise.all([1, 2].map(() => post(url, callTool('pay'))));
  const texts = both.map(({ message }) => JSON.stringify(message.result?.['content']));
  expect(new Set(texts).size).toBe(2);
});
