import { describe, expect, it } from 'vitest';
import { isRead, isRepeatable, type PlannedCall, safetyOf } from './call.ts';

/** Requests of MCP that can be sent twice, and those that cannot without a word about them. */
const REPEATABLE = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'roots/list',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/cancel',
];
const ONCE = ['tools/call', 'sampling/createMessage', 'elicitation/create', 'acme/do', ''];

describe('whether a second execution can do harm', () => {
  it.each(REPEATABLE)('%s changes nothing', (method) => {
    expect(safetyOf({ method }, 'maybe')).toEqual({ safe: true, because: `${method} changes nothing` });
    expect([isRepeatable({ method }), isRead({ method })]).toEqual([true, true]);
  });

  it.each(ONCE)('%j may change something', (method) => {
    expect(safetyOf({ method }, 'maybe')).toEqual({
      safe: false,
      because: 'the call may have been executed',
    });
    expect([isRepeatable({ method }), isRead({ method })]).toEqual([false, false]);
  });

  it('takes a call without a method for a tool call', () => {
    expect([isRepeatable({}), isRead({})]).toEqual([false, false]);
  });

  it.each([
    [{ repeatable: false, readOnly: true }, 'the operator says that the call must not be repeated'],
    [{ destructive: true }, 'the tool is destructive and the call was executed'],
    [{}, 'the call was executed'],
    [{ idempotencyKey: false }, 'the call was executed'],
    [{ idempotencyKey: '' }, 'the call was executed'],
  ] satisfies [PlannedCall, string][])('%j is not repeated once it was executed', (call, because) => {
    expect(safetyOf(call, 'yes')).toEqual({ safe: false, because });
  });

  it.each([
    [{ idempotencyKey: true }, 'the server recognises the call by its idempotency key'],
    [{ repeatable: true, destructive: true }, 'the operator says that the call can be repeated'],
    [{ readOnly: true }, 'the tool only reads'],
    [{ idempotent: true }, 'the tool is idempotent'],
  ] satisfies [PlannedCall, string][])('%j is repeated even so', (call, because) => {
    expect(safetyOf(call, 'yes')).toEqual({ safe: true, because });
  });

  it('repeats anything that was not executed', () => {
    expect(safetyOf({ repeatable: false, destructive: true }, 'no')).toEqual({
      safe: true,
      because: 'the call was not executed',
    });
  });
});

describe('whether a call only reads', () => {
  it.each([
    [{ readOnly: true }, true],
    [{ readOnly: true, destructive: false }, true],
    [{ readOnly: true, destructive: true }, false],
    [{ readOnly: false }, false],
    [{ idempotent: true }, false],
    [{ repeatable: true }, false],
    [{ repeatable: true, readOnly: true }, true],
    [{ repeatable: false, readOnly: true }, false],
    [{ repeatable: false, method: 'tools/list' }, false],
  ] satisfies [PlannedCall, boolean][])('%j: %s', (call, expected) => {
    expect(isRead(call)).toBe(expected);
  });
});
