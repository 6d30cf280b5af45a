/** A call with a key looks at its key first: a repeat does no work, so it takes neither a place nor a token. */
import { createMcpHandler, inputRequired, McpServer, Server } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import {
  approval,
  concurrency,
  createMemoryApprovals,
  deadline,
  type Guard,
  guard,
  keys,
  rateLimit,
  scopes,
  sizeLimits,
} from '../src/index.ts';
import { KEY, said, till } from './till.ts';
import { answerOf, connectRaw, faultIn, httpRequest } from './wire.ts';

const EXECUTED = 'dev.mayday/executed';
const ATTEMPT = 'dev.mayday/attempt';
const CALL = 'dev.mayday/call';
const oncePerMinute = () => rateLimit({ limit: 1, windowMs: 60_000 });
const soon = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Work that goes on until it is told to end. */
function slowly() {
  let finish: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (finish = resolve));
  return { work: () => ended, finish: () => finish() };
}

describe('a repeat under a key', () => {
  it('gets the stored answer although the limit is used up', async () => {
    const { pay, paid } = await till(() => undefined, { guards: [oncePerMinute()] });
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(faultIn(await pay(5, 'l'))).toMatchObject({ kind: 'rate_limited', executed: 'no' });
    expect(paid).toEqual([5]);
  });

  it('joins a running call although every place is taken', async () => {
    const { work, finish } = slowly();
    const { pay, paid } = await till(work, { guards: [concurrency({ limit: 1 })] });
    const both = [pay(5, 'k'), pay(5, 'k')];
    await soon(10);
    expect(faultIn(await pay(5, 'l'))).toMatchObject({ kind: 'overloaded', executed: 'no' });
    finish();
    expect((await Promise.all(both)).map(said)).toEqual(['paid 5, receipt 1', 'paid 5, receipt 1']);
    expect(paid).toEqual([5]);
  });

  it('does not stand in a queue behind its own first attempt, and a deadline only ends its waiting', async () => {
    const { work, finish } = slowly();
    const guards = [concurrency({ limit: 1, queue: 5 }), deadline({ ms: 60 })];
    const { pay, paid } = await till(work, { guards });
    const told = await Promise.all([pay(5, 'k'), pay(5, 'k'), pay(5, 'k')]);
    expect(told.map((one) => faultIn(one))).toMatchObject([
      { kind: 'timeout', executed: 'maybe' },
      { kind: 'timeout', executed: 'maybe' },
      { kind: 'timeout', executed: 'maybe' },
    ]);
    expect(told.map(said).join()).not.toContain('Nothing was done');
    finish();
    await soon(5);
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(paid).toEqual([5]);
  });

  it('whose deadline has passed already gets the stored answer; a first call is told that nothing was done', async () => {
    const { pay, paid } = await till();
    const past = { 'dev.mayday/deadline': 1 };
    expect(faultIn(await pay(5, 'k', past))).toMatchObject({ kind: 'timeout', executed: 'no' });
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(said(await pay(5, 'k', past))).toBe('paid 5, receipt 1');
    expect(paid).toEqual([5]);
  });

  it('of a running call is told `maybe` when its deadline has passed already', async () => {
    const { work, finish } = slowly();
    const { pay } = await till(work);
    const first = pay(5, 'k');
    await soon(5);
    expect(faultIn(await pay(5, 'k', { 'dev.mayday/deadline': 1 }))).toMatchObject({
      kind: 'timeout',
      executed: 'maybe',
      retryable: true,
    });
    finish();
    await first;
  });

  it('needs no second consent, where the guard does not see the handler either', async () => {
    const store = createMemoryApprovals({ newId: () => 'apr_1' });
    let ran = 0;
    const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', async () => ({ content: [{ type: 'text', text: `${++ran}` }] }));
    const client = await connectRaw(guard(server, { guards: [approval({ tools: ['pay'], store })] }));
    const pay = () => client.ask('tools/call', { name: 'pay', arguments: {}, _meta: { [KEY]: 'k' } });
    expect(faultIn(await pay())).toMatchObject({ kind: 'approval_required', executed: 'no' });
    store.approve('apr_1');
    expect([said(await pay()), said(await pay())]).toEqual(['1', '1']);
  });

  it('is still shown to guards that look at results', async () => {
    const { pay } = await till(() => undefined, {
      guards: [{ ...sizeLimits({ maxResultBytes: 10 }), counts: true }],
    });
    const told = [await pay(5, 'k'), await pay(5, 'k')];
    expect(told.map((one) => faultIn(one)['kind'])).toEqual(['too_large', 'too_large']);
  });
});

