import fc from 'fast-check';
import { expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { runs } from '../../../../test/runs.ts';
import { cut } from '../../test/bytes.ts';
import {
  createEventSplitter,
  saysSomething,
  saysUnknown,
  splitEvents,
  toEvent,
  withId,
  withoutAsides,
  withSayableId,
} from './events.ts';

interface Seen {
  readonly data: string;
  readonly id: string | undefined;
}

/** The specification, word by word, on the whole text at once. Events without data are not dispatched. */
function reference(bytes: Buffer): Seen[] {
  const text = bytes.toString('latin1').replace(/^\xef\xbb\xbf/, '');
  const lines = text.split(/\r\n|\n|\r/);
  lines.pop(); // not ended
  const events: Seen[] = [];
  let data: string[] = [];
  let id: string | undefined;
  for (const line of lines) {
    if (line === '') {
      if (data.length > 0) events.push({ data: data.join('\n'), id });
      data = [];
      id = undefined;
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    if (field === 'id' && !value.includes('\0')) id = value;
  }
  return events;
}

function parsed(chunks: readonly Buffer[]): { runs: Buffer; held: number; seen: Seen[] } {
  const splitter = createEventSplitter();
  const runs = chunks.map((chunk) => splitter.push(chunk)).filter((run) => run !== undefined);
  const events = runs.flatMap((run) => splitEvents(run));
  const all = Buffer.concat(runs);
  // Each to the letter, in its place; what stands between them says nothing.
  let place = 0;
  const places = events.map(({ raw }) => {
    place = all.indexOf(raw, place) + raw.length;
    return place;
  });
  expect(events.every(({ raw }) => all.includes(raw))).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  return {
    runs: all,
    held: splitter.held,
    seen: events
      .map(({ data, id }) => ({
        data: data.toString('latin1'),
        id: id && Buffer.from(id).toString('latin1'),
      }))
      .filter(({ data }) => data !== ''),
  };
}

const PIECES = [
  '\r',
  '\n',
  '\r\n',
  '\n\n',
  'data:',
  'data: ',
  'data',
  'id: ',
  'id:',
  ': ping',
  'event: message',
]
  .concat(['x', ' ', ':', '{"a":1}', 'é', '\ufeff', '\0', 'retry: 5', 'datax: no', 'ID: 7'])
  .map((text) => Buffer.from(text));

it('reads any stream as the specification says, however it is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }),
      fc.array(fc.nat(200), { maxLength: 12 }),
      fc.boolean(),
      (pieces, places, marked) => {
        const bytes = Buffer.concat([...(marked ? [Buffer.from('\ufeff')] : []), ...pieces]);
        const expected = reference(bytes).filter(({ data }) => data !== '');
        expect(parsed(cut(bytes, places)).seen).toEqual(expected);
      },
    ),
    { numRuns: runs(20_000) },
  );
});

it('loses no byte: what was given out and what is held are the stream without its mark', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }),
      fc.array(fc.nat(200)),
      (pieces, places) => {
        const bytes = Buffer.concat([Buffer.from('x'), ...pieces]);
        const { runs, held } = parsed(cut(bytes, places));
        expect(runs.equals(bytes.subarray(0, runs.length))).toBe(true);
        expect(runs.length + held).toBe(bytes.length);
      },
    ),
  );
});

it.each(['\n', '\r\n', '\r'])('reads each byte as a chunk of its own, with line ends %j', (end) => {
  const text = `\ufeff: ping${end}${end}id: 4${end}data: {"a":1}${end}${end}data: x${end}data:y${end}${end}data: cut`;
  const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]));
  expect(parsed(bytes).seen).toEqual([
    { data: '{"a":1}', id: '4' },
    { data: 'x\ny', id: undefined },
  ]);
});

it('passes a whole chunk on without copying it', () => {
  const chunk = Buffer.from('data: {"id":1,"result":{}}\n\n');
  expect(createEventSplitter().push(chunk)?.buffer).toBe(chunk.buffer);
});

it('takes linear time for many lines in one event', () => {
  const bytes = Buffer.from(`${'data: x\n'.repeat(300_000)}\n`);
  const start = threadClock();
  const { seen } = parsed([bytes]);
  expect(seen[0]?.data.length).toBe(599_999);
  expect(threadClock() - start).toBeLessThan(3000);
});

