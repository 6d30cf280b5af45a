/** Every guard takes all of its options, no other, and says in a sentence what is wrong with one. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { Call } from '../call.ts';
import { guard } from '../guard.ts';
import { approval } from './approval.ts';
import { concurrency } from './concurrency.ts';
import { deadline } from './deadline.ts';
import { type Guard, protect } from './guard.ts';
import { keys } from './keys.ts';
import { rateLimit } from './rate-limit.ts';
import { scopes } from './scopes.ts';
import { sizeLimits } from './size.ts';

const now = (): number => 0;
const methods = ['tools/call'];
const claims = {
  claim: () => ({ state: 'full' }) as const,
  confirm: () => undefined,
  release: () => undefined,
};
const places = { acquire: () => undefined };

const WHOLE: readonly (readonly [name: string, make: (options: never) => Guard, options: object])[] = [
  ['approval', approval, { tools: [], store: claims, ttlMs: 1, now }],
  ['concurrency', concurrency, { limit: 1, queue: 0, per: () => '', methods, store: places }],
  ['deadline', deadline, { ms: 1, tools: { slow: false, fast: 1 }, methods }],
  ['keys', keys, { lookup: (): undefined => undefined, from: () => undefined, methods, message: 'No', now }],
  [
    'rateLimit',
    rateLimit,
    {
      limit: 1,
      windowMs: 1,
      per: 'caller',
      store: { take: () => 0 },
      whenStoreFails: 'open',
      message: 'No',
      methods,
      now,
    },
  ],
  ['scopes', scopes, { required: {}, sensitive: [], opaque: true, message: 'No' }],
  ['sizeLimits', sizeLimits, { maxArgumentBytes: 1, maxDepth: 1, maxResultBytes: 1, methods }],
];

describe('the options of a guard', () => {
  it.each(WHOLE)('%s takes them all, and says which there are', (name, make, options) => {
    expect(() => make(options as never)).not.toThrow();
    const list = Object.keys(options).join(', ');
    expect(() => make({ qqqqqqqqqqqq: 1 } as never)).toThrow(
      new TypeError(`\`${name}\` has no option \`qqqqqqqqqqqq\`: its options are ${list}`),
    );
  });

  it.each([
    [
      approval,
      { tools: 'pay', store: claims },
      'Expected `tools` to be a list of tools or a function, got "pay"',
    ],
    [approval, { tools: [], store: {} }, 'Expected `store` to be a store of approvals, got {}'],
    [approval, { tools: [], store: claims, now: 5 }, 'Expected `now` to be a function, got 5'],
    [concurrency, { limit: 0 }, 'Expected `limit` to be a positive number, got 0'],
    [concurrency, { limit: 1, queue: -1 }, 'Expected `queue` to be a whole number from 0 up, got -1'],
    [concurrency, { limit: 1, queue: 0.5 }, 'Expected `queue` to be a whole number from 0 up, got 0.5'],
    [deadline, { ms: 0 }, 'Expected `ms` to be a positive number or a function, got 0'],
    [deadline, { ms: '1' }, 'Expected `ms` to be a positive number or a function, got "1"'],
    [deadline, { ms: 1, tools: { x: 0 } }, 'Expected `tools.x` to be a positive number or false, got 0'],
    [keys, { lookup: 'x' }, 'Expected `lookup` to be a function that finds a key by its digest, got "x"'],
    [keys, { lookup: (): undefined => undefined, from: 5 }, 'Expected `from` to be a function, got 5'],
    [rateLimit, { limit: 0, windowMs: 1 }, 'Expected `limit` to be a positive number, got 0'],
    [rateLimit, { limit: 1, windowMs: 0 }, 'Expected `windowMs` to be a positive number, got 0'],
    [
      rateLimit,
      { limit: 1, windowMs: 1, per: 'tool' },
      'Expected `per` to be "caller-and-tool", "caller" or a function, got "tool"',
    ],
    [
      rateLimit,
      { limit: 1, windowMs: 1, store: { take: 1 } },
      'Expected `store.take` to be a function, got 1',
    ],
    [
      rateLimit,
      { limit: 1, windowMs: 1, store: {} },
      'Expected `store.take` to be a function, got undefined',
    ],
    [
      rateLimit,
      { limit: 1, windowMs: 1, whenStoreFails: 'opened' },
      'Expected `whenStoreFails` to be "open" or "closed", got "opened"',
    ],
    [
      rateLimit,
      { limit: 1, windowMs: 1, methods: 'tools/call' },
      'Expected `methods` to be "all" or a list of methods, got "tools/call"',
    ],
    [
      rateLimit,
      { limit: 1, windowMs: 1, methods: ['tool/call'] },
      'There is no method `tool/call` in `methods`: did you mean `tools/call`?',
    ],
    [keys, { lookup: now, methods: [] }, 'Expected `methods` to be "all" or a list of methods, got []'],
    [concurrency, { limit: 1, store: {} }, 'Expected `store` to be an object with `acquire`, got {}'],
    [concurrency, { limit: 1, per: 'caller' }, 'Expected `per` to be a function, got "caller"'],
    [deadline, { ms: 1, tools: { x: '5' } }, 'Expected `tools.x` to be a positive number or false, got "5"'],
    [
      deadline,
      { ms: 1, tools: new Map([['x', 5]]) },
      'Expected `tools` to be milliseconds, or false, for each tool, got {}',
    ],
    [
      scopes,
      { required: [] },
      'Expected `required` to be a list of scopes for each tool, or a function, got []',
    ],
    [
      scopes,
      { required: { pay: 'admin' } },
      'Expected `required` to be a list of scopes for each tool, or a function, got {"pay":"admin"}',
    ],
    [
      scopes,
      { required: new Map([['pay', ['admin']]]) },
      'Expected `required` to be a list of scopes for each tool, or a function, got {}',
    ],
    [scopes, { sensitive: 'pay' }, 'Expected `sensitive` to be a list of tools, got "pay"'],
    [scopes, { opaque: 'yes' }, 'Expected `opaque` to be true or false, got "yes"'],
    [scopes, new Map(), 'Expected the options of `scopes` to be an object, got {}'],
    [sizeLimits, { maxDepth: 0 }, 'Expected `maxDepth` to be a positive number, got 0'],
    [
      sizeLimits,
      {},
      'Expected `sizeLimits` to be given one of maxArgumentBytes, maxDepth, maxResultBytes: it limits nothing by itself',
    ],
    [
      sizeLimits,
      { methods },
      'Expected `sizeLimits` to be given one of maxArgumentBytes, maxDepth, maxResultBytes: it limits nothing by itself',
    ],
    [
      sizeLimits,
      { maxDepth: 1, methods: ['tool/call'] },
      'There is no method `tool/call` in `methods`: did you mean `tools/call`?',
    ],
  ])('%o does not take %j', (make: (options: never) => Guard, options, sentence) => {
    expect(() => make(options as never)).toThrow(new TypeError(sentence));
  });
});

class Door {
  readonly name = 'door';
  count = 0;
  before(): void {
    this.count++;
  }
}

class Slip {
  readonly name = 'door';
  befor(): void {}
}

describe('a guard of one’s own', () => {
  const before = (): void => undefined;

  it.each<[unknown, string]>([
    [{ name: 'door', befor: before }, '`guards.door` has no option `befor`: did you mean `before`?'],
    [
      { name: 'door', before, method: 'all' },
      '`guards.door` has no option `method`: did you mean `methods`?',
    ],
    [
      { name: 'door', before, methods: 'tools/call' },
      'Expected `guards.door.methods` to be "all" or a list of methods, got "tools/call"',
    ],
    [
      { name: 'door', before, methods: [] },
      'Expected `guards.door.methods` to be "all" or a list of methods, got []',
    ],
    [
      { name: 'door', before, methods: ['tools_call'] },
      'There is no method `tools_call` in `guards.door.methods`: did you mean `tools/call`?',
    ],
    [
      { name: 'door' },
      'Expected `guards.door` to be a guard that does something: with `before`, `hides`, `deadlineMs`, `result`, `after`, `over`, `dropped`, got {"name":"door"}',
    ],
    [new Slip(), '`guards.door` has no option `befor`: did you mean `before`?'],
  ])('%j is refused, by `guard` and by `protect`', async (door, sentence) => {
    const server = new McpServer({ name: 's', version: '1' });
    expect(() => guard(server, { guards: [door as Guard] })).toThrow(new TypeError(sentence));
    const passed = protect([door as Guard], {} as Call, () => 'open');
    await expect(passed).rejects.toThrow(new TypeError(sentence));
  });

  it.each<[string, Guard]>([
    ['a literal', { name: 'door', before }],
    ['an instance with a state', new Door()],
    ['for methods of one’s own', { name: 'door', before, methods: ['acme/tick', 'tasks/set', 'tools/call'] }],
  ])('%s is taken', (_what, door) => {
    const server = new McpServer({ name: 's', version: '1' });
    expect(() => guard(server, { guards: [door] })).not.toThrow();
  });
});

describe('what a guard is called', () => {
  it.each(WHOLE)('%s', (name, make, options) => {
    const names: { readonly [maker: string]: string } = { rateLimit: 'rate-limit', sizeLimits: 'size' };
    expect(make(options as never).name).toBe(names[name] ?? name);
  });

  it('keys are asked for by every method, unless some are named; consent only for calls that can be made', () => {
    expect(keys({ lookup: () => undefined }).methods).toBe('all');
    expect(keys({ lookup: () => undefined, methods }).methods).toEqual(['tools/call']);
    expect(approval({ tools: [], store: claims }).stage).toBe('call');
  });
});
