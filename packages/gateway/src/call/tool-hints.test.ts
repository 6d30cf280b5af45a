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

it('knows 20 000 tools, and forgets the one that was not used for longest when there are more', () => {
  const hints = createToolHints();
  hints.learn(Array.from({ length: 20_000 }, (_, i) => ({ name: `old${i}` })));
  hints.of('old0');
  hints.learn([{ name: 'new', annotations: { readOnlyHint: true } }]);
  expect([hints.of('new')?.readOnly, hints.of('old1'), hints.of('old0')]).toEqual([
    true,
    undefined,
    { readOnly: undefined, idempotent: undefined, destructive: undefined, takesKeys: false },
  ]);
});
