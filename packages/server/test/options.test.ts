/** Options that decide about harm are refused when they are wrong, when they are set. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { createMemoryIdempotency, guard } from '../src/index.ts';

const guarded = (options: unknown) => () =>
  guard(new McpServer({ name: 's', version: '1' }), options as never);

describe('a guard refuses', () => {
  it.each([
    [
      { idempotency: { ttlMs: '1h' } },
      'Expected `ttlMs` to be a positive number of milliseconds, got string',
    ],
    [{ idempotency: { ttlMs: -1 } }, 'Expected `ttlMs` to be a positive number of milliseconds, got -1'],
    [{ idempotency: { ttlMs: 0 } }, 'Expected `ttlMs` to be a positive number of milliseconds, got 0'],
    [
      { idempotency: { ttlMs: Number.NaN } },
      'Expected `ttlMs` to be a positive number of milliseconds, got NaN',
    ],
    [
      { idempotency: { leaseMs: 'x' } },
      'Expected `leaseMs` to be a positive number of milliseconds, got string',
    ],
    [{ idempotency: { maxAnswerLength: 0 } }, 'Expected `maxAnswerLength` to be a positive integer, got 0'],
    [{ idempotency: { store: {} } }, 'Expected `store` to have the methods `claim`, `finish` and `free`'],
    [{ idempotency: true }, 'Expected the options of `idempotency` to be an object, got true'],
    [{ unhandledRejections: 'x' }, 'Expected `unhandledRejections` to be "report" or "leave", got "x"'],
    [{ telemetry: {} }, 'Expected `telemetry` to be what `openTelemetry()` makes, got {}'],
    [{ telemetry: null }, 'Expected `telemetry` to be what `openTelemetry()` makes, got null'],
    [{ onFault: 'x' }, 'Expected `onFault` to be a function, got "x"'],
    [
      { clock: { now: 7 } },
      'Expected `clock` to be an object with `now`, `setTimeout`, `clearTimeout`, got {"now":7}',
    ],
    [
      { registered: [{}] },
      'Expected `registered` to be a list of handles that registering gave back, got [{}]',
    ],
    [
      { guards: [{ name: 'g', before: 'x' }] },
      'Expected `guards` to be a list of guards, each with a name, got [{"name":"g","before":"x"}]',
    ],
    [
      { guards: [{ name: 'g', stage: 'later' }] },
      'Expected `guards` to be a list of guards, each with a name, got [{"name":"g","stage":"later"}]',
    ],
    [
      { deadlineMs: Number.NaN },
      'Expected `deadlineMs` to be a positive number, a function or false, got null',
    ],
  ])('%j', (options, sentence) => {
    expect(guarded(options)).toThrow(new TypeError(sentence));
  });
});

it('takes what is right', () => {
  const idempotency = { store: createMemoryIdempotency({ maxKeys: 7 }), ttlMs: 1000, leaseMs: 1000 };
  expect(guarded({ idempotency, unhandledRejections: 'leave', telemetry: { fault() {} } })).not.toThrow();
});