it('writes a message as one event, line breaks or not', () => {
  const [event] = splitEvents(toEvent(Buffer.from('{\n "a": 1\r\n}'), '7-1'));
  expect([event?.data.toString(), event?.id]).toEqual(['{ "a": 1}', '7-1']);
});

it('keeps what comments say to itself, and every field as it came', () => {
  const run = Buffer.from(': password=hunter2\nid: 1\ndata: {"a":": b"}\r: x\n\n:ping\r\n\r\n');
  expect(withoutAsides(run).toString()).toBe(':\nid: 1\ndata: {"a":": b"}\r:\n\n:\r\n\r\n');
  const plain = Buffer.from('id: 1\ndata: {"a":": b"}\n\n');
  expect(withoutAsides(plain)).toBe(plain);
});

it('passes on no field and no name that nobody knows', () => {
  const run = Buffer.from(
    'event: message\nfoo: password=hunter2\ndata: x\n\nevent: sk-live-4f3a\nretry: 30\nretry: x\ndata\nid\n\nevent: a b\r\n\r\n',
  );
  expect(withoutAsides(run).toString()).toBe(
    'event: message\n:\ndata: x\n\n:\nretry: 30\n:\ndata\nid\n\n:\r\n\r\n',
  );
  const plain = Buffer.from('event: message\nid: 1\nretry: 5\ndata: {}\n\n:\n\n');
  expect(withoutAsides(plain)).toBe(plain);
});

it('says how long to wait before a stream is taken up, where it says so in digits', () => {
  const run = Buffer.from('id: 1\nretry: 30\n\nretry: soon\ndata: x\n\n');
  expect(splitEvents(run).map(({ retryMs }) => retryMs)).toEqual([30, undefined]);
});

it.each([
  ['id: 1\ndata: {"a":1}\n\n', 'id: 1!\ndata: {"a":1}\n\n', '1!'],
  ['data: id: 1\r\nid:grüße\r\n\r\n', 'data: id: 1\r\nid: grüße!\r\n\r\n', 'grüße!'],
  ['id: 1\rdata: x\rid: $&\r\r', 'id: $&!\rdata: x\rid: $&!\r\r', '$&!'],
  ['id: 1\nid\ndata: x\n\n', 'id: 1\nid\ndata: x\n\n', ''],
  ['id: a\0b\ndata: x\n\n', 'id: a\0b\ndata: x\n\n', undefined],
  ['idle: 1\ndata: x\n\n', 'idle: 1\ndata: x\n\n', undefined],
])('gives the event %j another id, and leaves the rest of it to the letter', (came, left, id) => {
  const [event] = splitEvents(Buffer.from(came)).map((one) => withId(one, (old) => `${old}!`));
  expect([event?.raw.toString(), event?.id]).toEqual([left, id]);
  expect(splitEvents(event?.raw ?? Buffer.alloc(0))[0]?.id).toBe(id);
});

it.each([
  ['id: key\ndata: x\n\n', 'data: x\n\n', undefined],
  ['id: key\r\nid: 5\r\ndata: id: key\r\n\r\n', 'data: id: key\r\n\r\n', undefined],
  ['data: x\rid:key\0\r\r', 'data: x\r\r', undefined],
  ['id: 5\ndata: key\n\n', 'id: 5\ndata: key\n\n', '5'],
  ['idle: key\ndata: x\n\n', 'idle: key\ndata: x\n\n', undefined],
])('of the event %j only an id that may be said is left', (came, left, id) => {
  const [event] = splitEvents(Buffer.from(came)).map((one) =>
    withSayableId(one, (said) => !said.includes('key')),
  );
  expect([event?.raw.toString(), event?.id]).toEqual([left, id]);
});

it.each([
  ['', false],
  ['\n', false],
  ['\r\n', false],
  [': bye', false],
  [': bye\n: again', false],
  ['data: Payment boo', true],
  [': bye\nid', true],
])('a stream that ends in %j is cut off in the middle of an event: %s', (end, isCut) => {
  const splitter = createEventSplitter();
  splitter.push(Buffer.from(`data: 1\n\n${end}`));
  expect(saysSomething(splitter.rest())).toBe(isCut);
  expect(splitter.held).toBe(0);
});

it.each([
  ['data: 1\n\n', false],
  ['event: message\nid: 7\nretry: 5\n: ping\ndata\n\n', false],
  ['booked: pay_991\ndata: 1\n\n', true],
  ['data: 1\r\ndatabase: 2\r\n\r\n', true],
  ['Payment booked\ndata: 1\n\n', true],
])('%j has a field that nobody knows: %s', (event, isUnknown) => {
  expect(saysUnknown(Buffer.from(event))).toBe(isUnknown);
});

