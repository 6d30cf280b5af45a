/** What each guard refuses, to the word, and what it lets through. */
import { causeOf, faultOf } from '@mayday/core';
import { createMemoryApprovals } from '@mayday/policy';
import { describe, expect, it } from 'vitest';
import { callOf as anyCall } from '../../test/call-of.ts';
import type { Call } from '../call.ts';
import { approval } from './approval.ts';
import { concurrency } from './concurrency.ts';
import { deadline } from './deadline.ts';
import type { Guard } from './guard.ts';
import { keys } from './keys.ts';
import { isOpaque } from './opaque.ts';
import { rateLimit } from './rate-limit.ts';
import { scopes } from './scopes.ts';
import { sizeLimits } from './size.ts';

const callOf = (init: Partial<Call> = {}): Call => anyCall({ arguments: { amount: 5 }, ...init });

/** What a guard throws, if anything. Awaits only what is a promise. */
async function thrown(guard: Guard, call: Call = callOf()): Promise<unknown> {
  try {
    await guard.before?.(call);
    return undefined;
  } catch (reason) {
    return reason;
  }
}

const refused = async (guard: Guard, call?: Call) => faultOf(await thrown(guard, call));

describe('approval', () => {
  const store = () => createMemoryApprovals({ newId: () => 'apr_1', clock: { now: () => 0 } });
  const waiting = {
    kind: 'approval_required',
    executed: 'no',
    message: 'pay requires approval (request apr_1)',
    details: { approval_id: 'apr_1' },
  };

  it('is asked for the tools that are named, or that a function names', async () => {
    expect(await refused(approval({ tools: ['pay'], store: store(), now: () => 0 }))).toMatchObject(waiting);
    expect(await refused(approval({ tools: ['look'], store: store(), now: () => 0 }))).toBeUndefined();
    const tools = ({ principal }: Call) => principal === 'ada';
    const some = approval({ tools, store: store(), now: () => 0 });
    expect(await refused(some)).toMatchObject(waiting);
    expect(await refused(some, callOf({ principal: 'bob' }))).toBeUndefined();
  });

  it.each([
    ['at once', (value: unknown) => value],
    ['later', (value: unknown) => Promise.resolve(value)],
  ])('is used up by a call that began, and by no other: a store that answers %s', async (_, say) => {
    const told: string[] = [];
    const claims = {
      claim: () => say({ state: 'claimed', id: 'apr_1' }) as never,
      confirm: (id: string) => void told.push(`confirm ${id}`),
      release: (id: string) => void told.push(`release ${id}`),
    };
    const guard = approval({ tools: ['pay'], store: claims });
    const [made, unmade] = [callOf(), callOf()];
    expect([await thrown(guard, made), await thrown(guard, unmade)]).toEqual([undefined, undefined]);
    guard.over?.(made, true);
    guard.over?.(made, true);
    guard.over?.(unmade, false);
    expect(told).toEqual(['confirm apr_1', 'release apr_1']);
  });
});

describe('concurrency', () => {
  it('refuses in words beyond its limit, and counts by its key', async () => {
    const guard = concurrency({ limit: 1, per: ({ name }) => name ?? '' });
    const first = callOf();
    expect(await refused(guard, first)).toBeUndefined();
    expect(await refused(guard)).toMatchObject({
      kind: 'overloaded',
      executed: 'no',
      message: 'Too many calls at once',
      details: { limit: 1 },
    });
    expect(await refused(guard, callOf({ name: 'look' }))).toBeUndefined();
    guard.over?.(first, true);
    guard.over?.(first, true);
    expect([await refused(guard), (await refused(guard))?.kind]).toEqual([undefined, 'overloaded']);
  });

  it('counts everything together, unless it is said, and drops who does not wait', async () => {
    const guard = concurrency({ limit: 1, queue: 1 });
    const [first, second] = [callOf(), callOf({ name: 'look' })];
    await thrown(guard, first);
    const waiting = refused(guard, second);
    guard.dropped?.(second);
    expect(await waiting).toMatchObject({ kind: 'overloaded' });
    const third = refused(guard);
    guard.over?.(first, true);
    expect(await third).toBeUndefined();
  });

  it('looks at the methods that it is told', () => {
    expect(concurrency({ limit: 1, methods: 'all' }).methods).toBe('all');
    expect(concurrency({ limit: 1 }).methods).toBeUndefined();
  });
});

describe('deadline', () => {
  it('is the tool’s own, or what is said for all', () => {
    const guard = deadline({ ms: 100, tools: { pay: 500, export: false }, methods: ['tools/call'] });
    const names = ['pay', 'export', 'look', 'toString', undefined];
    expect(names.map((name) => guard.deadlineMs?.(callOf({ name })))).toEqual([500, false, 100, 100, 100]);
    expect(deadline({ ms: ({ name }) => (name === 'pay' ? 7 : false) }).deadlineMs?.(callOf())).toBe(7);
    expect([guard.methods, deadline({ ms: 1 }).methods]).toEqual([['tools/call'], undefined]);
  });
});

