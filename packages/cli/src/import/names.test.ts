import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstName, upstreamName } from './names.ts';

test.each([
  ['GitHub', 'github'],
  ['Brave Search', 'brave-search'],
  ['awslabs.core-mcp-server', 'awslabs-core-mcp-server'],
  ['__proto__', 'proto'],
  ['Größe', 'gr-e'],
  ['', 'server'],
  ['日本', 'server'],
  ['a'.repeat(40), 'a'.repeat(32)],
])('%s → %s', (name, expected) => {
  expect(upstreamName(name)).toBe(expected);
});

test('every name can be one of an upstream, also with a number', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(12), (name, others) => {
      const taken = new Set<string>();
      for (let n = 0; n <= others; n++)
        taken.add(firstName(upstreamName(name), (tried) => !taken.has(tried)));
      expect(taken.size).toBe(others + 1);
      for (const tried of taken) expect(tried).toMatch(/^[a-z0-9][a-z0-9-]{0,31}$/);
    }),
  );
});
