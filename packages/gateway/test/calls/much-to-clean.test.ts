/** Servers that say what is slow to look through hold up their own callers, and nobody else's. */
import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const MANY = 12;
/** Parts that several rules look at, in an order in which none repeats itself. */
const PARTS = [
  'a@b.',
  'x@',
  '| a ',
  '|',
  '---|',
  '\n|',
  ' password ',
  '10.0.0.1',
  '::',
  'fd00:',
  '/home/a/b.js:1:2)',
];

function hostile(seed: number): string {
  let state = seed;
  return Array.from({ length: 2000 }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return PARTS[state % PARTS.length] ?? '';
  }).join('');
}

const FINE = { content: [{ type: 'text', text: 'fine' }] };
const TOLD = (text: string): object => ({
  jsonrpc: '2.0',
  method: 'notifications/message',
  params: { level: 'info', data: text },
});
const EVENT = (message: object): string => `data: ${JSON.stringify(message)}\n\n`;

type Waiting = readonly [id: number, response: ServerResponse];

const answer = ([id, response]: Waiting): void => {
  const content = [{ type: 'text', text: hostile(id) }];
  json(response, 200, { jsonrpc: '2.0', id, result: { content, isError: true } });
};
const tell = ([id, response]: Waiting): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let i = 0; i < 3; i++) response.write(EVENT(TOLD(hostile(id + i))));
  response.end(EVENT({ jsonrpc: '2.0', id, result: FINE }));
};

it.each([
  ['fail', answer],
  ['tell much before they answer', tell],
])(
  'calls of others come through while %s',
  async (_what, say) => {
    const waiting: Waiting[] = [];
    let whenAsked: number | undefined;
    let answered = 0;
    const bad = await upstream((body, response) => {
      const { id } = JSON.parse(body) as { id: number };
      waiting.push([id, response]);
      if (waiting.length === MANY) for (const one of waiting) say(one);
    });
    const good = await upstream((body, response) => {
      whenAsked = answered;
      json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, result: FINE });
    });
    const gateway = await open({ upstreams: { bad: { url: bad.url }, good: { url: good.url } } });
    await post(`${gateway.url}/good/mcp`, callTool('get'));
    const all = Array.from({ length: MANY }, async (_, id) => {
      const { text } = await post(`${gateway.url}/bad/mcp`, callTool('t', {}, id + 1));
      answered += 1;
      return text.length;
    });
    await expect.poll(() => waiting.length, { interval: 1 }).toBe(MANY);
    const { message } = await post(`${gateway.url}/good/mcp`, callTool('get'));
    expect(message).toMatchObject({ result: FINE });
    expect(whenAsked).toBeLessThan(MANY / 2);
    expect(answered).toBeLessThan(MANY / 2);
    expect(Math.min(...(await Promise.all(all)))).toBeGreaterThan(1000);
  },
  120_000,
);
