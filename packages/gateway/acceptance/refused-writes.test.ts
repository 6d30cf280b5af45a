/** A limit by a code that a named document defines is asked again only where all of the answer, and all around it, is that limit. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { faultOf, post } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call, initialize } from './support/messages.ts';
import { executions, type Step } from './support/puppet.ts';
import { stdio } from './support/world.ts';

const folder = scratch();
const ledger = join(folder, 'ledger');
const tools = [{ name: 'pay', inputSchema: { type: 'object' } }];
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ ledger, tools });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});

const DIALECTS = ['erlmcp', 'closient'] as const;
const gateway = keepGateway(async () => {
  const common = { breaker: false, retry: { attempts: 2, max_wait_ms: 1000 } };
  const upstreams = Object.fromEntries(
    DIALECTS.flatMap((from) => [
      [`h-${from}`, { url: http.url, from, ...common }],
      [`s-${from}`, stdio({ ledger, tools }, { from, ...common })],
    ]),
  );
  const started = await startGateway({ upstreams });
  const names = [...Object.keys(upstreams), ''];
  await Promise.all(names.map((name) => post(at(started, name), ask('tools/list'))));
  return started;
}, [ledger]);

/** The limit, as each document writes it. */
const LIMITS = {
  erlmcp: { error: { code: -32010, message: 'Rate limit exceeded', data: { limit: 1, retry_after: 0 } } },
  closient: {
    result: {
      content: [],
      error: {
        code: -32003,
        message: 'Rate Limited',
        data: {
          title: 'Rate Limited',
          status: 429,
          detail: 'Slow down',
          error_code: 'rate_limited',
          retryable: true,
          retry_after: 0,
        },
      },
    },
  },
};
/** The same, which is asked again half a second later. */
const LATER = JSON.parse(JSON.stringify(LIMITS).replaceAll('"retry_after":0', '"retry_after":0.5'));
const SUCCESS = { result: { content: [{ type: 'text', text: 'Payment booked' }] } };
const whole = (answer: object): string => JSON.stringify({ jsonrpc: '2.0', id: '$ID', ...answer });
const CHUNKED = { 'content-type': 'application/json', trailer: 'x-order-id' };

let keys = 0;
/** How often the work was done, and what the caller was told of it. */
async function done(
  way: string,
  tool: string,
  script: readonly Step[],
  headers: Record<string, string> = {},
): Promise<readonly [number, unknown]> {
  keys += 1;
  const key = `r${keys}`;
  const { message } = await post(at(gateway(), way), call(tool, { key, script }), { headers, within: 9000 });
  return [executions(ledger, key), faultOf(message)['executed']];
}

async function session(way: string): Promise<Record<string, string>> {
  const { headers } = await post(at(gateway(), way), initialize());
  return { 'mcp-session-id': String(headers['mcp-session-id']) };
}

/** By each way in over HTTP: the own endpoint, the joined one, and that in a session. */
async function everyWay(
  from: (typeof DIALECTS)[number],
  script: readonly Step[],
): Promise<readonly (readonly [number, unknown])[]> {
  const tool = `h-${from}_pay`;
  return Promise.all([
    done(`h-${from}`, 'pay', script),
    done('', tool, script),
    done('', tool, script, await session('')),
  ]);
}

const TWICE = [
  [2, 'no'],
  [2, 'no'],
  [2, 'no'],
];
const ONCE = [
  [1, 'maybe'],
  [1, 'maybe'],
  [1, 'maybe'],
];

describe.each(DIALECTS)('%s', (from) => {
  const answer = { answer: LIMITS[from] };

  it.each<[string, readonly Step[]]>([
    ['alone', [answer]],
    ['in a stream', [{ events: [LIMITS[from]] }]],
    ['before a comment', [{ events: [LIMITS[from]] }, { say: ': bye' }]],
    ['under 429', [{ head: 429 }, answer]],
  ])('is asked again: %s', async (_, script) => {
    expect(await everyWay(from, script)).toEqual(TWICE);
  });

  it.each<[string, readonly Step[]]>([
    ...[500, 503, 409, 404, 403, 400, 202].map((head): [string, readonly Step[]] => [
      `under ${head}`,
      [{ head, headers: CHUNKED }, answer],
    ]),
    ['words in the status line', [{ head: 200, words: 'Payment booked' }, answer]],
    ['words in the status line of 429', [{ head: 429, words: 'Booked' }, answer]],
    ['102 before it', [{ processing: true }, answer]],
    ['a link in early hints', [{ hints: { link: '</orders/7>; rel=item' } }, answer]],
    ['a trailer', [{ head: 200, headers: CHUNKED }, answer, { trailers: { 'X-Order-Id': '7' } }]],
    ['a success behind it', [{ events: [LIMITS[from], SUCCESS] }]],
    ['a success behind it, later', [{ events: [LIMITS[from]] }, { wait: 300 }, { events: [SUCCESS] }]],
    ['a success that the end cuts off', [{ events: [LIMITS[from]] }, { say: `data: ${whole(SUCCESS)}` }]],
    ['an event with a name and nothing else', [{ events: [LIMITS[from]] }, { say: 'event: booked\n\n' }]],
    ['a comment that names a thing', [{ events: [LIMITS[from]] }, { say: ': order 991\n\n' }]],
    ['a word that the end cuts off', [{ events: [LIMITS[from]] }, { say: 'data: Payment boo' }]],
    [
      'a field that nobody knows',
      [
        { head: 200, headers: { 'content-type': 'text/event-stream' } },
        { say: `booked: pay_991\ndata: ${whole(LIMITS[from])}\n\n` },
      ],
    ],
    ['a stream that goes on', [{ events: [LIMITS[from]] }, { hang: true }]],
    [
      'a log behind it',
      [{ events: [LIMITS[from], { method: 'notifications/message', params: { data: 'Payment booked' } }] }],
    ],
    [
      'a trailer of a stream',
      [
        { head: 200, headers: { 'content-type': 'text/event-stream', trailer: 'x-order-id' } },
        { events: [LIMITS[from]] },
        { trailers: { 'X-Order-Id': '7' } },
      ],
    ],
  ])('is asked once: %s', async (_, script) => {
    expect(await everyWay(from, script)).toEqual(ONCE);
  });

  it('is asked again over stdio, unless it answers twice', async () => {
    expect(await done(`s-${from}`, 'pay', [answer])).toEqual([2, 'no']);
    expect(await done(`s-${from}`, 'pay', [answer, { answer: SUCCESS }])).toEqual([1, 'maybe']);
  });

  it('is asked once over stdio, where another answer comes before it is asked again', async () => {
    const later = { answer: LATER[from] };
    expect(await done(`s-${from}`, 'pay', [later])).toEqual([2, 'no']);
    expect(await done(`s-${from}`, 'pay', [later, { wait: 100 }, { answer: SUCCESS }])).toEqual([1, 'maybe']);
  });
});
