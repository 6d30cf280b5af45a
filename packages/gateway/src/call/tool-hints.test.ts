/** What a tool says about itself decides whether the gateway makes a failed call again. */
import { isRepeatable } from '@mayday/core/plan';
import { expect, it } from 'vitest';
import { createToolHints, type ToolHints } from './tool-hints.ts';

const ANYBODY = { headers: {} };

it.each([
  ['only reads', { readOnlyHint: true }, true],
  ['does no harm a second time', { idempotentHint: true }, true],
  ['does no harm a second time, and can be undone', { idempotentHint: true, destructiveHint: false }, true],
  ['cannot be undone, whatever else it says', { idempotentHint: true, destructiveHint: true }, false],
  ['says that it only reads and that it destroys', { readOnlyHint: true, destructiveHint: true }, false],
  ['says nothing', {}, false],
])('a tool that %s', (_, annotations, repeatable) => {
  const hints = createToolHints();
  hints.learn(ANYBODY, [{ name: 'wipe', annotations }], 0);
  expect(isRepeatable({ method: 'tools/call', ...hints.of(ANYBODY, 'wipe') })).toBe(repeatable);
});

it('knows 20 000 tools, and forgets the one that was not used for longest when there are more', () => {
  const hints = createToolHints();
  hints.learn(
    ANYBODY,
    Array.from({ length: 20_000 }, (_, i) => ({ name: `old${i}` })),
    0,
  );
  hints.of(ANYBODY, 'old0');
  hints.learn(ANYBODY, [{ name: 'new', annotations: { readOnlyHint: true } }], 0);
  expect([hints.of(ANYBODY, 'new')?.readOnly, hints.of(ANYBODY, 'old1'), hints.of(ANYBODY, 'old0')]).toEqual([
    true,
    undefined,
    {
      readOnly: undefined,
      idempotent: undefined,
      destructive: undefined,
      takesKeys: false,
      hasOutput: false,
    },
  ]);
});

it.each([
  ['another session', { 'mcp-session-id': 'one' }, { 'mcp-session-id': 'two' }],
  ['other credentials', { authorization: 'Bearer reader' }, { authorization: 'Bearer writer' }],
  ['other credentials in one session', { 'mcp-session-id': 'one', cookie: 'r' }, { 'mcp-session-id': 'one' }],
])('a list counts for whoever was given it: %s', (_, reader, writer) => {
  const hints = createToolHints();
  hints.learn({ headers: reader }, [{ name: 'run', annotations: { readOnlyHint: true } }], 0);
  expect(hints.of({ headers: reader }, 'run')?.readOnly).toBe(true);
  expect(hints.of({ headers: writer }, 'run')).toBeUndefined();
});

it('a list that was asked for before the tools changed counts no more', () => {
  const hints = createToolHints();
  const { age } = hints;
  const tools = [{ name: 'run', annotations: { readOnlyHint: true } }];
  hints.learn(ANYBODY, tools, age);
  hints.forget();
  expect(hints.of(ANYBODY, 'run')).toBeUndefined();
  hints.learn(ANYBODY, tools, age);
  expect(hints.of(ANYBODY, 'run')).toBeUndefined();
});

it('of 100 000 tools in all lists, the list that was not used for longest makes room', () => {
  const hints = createToolHints();
  const tools = Array.from({ length: 20_000 }, (_, i) => ({ name: `t${i}`, annotations: {} }));
  const listeners = [1, 2, 3, 4, 5].map((i) => ({ headers: { 'mcp-session-id': `s${i}` } }));
  for (const listener of listeners) {
    hints.learn(listener, tools, 0);
    hints.of({ headers: { 'mcp-session-id': 's1' } }, 't0');
  }
  expect(listeners.map((listener) => hints.of(listener, 't0') !== undefined)).toEqual([
    true,
    false,
    true,
    true,
    true,
  ]);
});

it.each([
  ['in one page', (hints: ToolHints, one: object, other: object) => hints.learn(ANYBODY, [one, other], 0)],
  [
    'in two',
    (hints: ToolHints, one: object, other: object) => {
      hints.learn(ANYBODY, [one], 0);
      hints.learn(ANYBODY, [other], 0, true);
    },
  ],
  ['to everybody', (hints: ToolHints, one: object, other: object) => hints.learnForAll([one, other])],
])('believes of a tool that is listed twice what both entries say, %s', (_where, list) => {
  const write = { name: 'pay' };
  const read = { name: 'pay', annotations: { readOnlyHint: true, idempotentHint: true } };
  const keyed = { name: 'pay', outputSchema: {}, _meta: { 'dev.mayday/idempotency-key': true } };
  const destroys = { name: 'pay', annotations: { idempotentHint: true, destructiveHint: true } };
  const known = (one: object, other: object) => {
    const hints = createToolHints();
    list(hints, one, other);
    return hints.of(ANYBODY, 'pay');
  };
  for (const [one, other] of [
    [write, read],
    [read, write],
  ] as const)
    expect([known(one, other)?.readOnly, known(one, other)?.idempotent]).not.toContain(true);
  for (const [one, other] of [
    [keyed, write],
    [write, keyed],
  ] as const)
    expect(known(one, other)).toMatchObject({ takesKeys: false, hasOutput: true });
  expect(known(destroys, read)).toMatchObject({ destructive: true, idempotent: true });
  expect(known(read, destroys)).toMatchObject({ destructive: true, idempotent: true });
  expect(known(read, read)).toMatchObject({ readOnly: true, idempotent: true });
});
