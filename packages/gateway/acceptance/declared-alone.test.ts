/** A declared "it was not executed" is asked again only where nothing else in the exchange tells of work: no header, status line, announcement or trailer. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from './support/gateway.ts';
import { at } from './support/house.ts';
import { faultOf, post } from './support/http.ts';
import { type HttpPuppet, startHttpPuppet } from './support/http-puppet.ts';
import { keepGateway } from './support/keep.ts';
import { ask, call } from './support/messages.ts';
import { executions, type Step } from './support/puppet.ts';

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

const gateway = keepGateway(async () => {
  const upstreams = { shop: { url: http.url, breaker: false, retry: { attempts: 2, max_wait_ms: 1000 } } };
  const started = await startGateway({ upstreams });
  await Promise.all(['shop', ''].map((name) => post(at(started, name), ask('tools/list'))));
  return started;
}, [ledger]);

const MESSAGE = 'Too many requests';
const fault = (more: object = {}): object => ({
  kind: 'rate_limited',
  reaction: 'retryable',
  retryable: true,
  retry: { when: 'after_wait', after_ms: 1 },
  executed: 'no',
  origin: 'server',
  message: MESSAGE,
  ...more,
});
const inError = (more: object = {}): object => ({
  error: { code: -32000, message: MESSAGE, data: fault(more) },
});
const inResult = (more: object = {}): object => ({
  result: {
    isError: true,
    content: [{ type: 'text', text: MESSAGE }],
    _meta: { 'dev.mayday/fault': fault(more) },
  },
});
const FORMS = [
  ['in an error', inError],
  ['in a result', inResult],
] as const;

let keys = 0;
/** How often the work was done at each endpoint, and what the caller was told of it. */
async function done(script: readonly Step[]): Promise<readonly unknown[]> {
  const ways = [
    ['shop', 'pay'],
    ['', 'shop_pay'],
  ] as const;
  const found: unknown[] = [];
  for (const [way, tool] of ways) {
    keys += 1;
    const { message } = await post(at(gateway(), way), call(tool, { key: `d${keys}`, script }), {
      within: 9000,
    });
    found.push([executions(ledger, `d${keys}`), faultOf(message)['executed']]);
  }
  return found;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ONCE = [
  [1, 'maybe'],
  [1, 'maybe'],
];
const TWICE = [
  [2, 'no'],
  [2, 'no'],
];

describe.each(FORMS)('%s', (_form, answer) => {
  const said = { answer: answer() };

  it.each<[string, readonly Step[]]>([
    ['alone', [said]],
    ['under 429', [{ head: 429, headers: { ...JSON_TYPE, 'retry-after': '0' } }, said]],
    ['under 503', [{ head: 503 }, said]],
    ['with what any door sends', [{ head: 429, headers: { ...JSON_TYPE, 'set-cookie': '__cf_bm=a' } }, said]],
  ])('is asked again: %s', async (_how, script) => {
    expect(await done(script)).toEqual(TWICE);
  });

  it.each<[string, readonly Step[]]>([
    ...[200, 429, 503].flatMap((head): [string, readonly Step[]][] => [
      [`${head} with a place`, [{ head, headers: { ...JSON_TYPE, location: '/orders/41' } }, said]],
      [`${head} with an id`, [{ head, headers: { ...JSON_TYPE, 'x-booking-id': '41' } }, said]],
      [`${head} with a cookie`, [{ head, headers: { ...JSON_TYPE, 'set-cookie': 'receipt=41' } }, said]],
      [`${head} with its type`, [{ head, headers: { 'content-type': 'application/json; order=41' } }, said]],
      [`${head} in its words`, [{ head, words: 'Order 41 Created' }, said]],
      [`${head} after 102`, [{ processing: true }, { head }, said]],
      [`${head} after 103`, [{ hints: { link: '</orders/41>; rel=item' } }, { head }, said]],
      [
        `${head} before a trailer`,
        [
          { head, headers: { ...JSON_TYPE, trailer: 'x-order-id' } },
          said,
          { trailers: { 'X-Order-Id': '41' } },
        ],
      ],
      [`${head} before words`, [{ head }, said, { say: '\norder 41 booked' }]],
    ]),
    ['what was made in its details', [{ answer: answer({ details: { created: ['41'] } }) }]],
    ['a number in its details', [{ answer: answer({ details: { order: 41 } }) }]],
  ])('is asked once: %s', async (_how, script) => {
    expect(await done(script)).toEqual(ONCE);
  });
});
