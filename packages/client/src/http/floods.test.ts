/** A server that says a great deal in very little words does not keep timers from their turn. */

import { expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { QUIET_EXCHANGE } from '../../test/quiet-exchange.ts';
import { mendStream } from './event-stream.ts';
import { EventCutter } from './events.ts';
import { createExchanges } from './exchanges.ts';
import { Hearing } from './heard.ts';
import { watchStanding } from './standing-stream.ts';

const PIECE = 16 * 1024;
const PIECES = 40;
const ANSWER = 'data: {"jsonrpc":"2.0","id":7,"result":{}}\n\n';

/** All of it is there already: nothing that is read has to be waited for. */
function floodOf(text: string): ReadableStream<Uint8Array> {
  const piece = new TextEncoder().encode(text.repeat(Math.ceil(PIECE / text.length)));
  return new ReadableStream({
    start(controller) {
      for (let i = 0; i < PIECES; i++) controller.enqueue(piece);
      controller.enqueue(new TextEncoder().encode(ANSWER));
      controller.close();
    },
  });
}

/** Reads all of it; the longest that a timer had to wait, in milliseconds of this thread's own work. */
async function longestTurn(stream: ReadableStream<Uint8Array>): Promise<{ end: string; ms: number }> {
  let last = threadClock();
  let ms = 0;
  const look = (): void => {
    ms = Math.max(ms, threadClock() - last);
    last = threadClock();
  };
  const timer = setInterval(look, 1);
  let end = '';
  for await (const chunk of stream) end = (end + new TextDecoder().decode(chunk)).slice(-ANSWER.length);
  look();
  clearInterval(timer);
  return { end, ms };
}

const exchange = { ...QUIET_EXCHANGE };

it.each([
  ['blank lines', '\n'],
  ['comments', ': a\n\n'],
  ['ids', 'id: 1\n\n'],
  ['logs', 'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}\n\n'],
])('%s', async (_name, text) => {
  const options = { id: 7, maxBytes: 1000, exchange, began: () => undefined, beside: () => undefined };
  const answered = await longestTurn(mendStream(floodOf(text), options));
  const standing = await longestTurn(
    watchStanding(floodOf(text), { exchanges: createExchanges(), hearing: new Hearing(), maxBytes: 1000 }),
  );
  expect([answered.end, standing.end]).toEqual([ANSWER, ANSWER]);
  expect(Math.max(answered.ms, standing.ms)).toBeLessThan(100);
});

it('takes blank lines for no events of their own', () => {
  expect(new EventCutter().take('\n'.repeat(10_000))).toHaveLength(1);
  expect(new EventCutter().take('data: 1\n\n\n\r\n\rdata: 2\n\n\n')).toEqual([
    'data: 1\n\n\n\r\n\r',
    'data: 2\n\n\n',
  ]);
});
