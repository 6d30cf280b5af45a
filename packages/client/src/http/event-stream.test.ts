import { expect, it } from 'vitest';
import { QUIET_EXCHANGE } from '../../test/quiet-exchange.ts';
import { mendStream } from './event-stream.ts';

const exchange = { ...QUIET_EXCHANGE };
const began = () => undefined;
const beside = () => undefined;

const encoder = new TextEncoder();

function streamOf(chunks: readonly string[], end: 'close' | Error = 'close'): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift();
      if (chunk !== undefined) controller.enqueue(encoder.encode(chunk));
      else if (end === 'close') controller.close();
      else controller.error(end);
    },
  });
}

async function mended(
  chunks: readonly string[],
  end: 'close' | Error = 'close',
  maxBytes = 1000,
): Promise<string> {
  return new Response(mendStream(streamOf(chunks, end), { id: 7, maxBytes, exchange, began, beside })).text();
}

const ANSWER = 'data: {"jsonrpc":"2.0","id":7,"result":{}}\n\n';
const LOST =
  /^data: \{"jsonrpc":"2\.0","id":7,"error":\{.*"kind":"disconnected".*"origin":"transport".*\}\n\n$/;

it('passes an answer on, however it is cut into chunks', async () => {
  expect(await mended([': hi\n\n', ...ANSWER])).toBe(`: hi\n\n${ANSWER}`);
  expect(await mended([ANSWER.replaceAll('\n', '\r\n')])).toBe(ANSWER);
});

it('answers in place of a stream that ends or breaks first', async () => {
  expect(await mended([])).toMatch(LOST);
  expect(await mended(['data: {"jsonrpc":"2.0","id":7,"res'])).toMatch(LOST);
  expect(await mended([], new TypeError('terminated'))).toMatch(LOST);
});

it('says so where the stream has answered another request instead, to its end', async () => {
  const another = 'data: {"jsonrpc":"2.0","id":8,"result":{}}\n\n';
  const told = await mended([another]);
  expect(told).toContain('"kind":"invalid_output"');
  expect(told).toContain('"executed":"maybe"');
  expect((await mended([another, 'data: {"jsonrpc":"2.0","id":7,"res'])).slice(another.length)).toMatch(LOST);
  expect((await mended([another], new TypeError('terminated'))).slice(another.length)).toMatch(LOST);
});

it('does not answer again after the answer', async () => {
  expect(await mended([ANSWER], new TypeError('terminated'))).toBe(ANSWER);
  expect(await mended([ANSWER, ANSWER])).toBe(ANSWER + ANSWER);
});

it('lets the SDK see the break of a stream that it can resume', async () => {
  expect(await mended(['id: 1\ndata: \n\n'])).toBe('id: 1\ndata: \n\n');
  await expect(mended(['id: 1\ndata: \n\n'], new TypeError('terminated'))).rejects.toThrow('terminated');
});

it('lets an abort be an abort', async () => {
  await expect(mended([], new DOMException('stop', 'AbortError'))).rejects.toThrow('stop');
});

it('holds no event beyond the limit', async () => {
  const text = await mended([`data: ${'x'.repeat(2000)}`]);
  expect(text).toContain('"kind":"invalid_output"');
  expect(text).toContain('The answer is larger than 1000 bytes');
});

it('leaves other answers and garbage alone', async () => {
  const other = 'data: {"jsonrpc":"2.0","id":8,"result":{}}\n\ndata: {"result\n\n';
  expect(await mended([other, ANSWER])).toBe(other + ANSWER);
});

const NAMELESS = 'data: {"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"hiccup"}}\n\n';
const ABOUT_NOTIFICATION =
  'data: {"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found: notifications/initialized"}}\n\n';
const LOG_LINE = 'data: {"error":"mail failed","level":"error"}\n\n';

it.each([NAMELESS, ABOUT_NOTIFICATION, LOG_LINE])('waits for the answer after %s', async (said) => {
  expect(await mended([said, ANSWER])).toBe(said + ANSWER);
  expect(await mended([`id: 1\n${said}`, ANSWER])).toBe(`id: 1\n${said}${ANSWER}`);
});

it('takes an error that names no request for the answer when no other one comes', async () => {
  const told = 'data: {"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"hiccup"}}\n\n';
  expect(await mended([NAMELESS])).toBe(NAMELESS + told);
  expect(await mended([NAMELESS], new TypeError('terminated'))).toBe(NAMELESS + told);
  // Nothing comes after it, so nobody is to ask.
  expect(await mended([`id: 1\n${NAMELESS}`])).toBe(`id: 1\n${NAMELESS}id: mayday-over\n${told}`);
  expect((await mended([ABOUT_NOTIFICATION])).slice(ABOUT_NOTIFICATION.length)).toMatch(LOST);
});
