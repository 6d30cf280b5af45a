import { expect, it } from 'vitest';
import { createToolHints } from './tool-hints.ts';

it('goes on learning when there are very many tools', () => {
  const hints = createToolHints();
  hints.learn(Array.from({ length: 10_000 }, (_, i) => ({ name: `old${i}` })));
  hints.learn([{ name: 'new', annotations: { readOnlyHint: true } }]);
  expect([hints.of('new')?.readOnly, hints.of('old0'), hints.of('old1')]).toEqual([
    true,
    undefined,
    { readOnly: undefined, idempotent: undefined },
  ]);
});
