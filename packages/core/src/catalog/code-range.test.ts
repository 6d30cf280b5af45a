import { expect, test } from 'vitest';
import { rangeOf } from './code-range.ts';

test.each([
  [-32769, 'application'],
  [-32768, 'reserved'],
  [-32700, 'json-rpc'],
  [-32604, 'reserved'],
  [-32603, 'json-rpc'],
  [-32600, 'json-rpc'],
  [-32599, 'reserved'],
  [-32100, 'reserved'],
  [-32099, 'specification'],
  [-32020, 'specification'],
  [-32019, 'legacy'],
  [-32000, 'legacy'],
  [-31999, 'application'],
  [0, 'application'],
  [3001, 'application'],
])('%d lies in the range %s', (code, id) => {
  expect(rangeOf(code).id).toBe(id);
});
