import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/runs.ts';
import { cut } from '../../../test/bytes.ts';
import type { HttpHead } from '../link.ts';
import { wholeHead } from '../whole-head.ts';
import { ResponseReader } from './response-reader.ts';

interface Outcome {
  readonly status: number | undefined;
  readonly body: string;
  readonly how: 'complete' | 'more' | 'refused';
  readonly isClean: boolean | undefined;
}

/** What becomes of bytes. What was told before a refusal is told to nobody in the end, so it does not count. */
function readAll(chunks: readonly Buffer[], method = 'POST'): Outcome {
  let status: number | undefined;
  let body = '';
  let isClean: boolean | undefined;
  const reader = new ResponseReader(method, {
    onHead: (head) => {
      status = head.status;
    },
    onData: (data) => {
      body += data.toString('latin1');
    },
    onComplete: (_head, clean) => {
      isClean = clean;
    },
  });
  try {
    for (const chunk of chunks.filter(({ length }) => length > 0)) reader.push(chunk);
  } catch {
    // After a whole answer: what follows it is refused, and the answer stands.
    if (isClean === undefined) return { status: undefined, body: '', how: 'refused', isClean: undefined };
    isClean = false;
  }
  return { status, body, how: isClean === undefined ? 'more' : 'complete', isClean };
}

const JSON_BODY = '{"jsonrpc":"2.0","id":1,"result":{}}';
const WIRES = [
  `HTTP/1.1 200 OK\r\ncontent-length: 36\r\n\r\n${JSON_BODY}`,
  `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\n${JSON_BODY.slice(0, 16)}\r\n14;x\r\n${JSON_BODY.slice(16)}\r\n0\r\na: b\r\n\r\n`,
  'HTTP/1.1 204 No Content\r\nx: y\r\n\r\n',
  `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nlink: y\r\n\r\nHTTP/1.1 201 x\r\ncontent-length: 2\r\n\r\n{}`,
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: x\n\n',
];

it.each(WIRES)('reads %j whatever way it is cut in two or byte by byte', (wire) => {
  const bytes = Buffer.from(wire);
  const whole = readAll([bytes]);
  expect(whole.how).not.toBe('refused');
  expect(readAll([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole);
  for (let at = 1; at < bytes.length; at++) expect(readAll(cut(bytes, [at]))).toEqual(whole);
});

const PIECES = ['\r', '\n', '\r\n', ' ', '\0', '0', '5', 'a', ':', ';', 'chunked', 'content-length: 1\r\n']
  .concat(['transfer-encoding: chunked\r\n', 'HTTP/1.1 200 OK\r\n\r\n', '\t', ',', 'close', 'é'])
  .map((text) => Buffer.from(text));

it('understands any bytes in one way, however they are cut', () => {
  const edits = fc.array(fc.record({ at: fc.nat(), drop: fc.nat(4), put: fc.constantFrom(...PIECES) }), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...WIRES),
      edits,
      fc.array(fc.nat(400), { maxLength: 10 }),
      (wire, changes, places) => {
        let bytes = Buffer.from(wire);
        for (const { at, drop, put } of changes) {
          const start = at % (bytes.length + 1);
          bytes = Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + drop)]);
        }
        expect(readAll(cut(bytes, places))).toEqual(readAll([bytes]));
      },
    ),
    { numRuns: runs(10_000) },
  );
});

it('never throws anything but a refusal', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array()), (chunks) => {
      const reader = new ResponseReader('POST', { onHead: () => {}, onData: () => {}, onComplete: () => {} });
      let code: unknown = 'ERR_NOT_HTTP';
      try {
        for (const chunk of chunks) reader.push(Buffer.from(chunk));
      } catch (error) {
        code = (error as { code?: unknown }).code;
      }
      expect(code).toBe('ERR_NOT_HTTP');
    }),
  );
});

it('says whether something came after the answer', () => {
  expect(readAll([Buffer.from(`${WIRES[0]}`)]).isClean).toBe(true);
  expect(readAll([Buffer.from(`${WIRES[0]}x`)])).toMatchObject({
    how: 'complete',
    body: JSON_BODY,
    isClean: false,
  });
});