describe('guards of who may call', () => {
  it('are asked by a repeat too, and nobody whom they refuse reads a stored answer', async () => {
    const allowed = { scopes: ['pay'] as string[] };
    const whose: Guard = {
      name: 'whose',
      before(call) {
        call.scopes = allowed.scopes;
      },
    };
    const { pay } = await till(() => undefined, { guards: [whose, scopes({ required: { pay: ['pay'] } })] });
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    allowed.scopes = [];
    expect(faultIn(await pay(5, 'k'))).toMatchObject({ kind: 'forbidden' });
  });

  it('are all guards that do not say that they count', async () => {
    const asked: string[] = [];
    const noted = (name: string, counts?: boolean): Guard => ({
      name,
      counts,
      before: () => void asked.push(name),
    });
    const { pay } = await till(() => undefined, { guards: [noted('counts', true), noted('who')] });
    await pay(5);
    await pay(5, 'k');
    await pay(5, 'k');
    expect(asked).toEqual(['counts', 'who', 'who', 'counts', 'who']);
  });

  it('are no way round a limit before them: a wrong credential is counted with a key as without', async () => {
    const all = rateLimit({ limit: 2, windowMs: 60_000, per: () => '' });
    const { pay } = await till(() => undefined, {
      guards: [all, keys({ lookup: () => undefined, from: () => 'guess' })],
    });
    const kinds = [];
    for (const key of ['a', 'b', 'c']) kinds.push(faultIn(await pay(5, key))['kind']);
    expect(kinds).toEqual(['unauthenticated', 'unauthenticated', 'rate_limited']);
  });

  it('may take their time', async () => {
    const slow: Guard = { name: 'slow', before: () => soon(2) };
    const refuses: Guard = {
      name: 'refuses',
      before: async () => Promise.reject(Object.assign(new Error('no'), { status: 403 })),
    };
    const { pay, paid } = await till(() => undefined, { guards: [oncePerMinute(), slow] });
    expect([said(await pay(5, 'k')), said(await pay(5, 'k'))]).toEqual([
      'paid 5, receipt 1',
      'paid 5, receipt 1',
    ]);
    const other = await till(() => undefined, { guards: [oncePerMinute(), slow, refuses] });
    const told = [faultIn(await other.pay(5, 'k')), faultIn(await other.pay(5, 'k'))];
    expect(told.map(({ kind }) => kind)).toEqual(['forbidden', 'rate_limited']);
    expect([paid, other.paid]).toEqual([[5], []]);
  });
});

describe('a first call that a guard refuses', () => {
  it('leaves its key free', async () => {
    let isOpen = false;
    const door: Guard = {
      name: 'door',
      counts: true,
      before() {
        if (!isOpen) throw Object.assign(new Error('busy'), { status: 429 });
      },
    };
    const { pay, paid } = await till(() => undefined, { guards: [door] });
    const told = await Promise.all([pay(5, 'k'), pay(5, 'k')]);
    expect(told.map((one) => faultIn(one))).toMatchObject([
      { kind: 'rate_limited', executed: 'no', retryable: true },
      { kind: 'rate_limited', executed: 'no', retryable: true },
    ]);
    isOpen = true;
    expect(said(await pay(5, 'k'))).toBe('paid 5, receipt 1');
    expect(paid).toEqual([5]);
  });

  it('is told that nothing was done when its time runs out in a queue, and leaves its key to whoever waits', async () => {
    const { work, finish } = slowly();
    const { pay, paid } = await till(work, { guards: [concurrency({ limit: 1, queue: 5 })] });
    const other = pay(1);
    await soon(5);
    const first = pay(5, 'k', { 'dev.mayday/deadline': Date.now() + 60 });
    const second = pay(5, 'k');
    expect(faultIn(await first)).toMatchObject({ kind: 'timeout', executed: 'no' });
    finish();
    await other;
    expect(said(await second)).toBe('paid 5, receipt 2');
    expect(paid).toEqual([1, 5]);
  });

  it('is known here: a repeat that cannot know it is made', async () => {
    const { pay, paid } = await till(() => undefined, { guards: [rateLimit({ limit: 1, windowMs: 60 })] });
    await pay(1);
    expect(faultIn(await pay(5, 'k', { [ATTEMPT]: 1 }))).toMatchObject({
      kind: 'rate_limited',
      executed: 'no',
    });
    const second = await pay(5, 'k', { [ATTEMPT]: 2, [EXECUTED]: 'maybe' });
    expect(faultIn(second)).toMatchObject({ kind: 'rate_limited', executed: 'no' });
    await soon(80);
    expect(said(await pay(5, 'k', { [ATTEMPT]: 3, [EXECUTED]: 'maybe' }))).toBe('paid 5, receipt 2');
    expect(paid).toEqual([1, 5]);
  });

  it('for its arguments is known as well', async () => {
    const { pay } = await till();
    expect(faultIn(await pay('x' as never, 'k'))).toMatchObject({
      kind: 'invalid_arguments',
      executed: 'no',
    });
    expect(said(await pay(5, 'k', { [EXECUTED]: 'maybe' }))).toBe('paid 5, receipt 1');
  });
});