/** Each event as it came. */
function rawOf(run: string): string[] {
  return splitEvents(Buffer.from(run)).map(({ raw }) => raw.toString());
}

it('drops blank lines, which are no events', () => {
  expect(rawOf('\n\r\n\rdata: 1\n\n\n\n\ndata: 2\r\n\r\n\n')).toEqual(['data: 1\n\n', 'data: 2\r\n\r\n']);
});

it('gives the last of several signs of life in a row', () => {
  expect(rawOf(': a\n\n: b\n\nevent: ping\n\ndata:\n\n')).toEqual(['data:\n\n']);
  expect(rawOf('id: 1\n\nid: 2\n\n')).toEqual(['id: 2\n\n']);
  expect(rawOf(': a\n\ndata: 1\n\n: b\n\n: c\n\ndata: 2\n\n')).toEqual([
    ': a\n\n',
    'data: 1\n\n',
    ': c\n\n',
    'data: 2\n\n',
  ]);
});

it('keeps a sign of life that says what the next one does not', () => {
  expect(rawOf('id: 1\n\n: a\n\n')).toEqual(['id: 1\n\n', ': a\n\n']);
  expect(rawOf('retry: 5\n\nid: 1\n\n')).toEqual(['retry: 5\n\n', 'id: 1\n\n']);
  expect(rawOf('id: 1\n\nretry: 5\n\nid: 2\n\nretry: 6\n\n: a\n\n')).toEqual([
    'id: 2\n\n',
    'retry: 6\n\n',
    ': a\n\n',
  ]);
  expect(rawOf('event: x\n\n: a\n\n: b\n\n')).toEqual(['event: x\n\n', ': b\n\n']);
  expect(rawOf(': order 7\n\n: a\n\n: booked\n\n: b\n\n')).toEqual([
    ': order 7\n\n',
    ': a\n\n',
    ': booked\n\n',
    ': b\n\n',
  ]);
  expect(rawOf('done: yes\n\n: a\n\n: b\n\n')).toEqual(['done: yes\n\n', ': b\n\n']);
  expect(rawOf(': a\n\nwhat\n\n: b\n\n')).toEqual([': a\n\n', 'what\n\n', ': b\n\n']);
  expect(rawOf('data\ndata\n\n: a\n\n')).toEqual(['data\ndata\n\n', ': a\n\n']);
});

it.each([
  ['data: {"jsonrpc"', '{"jsonrpc"'],
  ['event: message\ndata: {"id":1', '{"id":1'],
  ['id: 7\r\nretry: 10\r\ndata:{', '{'],
  ['data: a\n\ndata: b', 'b'],
  ['booked: 7', ''],
  [': keep-al', undefined],
  ['event: message\n', ''],
  ['event: mess', ''],
  ['event: message\nid: 7\n', ''],
  ['id: 7\nevent: message\n', ''],
  ['id: 7', ''],
  ['id: 7\n', ''],
  ['retry: 10\n', undefined],
  ['event: ping\n', undefined],
  ['id: 7\nevent: ping\n', undefined],
  ['event: ping\nevent: message\n', ''],
  ['event: message\nevent: ping\n', undefined],
  ['event: ping\ndata: pi', undefined],
  ['event: ping\ndata: {', '{'],
  ['event: ping\ndata:\ndata: [{', ''],
  ['event: endpoint\ndata: /mes', undefined],
  ['event: endpoint\ndata: {"jsonrpc"', '{"jsonrpc"'],
  ['id: 7\n\n', undefined],
  ['data: whole\n\n', undefined],
  ['', undefined],
])('tells of an event that has begun and says something: %j', (text, begun) => {
  const splitter = createEventSplitter();
  splitter.push(Buffer.from(text));
  expect(splitter.begun()?.toString()).toBe(begun);
  expect(splitter.begun()).toBe(undefined);
});

it('tells of each such event once, however many pieces it has', () => {
  const splitter = createEventSplitter();
  const pieces = ['da', 'ta: {', '"id"', ':1}\n', '\ndata: {', '}\n\n', ': x', '\ndata: y'];
  const begun = pieces.map((piece) => {
    splitter.push(Buffer.from(piece));
    return splitter.begun()?.toString();
  });
  expect(begun).toEqual(['', undefined, undefined, undefined, '{', undefined, undefined, 'y']);
});
