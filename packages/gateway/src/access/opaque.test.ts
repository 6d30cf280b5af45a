/** Where refusals are opaque, nobody learns by asking what there is: what is denied and what is unknown go the same way. */
import { afterEach, expect, it } from 'vitest';
import {
  call,
  cleanUp,
  faultIn,
  json,
  open,
  type Posted,
  post,
  settingsOf,
  upstream,
} from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

const OPAQUE = {
  default: 'deny',
  refusals: 'opaque',
  rules: [{ allow: ['bank/look', 'bank/none*', 'bank/bank://none'] }],
} as const;

async function bankWith(
  more: Partial<SettingsFile> = {},
  unknown: object = { code: -32602, message: 'Tool none not found' },
) {
  const asked: string[] = [];
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body);
    if (method !== 'tools/call') return json(response, 200, { jsonrpc: '2.0', id, result: { tools: [] } });
    asked.push(params.name);
    const said = params.name === 'look' ? { result: { content: [] } } : { error: unknown };
    json(response, 200, { jsonrpc: '2.0', id, ...said });
  });
  const gateway = await open({ access: OPAQUE, upstreams: { bank: { url } }, ...more });
  const use = (name: string, params: object = {}): Promise<Posted> =>
    post(`${gateway.url}/bank/mcp`, call('tools/call', { name, arguments: {}, ...params }));
  return { url, gateway, use, asked };
}

/** All that a caller can see of an answer, but when it came, and what is another each time. */
const seen = ({ status, headers, message }: Posted): unknown => ({
  status,
  message: JSON.stringify(message).replace(/"correlation_id":"[^"]*"/g, ''),
  headers: Object.fromEntries([...headers].filter(([name]) => !['date', 'content-length'].includes(name))),
});

it('counts what is denied like everything else, and tells so', async () => {
  const { use, asked } = await bankWith({
    limits: { rates: [{ calls: 2, per_ms: 3_600_000, by: ['tool'] }] },
  });
  const [denied, unknown] = [await use('pay'), await use('none')];
  expect(denied.headers.get('ratelimit')).toBe('"2-per-hour";r=1;t=3600');
  expect(seen(denied)).toEqual(seen(unknown));
  await Promise.all([use('pay'), use('none')]);
  const [tooMany, alike] = [faultIn(await use('pay')), faultIn(await use('none'))];
  expect(tooMany).toMatchObject({ kind: 'rate_limited', executed: 'no' });
  expect(alike).toMatchObject({ kind: 'rate_limited', message: tooMany?.['message'] });
  expect(asked).toEqual(['none', 'none']);
});

it.each([
  [{ tools: ['bank/pay'], calls: 1 }, Array(6).fill(undefined)],
  [{ costs: { 'bank/pay': 29, 'bank/*': 2 }, calls: 30 }, ['28', '26', '24', '22', '20', '18']],
])('counts nothing of what is denied by its name: %j', async (limit, counted) => {
  const { use } = await bankWith({
    access: { refusals: 'opaque', rules: [{ deny: ['bank/pay'] }] },
    limits: { rates: [{ per_ms: 3_600_000, by: ['caller'], ...limit }] } as SettingsFile['limits'],
  });
  const left = ({ headers }: Posted): string | undefined =>
    headers.get('ratelimit')?.replace(/;t=.*/, '').replace(/.*;r=/, '');
  const answers: Posted[] = [];
  for (const name of ['pay', 'none', 'pay', 'none', 'pay', 'none']) answers.push(await use(name));
  expect(answers.map((answer) => faultIn(answer)?.['kind'])).toEqual(Array(6).fill('forbidden'));
  expect(answers.map(left)).toEqual(counted);
});