/** Processes of one shop over HTTP. */
function chain() {
  const paid: string[] = [];
  /** One process: keys that are kept in memory are kept by clock. */
  const shop = (name: string, asksFirst = false) => {
    const busy = { isBusy: true };
    const door: Guard = {
      name: 'door',
      counts: true,
      before() {
        if (busy.isBusy) throw Object.assign(new Error('busy'), { status: 429 });
      },
    };
    const time = { now: 0 };
    const options = { guards: [door], clock: { now: () => time.now, setTimeout, clearTimeout } as never };
    const handler = createMcpHandler(() => {
      const server = guard(new McpServer({ name: 'shop', version: '1' }), options);
      server.registerTool('pay', {}, async ({ mcpReq }) => {
        const requestedSchema = { type: 'object', properties: { card: { type: 'string' } } } as const;
        const card = inputRequired.elicit({ message: 'Which card?', requestedSchema });
        return asksFirst && mcpReq.inputResponses === undefined
          ? inputRequired({ inputRequests: { card } })
          : { content: [{ type: 'text', text: `${paid.push(name)}` }] };
      });
      return server;
    });
    const pay = async (attempt: number | undefined, executed?: string, call: unknown = 'c1', more = {}) => {
      const _meta = {
        [KEY]: 'k',
        [ATTEMPT]: attempt,
        [EXECUTED]: executed,
        [CALL]: call,
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
      };
      const params = { name: 'pay', arguments: {}, ...more, _meta };
      const request = httpRequest('2026-07-28', 'tools/call', params);
      return (await answerOf(handler.fetch(request)))?.message;
    };
    return { busy, pay, time };
  };
  return { paid, shop };
}

it.each([
  ['the next call under the same key counts anew', 'c1', 'c2', 0, 'disconnected'],
  ['a caller that gives its calls no names', null, null, 0, 'disconnected'],
  ['names that are none', 7, 7, 0, 'disconnected'],
  ['long after', 'c1', 'c1', 600_000, 'disconnected'],
  ['soon after', 'c1', 'c1', 599_999, undefined],
])('over HTTP a refusal is known to the same call only: %s', async (_name, first, second, after, kind) => {
  const { shop, paid } = chain();
  const one = shop('one');
  await one.pay(1, undefined, first);
  one.busy.isBusy = false;
  one.time.now += after;
  expect(faultIn(await one.pay(2, 'maybe', second))?.['kind']).toBe(kind);
  expect(paid).toEqual(kind === undefined ? ['one'] : []);
});

it('a lost question is asked again, and what follows is done once', async () => {
  const { shop, paid } = chain();
  const one = shop('one', true);
  one.busy.isBusy = false;
  const asked = { result: { resultType: 'input_required' } };
  expect(await one.pay(1)).toMatchObject(asked);
  expect(await one.pay(2, 'maybe')).toMatchObject(asked);
  const answers = { inputResponses: { card: { action: 'accept', content: { card: 'a' } } } };
  expect(faultIn(await one.pay(1, undefined, 'c2', answers))).toEqual({});
  expect(faultIn(await one.pay(2, 'maybe', 'c2', answers))).toEqual({});
  expect(paid).toEqual(['one']);
});

it('over HTTP only the attempt right after the refused one is made: another process may have made one between', async () => {
  const { shop, paid } = chain();
  const [one, two, three] = [shop('one'), shop('two'), shop('three')];
  await one.pay(1);
  two.busy.isBusy = false;
  await two.pay(2);
  one.busy.isBusy = false;
  expect(faultIn(await one.pay(3, 'maybe'))).toMatchObject({ kind: 'disconnected', executed: 'maybe' });
  expect(paid).toEqual(['two']);
  await three.pay(1);
  three.busy.isBusy = false;
  expect(faultIn(await three.pay(undefined, 'maybe'))).toMatchObject({ kind: 'disconnected' });
  const four = shop('four');
  await four.pay(1);
  await four.pay(2, 'maybe');
  four.busy.isBusy = false;
  expect(faultIn(await four.pay(3, 'maybe'))).toEqual({});
  expect(paid).toEqual(['two', 'four']);
});

it('a guard’s refusal is told although nobody can say whose key it was', async () => {
  const options = {
    guards: [{ name: 'no', before: () => Promise.reject(Object.assign(new Error('no'), { status: 403 })) }],
    identify: () => {
      throw new Error('identify');
    },
  };
  const handler = createMcpHandler(() => {
    const server = guard(new McpServer({ name: 'shop', version: '1' }), options);
    server.registerTool('pay', {}, async () => ({ content: [] }));
    return server;
  });
  const params = { name: 'pay', arguments: {}, _meta: { [KEY]: 'k' } };
  const answer = await answerOf(handler.fetch(httpRequest('2026-07-28', 'tools/call', params)));
  expect(faultIn(answer?.message)).toMatchObject({ kind: 'forbidden', executed: 'maybe' });
});

it('a guard says whether it counts with a boolean', () => {
  const wrong = { name: 'x', counts: 'yes', before: () => undefined } as never;
  expect(() => guard(new McpServer({ name: 's', version: '1' }), { guards: [wrong] })).toThrow(/guards/);
});