/** What is taken of one chunk at a time, and whether the answer was all of it. */
function inPieces(
  head: string,
  body: string,
  after = '',
): { pieces: number[]; isClean: boolean | undefined } {
  const pieces: number[] = [];
  let isClean: boolean | undefined;
  const reader = new ResponseReader('POST', {
    onHead: () => {},
    onData: (piece) => pieces.push(piece.length),
    onComplete: (_head, clean) => {
      isClean = clean;
    },
  });
  const length = `content-length: ${body.length}`;
  const chunk = Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n${length}\r\n\r\n${body}${after}`);
  for (let at = 0; at < chunk.length; ) at = reader.push(chunk, at);
  return { pieces, isClean };
}

it('takes events some at a time, and anything else at once', () => {
  const stream = 'content-type: text/event-stream';
  const body = '\n'.repeat(40_000);
  expect(inPieces(stream, body)).toEqual({ pieces: [16_384, 16_384, 7232], isClean: true });
  expect(inPieces(stream, body, 'x')).toEqual({ pieces: [16_384, 16_384, 7232], isClean: false });
  // The end of a piece is not the end of what came.
  expect(inPieces(stream, '\n'.repeat(16_384), 'x')).toEqual({ pieces: [16_384], isClean: false });
  // A long line is one thing.
  expect(inPieces(stream, `data: ${'x'.repeat(40_000)}\n\n`)).toEqual({ pieces: [40_007, 1], isClean: true });
  expect(inPieces('content-type: application/json', body)).toEqual({ pieces: [40_000], isClean: true });
});

it.each([
  ['an upgrade', 'HTTP/1.1 101 Switching\r\nupgrade: h2c\r\n\r\n'],
  ['announcements without end', 'HTTP/1.1 100 x\r\n\r\n'.repeat(20)],
  ['a head without end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`],
  ['headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`],
])('refuses %s', (_name, wire) => {
  expect(readAll([Buffer.from(wire)]).how).toBe('refused');
  expect(readAll(cut(Buffer.from(wire), [1, 10, 50, 70_000])).how).toBe('refused');
});

it('ends with the connection only what is meant to', () => {
  const reader = (wire: string): ResponseReader => {
    const made = new ResponseReader('POST', { onHead: () => {}, onData: () => {}, onComplete: () => {} });
    made.push(Buffer.from(wire));
    return made;
  };
  expect(reader('HTTP/1.1 200 OK\r\n\r\npart').end()).toBe(true);
  expect(reader('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\npart').end()).toBe(false);
  expect(reader('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\npart').end()).toBe(false);
  expect(reader('HTTP/1.1 200').end()).toBe(false);
});

/** The head of an answer when all of it is there, as it is sent on and as it is judged. */
function headsIn(wire: string): readonly HttpHead[] {
  const found: HttpHead[] = [];
  const reader = new ResponseReader('POST', {
    onHead: () => {},
    onData: () => {},
    onComplete: (head) => {
      const { status, statusText, headers } = head;
      found.push({ status, statusText, headers: { ...headers } }, wholeHead(head));
    },
  });
  reader.push(Buffer.from(wire));
  return found;
}

describe.each([200, 429])('an answer under %i', (status) => {
  const SHORT = `HTTP/1.1 ${status} x\r\ncontent-length: 2\r\n\r\n{}`;
  const CHUNKED = `HTTP/1.1 ${status} x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n`;

  it.each([
    [`HTTP/1.1 100 Continue\r\n\r\n${SHORT}`, 'x', {}],
    [`HTTP/1.1 103 Early Hints\r\nx-order-id: pay_991\r\n\r\n${SHORT}`, 'x', { 'x-order-id': 'pay_991' }],
    [`HTTP/1.1 102 Processing\r\n\r\n${SHORT}`, 'x, after 102 Processing', {}],
    [`${CHUNKED}X-Order-Id: pay_991\r\n\r\n`, 'x', { 'x-order-id': 'pay_991' }],
    [
      `HTTP/1.1 103 x\r\nlink: </a>\r\n\r\n${CHUNKED}Link: </b>\r\nlink: </a>\r\n\r\n`,
      'x',
      { link: '</a>, </b>' },
    ],
  ])('is judged with what came before it and after it, and sent on without: %j', (wire, words, more) => {
    const [head, whole] = headsIn(wire);
    expect(head).toMatchObject({ status, statusText: 'x' });
    expect(Object.keys(head?.headers ?? {})).toHaveLength(1);
    expect(whole).toEqual({ status, statusText: words, headers: { ...head?.headers, ...more } });
  });
});

it('refuses trailers of a failing answer that are none; those of a good one cost only trust', () => {
  const wire = (status: string): string =>
    `HTTP/1.1 ${status}\r\ntransfer-encoding: chunked\r\n\r\n0\r\nno header\r\n\r\n`;
  expect(readAll([Buffer.from(wire('429 x'))]).how).toBe('refused');
  expect(headsIn(wire('200 OK')).map(({ statusText }) => statusText)).toEqual([
    'OK',
    'OK, before a trailer that is none',
  ]);
});
