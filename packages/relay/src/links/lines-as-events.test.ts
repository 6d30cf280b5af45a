import { expect, it } from 'vitest';
import { AnswerReader } from './http-answer.ts';
import { linesAsEvents } from './lines-as-events.ts';

const flow = { pause() {}, resume() {}, abort() {} };
const JSON_HEAD = { 'content-type': 'application/json; charset=utf-8' };
const TOLD =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}';
const ANSWER = '{"jsonrpc":"2.0","id":1,"result":{"tëxt":"ok"}}';

/** What is heard of a body that comes in these pieces, and whether it was whole. */
function heard(pieces: readonly Buffer[], headers: { readonly [name: string]: string } = JSON_HEAD) {
  const messages: string[] = [];
  const over: (string | undefined)[] = [];
  const types: unknown[] = [];
  const reader = new AnswerReader({
    maxBytes: 200_000,
    expectsAnswer: true,
    onStart: (head) => types.push(head.headers['content-type']),
    onMessage: (message) => messages.push(message.toString('utf8')),
    onOver: (fault) => over.push(fault?.kind),
  });
  const answer = linesAsEvents(reader);
  answer.onStart({ status: 200, statusText: 'OK', headers }, flow);
  for (const piece of pieces) answer.onData(piece);
  return { answer, messages, over, types };
}

/** Cut into pieces of so many bytes. */
function pieces(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

it.each([1, 2, 3, 7, 50, 10_000])('messages are heard as they come, in pieces of %d bytes', (size) => {
  const lines = `\r\n${TOLD}\r\n\n{"jsonrpc":"2.0",\r"method":"x"}\n${ANSWER}\n`;
  const { messages, types } = heard(pieces(lines, size));
  expect(messages).toEqual([TOLD, '{"jsonrpc":"2.0","method":"x"}', ANSWER]);
  expect(types).toEqual(['text/event-stream']);
});

it('the last line needs no end', () => {
  const { answer, messages } = heard([Buffer.from(`${TOLD}\n${ANSWER}`)]);
  expect(messages).toEqual([TOLD]);
  answer.onEnd();
  expect(messages).toEqual([TOLD, ANSWER]);
});

it('a line whose connection broke is no message', () => {
  const { answer, messages, over } = heard([Buffer.from(`${TOLD}\n${ANSWER}`)]);
  answer.onError(new Error('broken'), true);
  expect([messages, over]).toEqual([[TOLD], ['disconnected']]);
});

it.each([
  ['over several lines', '{\n"jsonrpc":"2.0",\n"id":1,"result":{}}\n'],
  ['on a line of its own', `${ANSWER}\n`],
  ['on no line', ANSWER],
])('an answer %s stays the whole body', (_how, body) => {
  const { answer, messages, types } = heard(pieces(body, 5));
  answer.onEnd();
  expect([messages, types]).toEqual([[body], [JSON_HEAD['content-type']]]);
});

it('what begins with a longer line than a notification has is held by whoever reads it', () => {
  const { over, types } = heard([Buffer.alloc(70_000, 0x20), Buffer.alloc(140_000, 0x20)]);
  expect([types, over]).toEqual([[JSON_HEAD['content-type']], ['invalid_output']]);
});

it.each([
  ['of a known length', { ...JSON_HEAD, 'content-length': '500' }],
  ['of another type', { 'content-type': 'text/plain' }],
  ['that is packed', { ...JSON_HEAD, 'content-encoding': 'gzip' }],
])('a body %s is read when it has ended', (_which, headers) => {
  const { messages, types } = heard([Buffer.from(`${TOLD}\n${ANSWER}\n`)], headers);
  expect([messages, types]).toEqual([[], [headers['content-type']]]);
});
