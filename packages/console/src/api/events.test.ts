import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEventReader } from './events.ts';

const STREAM = [
  ': failures follow\n\n',
  'id: 7\nevent: message\ndata: {"a":1}\n\n',
  ':\n\n',
  'id: 8\r\ndata: one\r\ndata:two\r\n\r\n',
  'data: kept id\r\r',
  'retry: 5\n\n',
].join('');

const EVENTS = [
  { id: '7', data: '{"a":1}' },
  { id: '8', data: 'one\ntwo' },
  { id: '8', data: 'kept id' },
];

it('reads events, and nothing of comments', () => {
  expect(createEventReader()(STREAM)).toEqual(EVENTS);
});

it('reads the same wherever a stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
      const read = createEventReader();
      const places = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
      const parts = places.slice(1).map((end, index) => STREAM.slice(places[index], end));
      expect(parts.flatMap((part) => read(part))).toEqual(EVENTS);
    }),
  );
});

it('holds no more than an event may have', () => {
  const read = createEventReader();
  expect(() => {
    for (let i = 0; i < 5; i += 1) read('x'.repeat(1_000_000));
  }).toThrow('An event of the stream is too long');
});
