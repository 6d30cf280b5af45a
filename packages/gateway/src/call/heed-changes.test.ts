import { expect, it } from 'vitest';
import { heed } from './heed-changes.ts';
import type { ToolHints } from './tool-hints.ts';

function forgetsAfter(text: string): boolean {
  let forgets = false;
  heed({ forget: () => (forgets = true) } as unknown as ToolHints, Buffer.from(text));
  return forgets;
}

it.each([
  ['{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', true],
  ['{"jsonrpc":"2.0","method":"notifications\\/tools\\/list_chang\\u0065d"}', true],
  ['{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}', false],
  [
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"notifications/tools/list_changed"}}',
    false,
  ],
])('forgets what it knows of tools after %s: %s', (text, is) => {
  expect(forgetsAfter(text)).toBe(is);
});
