/** The rest of a stream is asked for as long as something may come of it. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HttpAnswer, HttpClient } from './http-client.ts';
import { StreamPlace, takeUp } from './take-up.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const FLOW = { pause: () => {}, resume: () => {}, abort: () => {} };

/** A server that answers each time so. */
function asking(answer: (to: HttpAnswer, nth: number) => void) {
  let asked = 0;
  let lost = 0;
  const send: HttpClient['send'] = (_request, to) => {
    asked += 1;
    answer(to, asked);
    return () => {};
  };
  const place = new StreamPlace();
  place.saw({ id: 'e0', retryMs: 1000 });
  takeUp({
    client: { send, close: async () => {} } as unknown as HttpClient,
    path: '/mcp',
    headers: () => [],
    maxBytes: 1000,
    place,
    onStart: () => {},
    onMessage: () => {},
    isOver: () => lost > 0,
    onLost: () => {
      lost += 1;
    },
  });
  return { asked: () => asked, lost: () => lost };
}

function stream(to: HttpAnswer, said: string): void {
  to.onStart({ status: 200, statusText: 'OK', headers: { 'content-type': 'text/event-stream' } }, FLOW);
  if (said !== '') to.onData(Buffer.from(said));
}

it('not for minutes where each stream ends at once, with nothing in it', async () => {
  const { asked, lost } = asking((to) => {
    stream(to, '');
    to.onEnd();
  });
  await vi.advanceTimersByTimeAsync(7000);
  expect([asked(), lost()]).toEqual([3, 0]);
  await vi.advanceTimersByTimeAsync(9000);
  expect([asked(), lost()]).toEqual([4, 1]);
});

it('but on where its place is moved, or the server takes its time', async () => {
  const moving = asking((to, nth) => {
    stream(to, `id: e${nth}\n\n`);
    to.onEnd();
  });
  const slow = asking((to) => {
    stream(to, '');
    setTimeout(() => to.onEnd(), 5000);
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([moving.lost(), slow.lost()]).toEqual([0, 0]);
  expect(moving.asked()).toBe(60);
});

it('not at all where it is refused', async () => {
  const { asked, lost } = asking((to) => {
    to.onStart({ status: 405, statusText: '', headers: {} }, FLOW);
    to.onEnd();
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked(), lost()]).toEqual([1, 1]);
});
