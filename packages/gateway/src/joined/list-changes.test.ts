/** Changes that come together are told once. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createListChanges } from './list-changes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const note = (method: string): Buffer => Buffer.from(JSON.stringify({ jsonrpc: '2.0', method }));
const TOOLS = 'notifications/tools/list_changed';
const PROMPTS = 'notifications/prompts/list_changed';

it('tells once what changed many times within a moment, and again what changes later', async () => {
  const told: unknown[] = [];
  const say = createListChanges((message) => told.push(JSON.parse(message.toString()).method));
  for (let server = 0; server < 10; server++) for (const method of [TOOLS, PROMPTS]) say(note(method));
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toEqual([TOOLS, PROMPTS]);
  say(note(TOOLS));
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toEqual([TOOLS, PROMPTS, TOOLS]);
});

it('holds nothing else back', () => {
  const told: string[] = [];
  const say = createListChanges((message) => told.push(message.toString()));
  const others = [
    '{"jsonrpc":"2.0","method":"notifications/message"}',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  ];
  for (const each of others) say(Buffer.from(each));
  expect(told).toEqual(others);
});
