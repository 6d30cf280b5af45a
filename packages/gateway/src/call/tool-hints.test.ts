/** What a tool says about itself decides whether the gateway makes a failed call again. */
import { isRepeatable } from '@mayday/core/plan';
import { expect, it } from 'vitest';
import { createToolHints } from './tool-hints.ts';

it.each([
  ['only reads', { readOnlyHint: true }, true],
  ['does no harm a second time', { idempotentHint: true }, true],
  ['does no harm a second time, and can be undone', { idempotentHint: true, destructiveHint: false }, true],
  ['cannot be undone, whatever else it says', { idempotentHint: true, destructiveHint: true }, false],
  ['says that it only reads and that it destroys', { readOnlyHint: true, destructiveHint: true }, false],
  ['says nothing', {}, false],
])('a tool that %s', (_, annotations, repeatable) => {
  const hints = createToolHints();
  hints.learn([{ name: 'wipe', annotations }]);
  expect(isRepeatable({ method: 'tools/call', ...hints.of('wipe') })).toBe(repeatable);
});

it('goes on learning when there are very many tools', () => {
  const hints = createToolHints();
  hints.learn(Array.from({ length: 10_000 }, (_, i) => ({ name: `old${i}` })));
  hints.learn([{ name: 'new', annotations: { readOnlyHint: true } }]);
  expect([hints.of('new')?.readOnly, hints.of('old0'), hints.of('old1')]).toEqual([
    true,
    undefined,
    { readOnly: undefined, idempotent: undefined, destructive: undefined, takesKeys: false },
  ]);
});
