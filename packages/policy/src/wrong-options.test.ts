/** An option that nobody reads is a limit that is not there: every factory refuses it when it is made. */
import { expect, it } from 'vitest';
import {
  approval,
  compose,
  concurrency,
  createBudget,
  createCircuits,
  createPace,
  deadline,
  hedge,
  keys,
  rate,
  retry,
  scopes,
  size,
  startCall,
} from './index.ts';

const wrong = (options: object): never => options as never;

it.each([
  [
    'size',
    () => size(wrong({ maxArgumentByte: 10 })),
    'Unknown option `maxArgumentByte` of `size`; did you mean `maxArgumentBytes`?',
  ],
  [
    'size',
    () => size(wrong({ bytes: 10 })),
    'Unknown option `bytes` of `size`; it has maxArgumentBytes, maxDepth, maxResultBytes',
  ],
  ['deadline', () => deadline(wrong({ msec: 5 })), 'Unknown option `msec` of `deadline`; did you mean `ms`?'],
  [
    'deadline',
    () => deadline(wrong({ ms: '5' })),
    'Expected `ms` to be a number of milliseconds, got string',
  ],
  ['deadline', () => deadline(wrong({})), 'Expected `ms` to be a number of milliseconds, got undefined'],
  [
    'rate',
    () => rate(wrong({ limit: 1, windowMs: 1, whenStoreFail: 'open' })),
    'Unknown option `whenStoreFail` of `rate`; did you mean `whenStoreFails`?',
  ],
  [
    'rate',
    () => rate(wrong({ limit: 1, windowMs: 1, per: 'calller' })),
    'Expected `per` to be one of caller-and-target, caller, or a function, got string',
  ],
  [
    'rate',
    () => rate(wrong({ limit: 1, windowMs: 1, whenStoreFails: 'opened' })),
    'Expected `whenStoreFails` to be one of closed, open, got string',
  ],
  [
    'retry',
    () => retry(wrong({ atempts: 3 })),
    'Unknown option `atempts` of `retry`; did you mean `attempts`?',
  ],
  [
    'retry',
    () => retry(wrong({ attempts: Number.NaN })),
    'Expected `attempts` to be a positive integer, got NaN',
  ],
  ['retry', () => retry(wrong({ attempts: 0 })), 'Expected `attempts` to be a positive integer, got 0'],
  [
    'retry',
    () => retry(wrong({ attempts: '3' })),
    'Expected `attempts` to be a positive integer, got string',
  ],
  ...['baseMs', 'throttledBaseMs', 'maxBackoffMs', 'maxWaitMs'].map(
    (name) =>
      [
        'retry',
        () => retry(wrong({ [name]: -1 })),
        `Expected \`${name}\` to be a number of milliseconds, got -1`,
      ] as const,
  ),
  ['retry', () => retry(wrong({ retryIf: true })), 'Expected `retryIf` to be a function, got boolean'],
  [
    'retry',
    () => retry(wrong({ budget: { ratio: 0.2 } })),
    'Expected `budget` to be one that `createBudget()` made, got object',
  ],
  [
    'scopes',
    () => scopes(wrong({ required: 5 })),
    'Expected `required` to be a list of scopes for each tool, or a function, got 5',
  ],
  [
    'concurrency',
    () => concurrency(wrong({ limit: 1, que: 5 })),
    'Unknown option `que` of `concurrency`; did you mean `queue`?',
  ],
  [
    'concurrency',
    () => concurrency(wrong({ limit: 1, per: 'caller' })),
    'Expected `per` to be a function, got string',
  ],
  ['hedge', () => hedge(wrong({ after: 5 })), 'Unknown option `after` of `hedge`; did you mean `afterMs`?'],
  ['hedge', () => hedge(wrong({})), 'Expected `afterMs` to be a number of milliseconds, got undefined'],
  [
    'scopes',
    () => scopes(wrong({ requird: {} })),
    'Unknown option `requird` of `scopes`; did you mean `required`?',
  ],
  ['approval', () => approval(wrong({})), 'Expected `targets` to be a list or a function, got undefined'],
  [
    'approval',
    () => approval(wrong({ targets: ['pay'] })),
    'Expected `store` to be an object, got undefined',
  ],
  ['keys', () => keys(wrong({})), 'Expected `lookup` to be a function, got undefined'],
  ['keys', () => keys(wrong({ lookup: () => undefined })), 'Expected `from` to be a function, got undefined'],
  [
    'createCircuits',
    () => createCircuits(wrong({ name: 'shop' })),
    'Expected `clock` to be an object, got undefined',
  ],
  [
    'createCircuits',
    () => createCircuits(wrong({ nme: 'shop' })),
    'Unknown option `nme` of `createCircuits`; did you mean `name`?',
  ],
  [
    'createBudget',
    () => createBudget(wrong({ ration: 1 })),
    'Unknown option `ration` of `createBudget`; did you mean `ratio`?',
  ],
  [
    'createPace',
    () => createPace(wrong({ clok: {} })),
    'Unknown option `clok` of `createPace`; did you mean `clock`?',
  ],
  ['startCall', () => startCall(wrong({})), 'Expected `upstream` to be a text, got undefined'],
  [
    'compose',
    () => compose(wrong(['x']), async () => ({ ok: true, value: 1 })),
    'Expected policy 1 of `compose` to be a function, got string',
  ],
] as const)('%s', (_, make, message) => {
  expect(make).toThrow(new TypeError(message));
});

it.each([
  ['idempotencykey', 'idempotencyKey'],
  ['idempotencyKeys', 'idempotencyKey'],
  ['idempotency_key', 'idempotencyKey'],
  ['readonly', 'readOnly'],
  ['calller', 'caller'],
])('a call has no `%s`', (slip, meant) => {
  expect(() => startCall(wrong({ upstream: 'bank', [slip]: 'x' }))).toThrow(
    `Unknown member \`${slip}\` of a call; did you mean \`${meant}\`?`,
  );
});

it('a call may have members of its own', () => {
  const own = { body: 1, peek: 2, by: 3, tenant: 4, key: 5, params: 6, headers: 7 };
  expect(startCall(wrong({ upstream: 'bank', ...own }))).toMatchObject(own);
});
