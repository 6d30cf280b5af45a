import { expect, it } from 'vitest';
import { peek } from '../framing/peek.ts';
import { revisionOf, versionIn } from './revisions.ts';

const KEY = 'io.modelcontextprotocol/protocolVersion';
const message = (text: string) => ({ body: Buffer.from(text), peek: peek(Buffer.from(text)) });
const PLAIN = '{"id":1,"method":"tools/list"}';

it.each([
  [{}, PLAIN, '2025-11-25'],
  [{ 'mcp-protocol-version': '2025-11-25' }, PLAIN, '2025-11-25'],
  [{ 'mcp-protocol-version': '2024-11-05' }, PLAIN, '2025-11-25'],
  [{ 'mcp-protocol-version': '2026-07-28' }, PLAIN, '2026-07-28'],
  [{ 'mcp-protocol-version': '2027-01-01' }, PLAIN, '2026-07-28'],
  [{}, `{"id":1,"method":"x","params":{"_meta":{"${KEY}":"2026-07-28"}}}`, '2026-07-28'],
  [{}, `{"id":1,"method":"x","params":{"_meta":{"${KEY}":"2025-06-18"}}}`, '2025-11-25'],
  // Nobody else has it there: what is no date is of the same revision, and wrong.
  [{}, `{"id":1,"method":"x","params":{"_meta":{"${KEY}":7}}}`, '2026-07-28'],
  [{}, `{"id":1,"method":"x","params":{"_meta":{"${KEY}":null}}}`, '2026-07-28'],
  [{}, `{"id":1,"method":"x","params":{"_meta":{"${KEY}":""}}}`, '2026-07-28'],
  [{}, `{"id":1,"method":"x","params":{"_meta":{"${KEY}":"1.0"}}}`, '2026-07-28'],
  [
    { 'mcp-protocol-version': '2025-11-25' },
    `{"id":1,"method":"x","params":{"_meta":{"${KEY}":7}}}`,
    '2025-11-25',
  ],
  // Inside arguments it says nothing.
  [{}, `{"id":1,"method":"x","params":{"arguments":{"${KEY}":"2026-07-28"}}}`, '2025-11-25'],
  [{}, 'no message', '2025-11-25'],
])('with headers %j, %s follows', (headers, text, revision) => {
  expect(revisionOf(headers, message(text))).toBe(revision);
});

it('finds the version behind escapes', () => {
  const { body, peek: seen } = message(
    '{"id":1,"method":"x","params":{"\\u005fmeta":{"io.modelcontextprotocol\\/protocolVersion":"2026-07-28"}}}',
  );
  expect(versionIn(body, seen)).toBe('2026-07-28');
});