describe('keys', () => {
  const record = { principal: 'eve', scopes: ['a'] };
  const header = (name: string) => (name === 'authorization' ? 'Bearer qx_live_good' : undefined);

  it.each([
    ['at once', (value: unknown) => value],
    ['later', (value: unknown) => Promise.resolve(value)],
  ])('say who calls: a lookup that answers %s', async (_, say) => {
    const guard = keys({ lookup: () => say(record) as never });
    const call = callOf({ header });
    expect(await thrown(guard, call)).toBeUndefined();
    expect([call.principal, call.scopes]).toEqual(['eve', ['a']]);
    const unknown = await thrown(keys({ lookup: () => say(undefined) as never }), callOf({ header }));
    expect(faultOf(unknown)).toMatchObject({ kind: 'unauthenticated', message: 'Unauthorized' });
    expect(isOpaque(unknown as never)).toBe(true);
    expect(causeOf(unknown)).toMatchObject({ message: 'unknown key' });
  });

  it('are not asked for in the handshake, unless its methods are named', async () => {
    const lookup = () => undefined;
    const kinds = async (guard: Guard) =>
      Promise.all(
        ['initialize', 'ping', 'server/discover', 'tools/list'].map(
          async (method) => (await refused(guard, callOf({ method })))?.kind,
        ),
      );
    expect(await kinds(keys({ lookup }))).toEqual([undefined, undefined, undefined, 'unauthenticated']);
    expect(await kinds(keys({ lookup, methods: 'all' }))).toEqual(Array(4).fill('unauthenticated'));
  });

  it('expire by the clock that is given', async () => {
    const lookup = () => ({ ...record, expiresAt: 5 });
    expect(await refused(keys({ lookup, now: () => 4 }), callOf({ header }))).toBeUndefined();
    expect(await refused(keys({ lookup, now: () => 5, message: 'Go' }), callOf({ header }))).toMatchObject({
      kind: 'unauthenticated',
      message: 'Go',
    });
  });
});

describe('rateLimit', () => {
  const limit = { limit: 1, windowMs: 1000, now: () => 0 };
  const free = async (guard: Guard, calls: readonly Partial<Call>[]) => {
    const kinds: (string | undefined)[] = [];
    for (const init of calls) kinds.push((await refused(guard, callOf(init)))?.kind);
    return kinds;
  };

  it('counts by what a function says, by caller, or by caller and tool', async () => {
    const calls = [{}, { name: 'look' }, { principal: 'bob' }];
    const full = 'rate_limited';
    expect(await free(rateLimit({ ...limit, per: () => 'x' }), calls)).toEqual([undefined, full, full]);
    expect(await free(rateLimit({ ...limit, per: 'caller' }), calls)).toEqual([undefined, full, undefined]);
    expect(await free(rateLimit({ ...limit, per: 'caller-and-tool' }), calls)).toEqual(
      Array(3).fill(undefined),
    );
  });

  it('counts tools that are not there together, and prompts under their method', async () => {
    const unknown = [
      { name: 'x', tool: undefined },
      { name: 'y', tool: undefined },
    ];
    expect(await free(rateLimit(limit), unknown)).toEqual([undefined, 'rate_limited']);
    const prompts = unknown.map((init) => ({ ...init, method: 'prompts/get' }));
    expect(await free(rateLimit({ ...limit, methods: 'all' }), prompts)).toEqual([undefined, 'rate_limited']);
    expect(rateLimit({ ...limit, methods: 'all' }).methods).toBe('all');
  });

  it('waits for a store that answers later', async () => {
    const store = { take: () => Promise.resolve(70) };
    expect(await refused(rateLimit({ ...limit, store, message: 'Slow' }))).toMatchObject({
      kind: 'rate_limited',
      message: 'Slow',
      retry: { afterMs: 70 },
    });
  });
});

describe('scopes', () => {
  const why = async (guard: Guard, init: Partial<Call> = {}) => {
    const reason = (await thrown(guard, callOf(init))) as Error | undefined;
    return reason === undefined
      ? undefined
      : [faultOf(reason)?.message, (causeOf(reason) as Error | undefined)?.message];
  };

  it('are those that a table or a function names', async () => {
    const plain = scopes({ required: { pay: ['money'] } });
    expect(await why(plain)).toEqual(['Missing scope money', undefined]);
    expect(await why(plain, { scopes: ['money'] })).toBeUndefined();
    expect(await why(scopes({ required: ({ name }) => [`do ${name}`] }))).toEqual([
      'Missing scope do pay',
      undefined,
    ]);
  });

  it('tell the caller nothing, and the log the reason', async () => {
    const guard = scopes({
      required: { pay: ['money'] },
      sensitive: ['refund'],
      opaque: true,
      message: 'No.',
    });
    expect(await why(guard, { tool: undefined })).toEqual(['No.', 'unknown tool']);
    expect(await why(guard, { tool: { enabled: false } })).toEqual(['No.', 'disabled tool']);
    expect(await why(guard, { name: 'refund' })).toEqual(['No.', 'sensitive tool']);
    expect(await why(guard)).toEqual(['No.', 'missing scope']);
    expect(isOpaque((await thrown(guard)) as never)).toBe(true);
    expect(isOpaque((await thrown(scopes({ required: { pay: ['money'] } }))) as never)).toBe(false);
  });
});

describe('sizeLimits', () => {
  it('are for arguments and for results', async () => {
    const guard = sizeLimits({ maxArgumentBytes: 5, maxResultBytes: 5 });
    expect(await refused(guard)).toMatchObject({ kind: 'too_large', message: 'The arguments are too large' });
    expect(() => guard.result?.(callOf(), 'x'.repeat(9))).toThrow('The result is too large to send');
    expect(() => guard.result?.(callOf(), 'x')).not.toThrow();
  });
});
