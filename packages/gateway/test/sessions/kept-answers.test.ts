/** An answer that came while nobody read it waits for whoever takes its stream up, or its client is told that it is lost. */
import { request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, INITIALIZE, later, open, post } from '../tools.ts';

afterEach(cleanUp);

/** A server that says something of a call at once, and answers it with so many letters when it is told to. */
const SERVER = `
const waiting = new Map();
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const text = (size) => ({ content: [{ type: 'text', text: 'x'.repeat(size) }] });
const opened = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') return say({ id, result: opened });
  if (method !== 'tools/call') return;
  const { name, arguments: { size } } = params;
  if (name === 'answer') {
    for (const [other, { size, token }] of waiting) {
      for (let nth = 0; nth < params.arguments.steps; nth++)
        say({ method: 'notifications/progress', params: { progressToken: token, progress: 2 + nth } });
      say({ id: other, result: text(size) });
    }
    waiting.clear();
    return say({ id, result: text(0) });
  }
  const token = params._meta?.progressToken;
  if (token !== undefined) say({ method: 'notifications/progress', params: { progressToken: token, progress: 1 } });
  if (name === 'wait') waiting.set(id, { size, token });
  else say({ id, result: text(size) });
});`;

async function gateway(limits: object = {}) {
  const { url } = await open({
    limits,
    upstreams: { s: { command: process.execPath, args: ['-e', SERVER] } },
  });
  return `${url}/s/mcp`;
}

async function session(at: string): Promise<string> {
  const { headers } = await post(at, INITIALIZE);
  return headers.get('mcp-session-id') ?? '';
}

const tool = (id: number, name: string, size: number, steps = 0): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: { size, steps }, _meta: { progressToken: id } },
  });

/** Calls a tool that waits, and breaks the connection once there is an event to come back to. */
function brokenCall(at: string, named: string, id: number, size: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': named,
    };
    const asking = request(at, { method: 'POST', headers }, (response) => {
      let said = '';
      response.on('data', (chunk) => {
        said += chunk;
        const event = /^id: (.+)$/m.exec(said)?.[1];
        if (event === undefined) return;
        asking.destroy();
        resolve(event);
      });
      response.on('error', () => undefined);
    });
    asking.on('error', reject);
    later(() => asking.destroy());
    asking.end(tool(id, 'wait', size));
  });
}

async function takenUp(at: string, named: string, event: string) {
  const response = await fetch(at, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': named, 'last-event-id': event },
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  const messages = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
  return { status: response.status, messages };
}

const lettersIn = (message: { result: { content: [{ text: string }] } }): number =>
  message.result.content[0].text.length;

it('two large answers of one session, both unread, are both there', async () => {
  const at = await gateway();
  const id = await session(at);
  const events = [await brokenCall(at, id, 1, 900_000), await brokenCall(at, id, 2, 900_000)];
  await post(at, tool(3, 'answer', 0), { 'mcp-session-id': id });
  for (const [i, event] of events.entries()) {
    const { messages } = await takenUp(at, id, event);
    expect(messages.map((message) => [message.id, lettersIn(message)])).toEqual([[i + 1, 900_000]]);
  }
});

it('an answer that nobody has read stays, however much is read after it', async () => {
  const at = await gateway();
  const id = await session(at);
  const event = await brokenCall(at, id, 1, 10);
  await post(at, tool(2, 'answer', 0), { 'mcp-session-id': id });
  for (let nth = 3; nth < 13; nth++)
    await post(at, tool(nth, 'at once', 1_000_000), { 'mcp-session-id': id });
  const { messages } = await takenUp(at, id, event);
  expect(messages.map((message) => [message.id, lettersIn(message)])).toEqual([[1, 10]]);
});

it.each([300, 6000])(
  'an answer that nobody has read stays, whatever else nobody has read: %i steps',
  async (steps) => {
    const at = await gateway();
    const id = await session(at);
    const answers = async (nth: number, more: number) =>
      post(at, tool(nth, 'answer', 0, more), { 'mcp-session-id': id });
    const first = await brokenCall(at, id, 1, 10);
    await answers(2, 0);
    const second = await brokenCall(at, id, 3, 10);
    await answers(4, steps);
    const [one, other] = [await takenUp(at, id, first), await takenUp(at, id, second)];
    expect(one.messages.map((message) => message.id)).toEqual([1]);
    expect(other.messages.at(-1)).toMatchObject({ id: 3, result: { content: [{ text: 'xxxxxxxxxx' }] } });
  },
);

it('what others have read already leaves it room', async () => {
  const at = await gateway({ caller_bytes: 8_000_000 });
  for (let nth = 0; nth < 8; nth++)
    await post(at, tool(1, 'at once', 900_000), { 'mcp-session-id': await session(at) });
  const id = await session(at);
  const event = await brokenCall(at, id, 1, 900_000);
  await post(at, tool(2, 'answer', 0), { 'mcp-session-id': id });
  const { messages } = await takenUp(at, id, event);
  expect(messages.map((message) => [message.id, lettersIn(message)])).toEqual([[1, 900_000]]);
});

it('where there is no room for it, whoever comes back for it is told that it is lost', async () => {
  const at = await gateway({ caller_bytes: 1_000_000 });
  const id = await session(at);
  const events = [await brokenCall(at, id, 1, 400_000), await brokenCall(at, id, 2, 400_000)];
  await post(at, tool(3, 'answer', 0), { 'mcp-session-id': id });
  const [first, second] = [await takenUp(at, id, events[0] ?? ''), await takenUp(at, id, events[1] ?? '')];
  expect(first.messages).toMatchObject([
    {
      id: 1,
      result: {
        isError: true,
        _meta: { 'dev.mayday/fault': { kind: 'disconnected', origin: 'gateway', executed: 'maybe' } },
      },
    },
  ]);
  expect(second.messages.map((message) => [message.id, lettersIn(message)])).toEqual([[2, 400_000]]);
});

it.each(['never-sent', 'r99-1', 'x', '0', 's', 'r1'])(
  'an event that was never sent is refused: %s',
  async (event) => {
    const at = await gateway();
    const id = await session(at);
    const { status } = await takenUp(at, id, event);
    expect(status).toBe(400);
  },
);

it('the next call is not held up by what waits', async () => {
  const at = await gateway();
  const id = await session(at);
  await brokenCall(at, id, 1, 10);
  await post(at, tool(2, 'answer', 0), { 'mcp-session-id': id });
  const { message } = await post(at, call('tools/call', { name: 'at once', arguments: { size: 3 } }), {
    'mcp-session-id': id,
  });
  expect(lettersIn(message as Parameters<typeof lettersIn>[0])).toBe(3);
});
