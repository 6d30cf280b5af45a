import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEventRelay } from './event-relay.ts';
import { createEventSplitter, splitEvents, toEvent } from './events.ts';
import { createLineSplitter } from './lines.ts';

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...ends].map((start, i) => bytes.subarray(start, ends[i] ?? bytes.length));
}

it('gives the same lines however the bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(60)), (places) => {
      const lines: string[] = [];
      const splitter = createLineSplitter(
        1000,
        (line) => lines.push(line.toString()),
        () => {},
      );
      for (const chunk of cut(Buffer.from('one\r\n\ntwo\n{"three":"ü"}\nrest'), places)) splitter.push(chunk);
      expect(lines).toEqual(['one', 'two', '{"three":"ü"}']);
    }),
  );
});

it('stops at a line that is too long, and says so once', () => {
  let overflows = 0;
  const lines: Buffer[] = [];
  const splitter = createLineSplitter(
    10,
    (line) => lines.push(line),
    () => overflows++,
  );
  for (const chunk of ['aaaaaaaa', 'bbbbbbbb', 'cc\nok\n']) splitter.push(Buffer.from(chunk));
  expect([overflows, lines.length]).toEqual([1, 0]);
});

it.each(['\n', '\r\n'])('gives the same events however the bytes are cut, with line ends %j', (end) => {
  const text = [
    `: ping${end}${end}`,
    `id: 4${end}data: {"a":1}${end}${end}`,
    `data: x${end}data: y${end}${end}`,
  ];
  fc.assert(
    fc.property(fc.array(fc.nat(80)), (places) => {
      const splitter = createEventSplitter();
      const runs = cut(Buffer.from(text.join('')), places).map((chunk) => splitter.push(chunk));
      const events = runs.flatMap((run) => (run === undefined ? [] : splitEvents(run)));
      expect(events.map((event) => [event.raw.toString(), event.data.toString(), event.id])).toEqual([
        [text[0], '', undefined],
        [text[1], '{"a":1}', '4'],
        [text[2], 'x\ny', undefined],
      ]);
      expect(splitter.held).toBe(0);
    }),
  );
});

it('writes a message as one event, line breaks or not', () => {
  const [event] = splitEvents(toEvent(Buffer.from('{\n "a": 1\r\n}'), '7-1'));
  expect([event?.data.toString(), event?.id]).toEqual(['{ "a": 1}', '7-1']);
});

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