it.each([
  // What a pattern is for is nothing that this caller may use: it counts no name.
  [{ tools: ['bank/pay_*'], calls: 1 }, OPAQUE, [undefined, undefined, undefined]],
  [{ costs: { 'bank/pay_*': 29 }, calls: 30 }, OPAQUE, ['29', '28', '27']],
  [
    { tools: ['bank/pay_*'], calls: 9 },
    { refusals: 'opaque', rules: [{ deny: ['bank/pay*'] }] },
    [undefined, undefined, undefined],
  ],
  // It is for what they may use as well: it counts every name of that form.
  [{ tools: ['bank/*'], calls: 9 }, OPAQUE, ['8', '7', '6']],
  [
    { tools: ['bank/pay_*'], calls: 9 },
    { refusals: 'opaque', rules: [{ deny: ['bank/pay_all'] }] },
    ['8', '7', undefined],
  ],
] as const)(
  'a limit with a star says nothing of what is denied: %j under %j',
  async (limit, access, counted) => {
    const settings = {
      access: access as SettingsFile['access'],
      limits: { rates: [{ per_ms: 3_600_000, by: ['caller'], ...limit }] } as SettingsFile['limits'],
    };
    const { use } = await bankWith(settings, { code: -32602, message: 'Unknown tool' });
    const left: (string | undefined)[] = [];
    for (const name of ['pay_all', 'pay_nobody_has', 'none']) {
      const answer = await use(name);
      expect(faultIn(answer)?.['kind']).toBe('forbidden');
      left.push(answer.headers.get('ratelimit')?.replace(/;t=.*/, '').replace(/.*;r=/, ''));
    }
    expect(left).toEqual(counted);
  },
);

it('has no place at a limit that is of what is denied alone, and misses none there', async () => {
  const begun = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const { url } = await upstream(async (body, response) => {
    const { id, method } = JSON.parse(body);
    if (method === 'tools/call') begun.resolve();
    if (method === 'tools/call') await done.promise;
    json(response, 200, {
      jsonrpc: '2.0',
      id,
      result: method === 'tools/call' ? { content: [] } : { tools: [] },
    });
  });
  const [ann, bob] = ['ann-key-0123456789', 'bob-key-0123456789'];
  const { url: at } = await open({
    keys: [
      { name: 'ann', key: ann },
      { name: 'bob', key: bob },
    ],
    access: { refusals: 'opaque', rules: [{ deny: ['bank/pay'], callers: ['ann'] }] },
    limits: { concurrency: [{ calls: 1, tools: ['bank/pay'] }] },
    upstreams: { bank: { url } },
  });
  const pay = (key: string) =>
    post(`${at}/bank/mcp`, call('tools/call', { name: 'pay', arguments: {} }), {
      authorization: `Bearer ${key}`,
    });
  const long = pay(bob);
  await begun.promise;
  expect(faultIn(await pay(ann))).toMatchObject({ kind: 'forbidden' });
  expect(faultIn(await pay(bob))).toMatchObject({ kind: 'overloaded' });
  done.resolve();
  expect((await long).message.result).toEqual({ content: [] });
});

it('counts what is denied by its name where refusals are explicit', async () => {
  const { use } = await bankWith({
    access: { rules: [{ deny: ['bank/pay'] }] },
    limits: { rates: [{ calls: 1, per_ms: 3_600_000, tools: ['bank/pay'] }] },
  });
  expect(faultIn(await use('pay'))).toMatchObject({ kind: 'forbidden' });
  expect(faultIn(await use('pay'))).toMatchObject({ kind: 'rate_limited' });
});

it('says the same of what is denied and promises a form of its results, in a document that has one', async () => {
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body);
    const tools = [{ name: 'pay', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } }];
    const unknown = { error: { code: -32602, message: 'Tool none not found' } };
    json(response, 200, {
      jsonrpc: '2.0',
      id,
      ...(method === 'tools/call' ? unknown : { result: { tools } }),
    });
  });
  const { url: at } = await open({
    dialect: 'platica',
    access: { refusals: 'opaque', rules: [{ deny: ['bank/pay'] }] },
    upstreams: { bank: { url } },
  });
  await post(`${at}/bank/mcp`, call('tools/list'));
  const use = (name: string) => post(`${at}/bank/mcp`, call('tools/call', { name, arguments: {} }));
  const [denied, unknown] = [await use('pay'), await use('none')];
  expect(denied.message.result).toHaveProperty('structuredContent');
  expect(seen(denied)).toEqual(seen(unknown));
});

