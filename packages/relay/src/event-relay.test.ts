import { expect, it } from 'vitest';
import { createEventRelay } from './event-relay.ts';

it('passes events on as they came and exchanges failing answers', () => {
  const relay = createEventRelay(() => Buffer.from('{"id":1,"error":{"code":9,"message":"said anew"}}'));
  const before = 'event: message\ndata: {"method":"notifications/progress"}\n\n';
  const failing = 'id: 3\ndata: {"id":1,"error":{"code":1,"message":"secret"}}\n\n';
  const out = relay.push(Buffer.from(before + failing))?.toString() ?? '';
  expect(out.startsWith(before)).toBe(true);
  expect(out).toContain('said anew');
  expect(out).not.toContain('secret');
  expect([relay.answer?.toString(), relay.resumable]).toEqual([failing.slice(12, -2), true]);
});

it('passes a successful run on without touching it', () => {
  const relay = createEventRelay(() => undefined);
  const chunk = Buffer.from('data: {"id":1,"result":{}}\n\n');
  expect(relay.push(chunk)?.buffer).toBe(chunk.buffer);
});
