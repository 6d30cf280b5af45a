import { expect, it } from 'vitest';
import { mendStream } from './event-stream.ts';

const exchange = { isCancelled: false, close: () => undefined };

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
  return new Response(mendStream(streamOf(chunks, end), { id: 7, maxBytes, exchange })).text();
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

it('adopts an error without an id, and leaves other answers and garbage alone', async () => {
  expect(await mended(['data: {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}\n\n'])).toBe(
    'data: {"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"no"}}\n\n',
  );
  const other = 'data: {"jsonrpc":"2.0","id":8,"result":{}}\n\ndata: {"result\n\n';
  expect(await mended([other, ANSWER])).toBe(other + ANSWER);
});