it('counts what is denied where refusals are explicit, too', async () => {
  const { use } = await bankWith({
    access: { rules: [{ deny: ['bank/pay'] }] },
    limits: { rates: [{ calls: 1, per_ms: 3_600_000 }] },
  });
  expect(faultIn(await use('pay'))).toMatchObject({ kind: 'forbidden' });
  expect(faultIn(await use('look'))).toMatchObject({ kind: 'rate_limited' });
});

it.each([
  ['a key that is no text', { 'dev.mayday/idempotency-key': 5 }, 'invalid_arguments'],
  ['a key that is too long', { 'dev.mayday/idempotency-key': 'k'.repeat(256) }, 'invalid_arguments'],
  ['a key', { 'dev.mayday/idempotency-key': 'k' }, 'forbidden'],
  ['a key, again', { 'dev.mayday/idempotency-key': 'k', 'dev.mayday/executed': 'maybe' }, 'disconnected'],
  ['a deadline that has passed', { 'dev.mayday/deadline': 1 }, 'timeout'],
  ['nothing else', {}, 'forbidden'],
])('says the same of a call with %s', async (_, _meta, kind) => {
  const { use, asked } = await bankWith();
  const [denied, unknown] = [await use('pay', { _meta }), await use('none', { _meta })];
  expect(faultIn(denied)).toMatchObject({ kind });
  expect(JSON.parse(JSON.stringify(seen(denied)).replaceAll('pay', 'none'))).toEqual(seen(unknown));
  expect(asked).not.toContain('pay');
});

it('takes a method that a server has not for a tool that it has not', async () => {
  const { use } = await bankWith({}, { code: -32601, message: 'Method not found' });
  expect(seen(await use('none'))).toEqual(seen(await use('pay')));
});

it('repeats no kept answer to somebody who may not have it any more', async () => {
  const { url, use, gateway } = await bankWith();
  const _meta = { 'dev.mayday/idempotency-key': 'k' };
  expect((await use('look', { _meta })).message.result).toEqual({ content: [] });
  gateway.reload(
    settingsOf({
      access: { refusals: 'opaque', default: 'deny', rules: [{ allow: ['bank/other'] }] },
      upstreams: { bank: { url } },
    }),
  );
  const refused = await use('look', { _meta });
  expect(refused.text).not.toContain('content":[]');
  expect(faultIn(refused)).toMatchObject({ kind: 'forbidden', executed: 'yes' });
});

it.each([
  ['completion/complete', (name: string) => ({ ref: { type: 'ref/prompt', name } })],
  ['completion/complete', (name: string) => ({ ref: { type: 'ref/resource', uri: `bank://${name}` } })],
  ['resources/subscribe', (name: string) => ({ uri: `bank://${name}` })],
])('tells the same by %s of a server that has nothing of the kind', async (method, paramsOf) => {
  const { url } = await upstream((body, response) =>
    json(response, 200, {
      jsonrpc: '2.0',
      id: JSON.parse(body).id,
      error: { code: -32601, message: 'Method not found' },
    }),
  );
  const gateway = await open({ access: OPAQUE, upstreams: { bank: { url } } });
  const ask = (name: string): Promise<Posted> => {
    const argument = { name: 'a', value: 'x' };
    return post(`${gateway.url}/bank/mcp`, call(method, { ...paramsOf(name), argument }));
  };
  const [denied, unknown] = [await ask('pay'), await ask('none')];
  expect(seen(denied)).toEqual(seen(unknown));
  expect(faultIn(denied)).toMatchObject({ kind: 'forbidden', executed: 'no' });
});
