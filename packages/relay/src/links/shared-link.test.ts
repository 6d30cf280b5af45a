import { expect, it } from 'vitest';
import { peek } from '../framing/peek.ts';
import { isConversational } from './shared-link.ts';

it.each([
  ['{"method":"notifications/initialized"}', true],
  ['{"method":"notifications/roots/list_changed"}', true],
  ['{"method":"notifications/progress"}', true],
  ['{"id":1,"result":{}}', true],
  ['{"id":1,"method":"tools/call"}', false],
  ['{"method":"notifications/vendor"}', false],
])('knows whether %s belongs to a conversation', (text, is) => {
  expect(isConversational(peek(Buffer.from(text)))).toBe(is);
});
