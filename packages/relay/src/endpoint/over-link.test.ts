import { expect, it } from 'vitest';
import type { Hear, WireCall } from './call.ts';
import { createHear } from './hear.ts';
import { outcomeOf } from './over-link.ts';

const TOOLS = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"tools":[]},"error":{"code":1,"message":"x"}}');

const listed = (isOwn: boolean): boolean => {
  const hear: Hear = { ...createHear({}), isOwn: () => isOwn };
  const call = { method: 'tools/list', back: { committed: false } } as WireCall;
  return outcomeOf(call, TOOLS, hear).ok;
};

it('looks through what a server answered, and not through what was made here', () => {
  expect([listed(true), listed(false)]).toEqual([true, false]);
});
