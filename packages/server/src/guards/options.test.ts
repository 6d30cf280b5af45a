/** Every guard takes all of its options, no other, and says in a sentence what is wrong with one. */
import { describe, expect, it } from 'vitest';
import { approval } from './approval.ts';
import { concurrency } from './concurrency.ts';
import { deadline } from './deadline.ts';
import type { Guard } from './guard.ts';
import { keys } from './keys.ts';
import { rateLimit } from './rate-limit.ts';
import { scopes } from './scopes.ts';
import { sizeLimits } from './size.ts';

const now = () => 0;
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
  ['keys', keys, { lookup: () => undefined, from: () => undefined, methods, message: 'No', now }],
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
  ['sizeLimits', sizeLimits, { maxArgumentBytes: 1, maxDepth: 1, maxResultBytes: 1 }],
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
    [keys, { lookup: () => undefined, from: 5 }, 'Expected `from` to be a function, got 5'],
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
    [sizeLimits, { maxDepth: 0 }, 'Expected `maxDepth` to be a positive number, got 0'],
  ])('%o does not take %j', (make: (options: never) => Guard, options, sentence) => {
    expect(() => make(options as never)).toThrow(new TypeError(sentence));
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
