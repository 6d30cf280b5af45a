/** A handler that guards one of its steps: that the step was refused says nothing of what was done before it. */

import { fault } from '@mayday/core';
import { McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import {
  concurrency,
  deadline,
  type Guard,
  guard,
  protect,
  rateLimit,
  scopes,
  sizeLimits,
} from '../src/index.ts';
import { callOf } from './call-of.ts';
import { connectRaw } from './wire.ts';

const never: Guard = {
  name: 'never',
  before() {
    throw fault.overloaded('Too many mails', { executed: 'no' });
  },
};
const stuck: Guard = { name: 'stuck', before: () => new Promise(() => undefined) };

it.each<readonly [string, readonly Guard[]]>([
  ['concurrency', [concurrency({ limit: 1 })]],
  ['a queue', [concurrency({ limit: 1, queue: 5 }), deadline({ ms: 30 })]],
  ['a deadline', [stuck, deadline({ ms: 30 })]],
  ['a rate', [rateLimit({ limit: 1, windowMs: 60_000, per: 'caller' })]],
  ['scopes', [scopes({ required: () => ['mail'] })]],
  ['sizes', [sizeLimits({ maxArgumentBytes: 1 })]],
  ['a guard of its own', [never]],
])('%s', async (_, guards) => {
  const held = protect(guards, callOf({ arguments: { to: 'a' } }), () => new Promise(() => undefined));
  held.catch(() => undefined);
  let booked = 0;
  const server = guard(new McpServer({ name: 's', version: '1' }));
  server.registerTool('pay', {}, async () => {
    booked += 1;
    await protect(guards, callOf({ arguments: { to: 'a' } }), () => 'sent');
    return { content: [] };
  });
  const answer = await (await connectRaw(server as never)).ask('tools/call', { name: 'pay', arguments: {} });
  expect(answer.result?.['_meta']).toMatchObject({ 'dev.mayday/fault': { executed: 'maybe' } });
  expect(booked).toBe(1);
});
