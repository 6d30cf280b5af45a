import { PassThrough, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineWriter, toLogLine } from './log-lines.ts';

/** A stream that takes nothing before it is told to. */
function slow(): { stream: Writable; taken: string[]; read: () => void } {
  const taken: string[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    decodeStrings: false,
    highWaterMark: 1,
    write(chunk: string, _encoding, done) {
      taken.push(chunk);
      waiting.push(done);
    },
  });
  return { stream, taken, read: () => waiting.shift()?.() };
}

describe('a log line', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '\\u001b[31mred\\u001b[0m'],
    ['\u001b]52;c;cHduZWQ=\u0007', '\\u001b]52;c;cHduZWQ=\\u0007'],
    ['\u009b2Jgone', '\\u009b2Jgone'],
    ['one\r\ntwo\tthree', 'one two three'],
    ['one\u2028two', 'one\\u2028two'],
    ['abc\u202edcba', 'abc\\u202edcba'],
    ['back\bspace\u007f', 'back\\u0008space\\u007f'],
    ['méthode 方法 🚑', 'méthode 方法 🚑'],
  ])('shows %j as %j', (text, line) => {
    expect(toLogLine(text)).toBe(line);
  });

  it('is cut', () => {
    const line = toLogLine(`${'x'.repeat(10_000_000)}end`);
    expect([line.length, line.at(-1)]).toEqual([4096, '…']);
  });

  it('never holds a control character, whatever it is made of, and stays as it is the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = toLogLine(text);
        return !/[\p{Cc}\u2028\u2029\u202e]/u.test(line) && toLogLine(line) === line;
      }),
    );
  });
});

describe('a line writer', () => {
  it('writes lines together', async () => {
    const stream = new PassThrough({ encoding: 'utf8' });
    const log = createLineWriter(stream);
    log.line('one');
    log.line('two\n');
    expect(stream.read()).toBeNull();
    await sleep(80);
    expect(stream.read()).toBe('one\ntwo \n');
  });

  it('adds one listener to the stream, however many batches there are', () => {
    const stream = new PassThrough();
    stream.resume();
    const log = createLineWriter(stream);
    for (let i = 0; i < 50; i++) {
      log.line('again');
      log.flush();
    }
    expect([stream.listenerCount('error'), stream.listenerCount('drain')]).toEqual([1, 1]);
  });

  it('keeps a bounded number of lines for a slow reader, and says how many it lost', async () => {
    const { stream, taken, read } = slow();
    const log = createLineWriter(stream);
    for (let i = 0; i < 3000; i++) log.line('y'.repeat(4000));
    read();
    await sleep(0);
    read();
    await sleep(0);
    const written = taken.join('');
    expect(written.length).toBeLessThan(10_000_000);
    expect(written).toMatch(/… \d{3,4} lines were not written, because nobody read them\n$/);
  });

  it('outlives its reader', async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const log = createLineWriter(stream);
    log.line('one');
    log.flush();
    await sleep(0);
    log.line('two');
    log.flush();
    expect(stream.errored?.message).toBe('EPIPE');
  });
});

it('writes JSON where programs read it, one object a line, with what the line says apart', () => {
  const stream = new PassThrough();
  const lines = createLineWriter(stream, { stamp: () => '2026-11-16T02:12:36.000Z', format: 'json' });
  lines.line('fault upstream=a kind=timeout', { event: 'fault', trace_id: 'abc', caller: undefined });
  lines.line('warning: mayday.yaml:2: what\n"was"');
  lines.line('bug: TypeError x.ts:1');
  lines.line('stopped');
  lines.flush();
  expect(
    String(stream.read())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual([
    {
      time: '2026-11-16T02:12:36.000Z',
      level: 'warn',
      message: 'fault upstream=a kind=timeout',
      event: 'fault',
      trace_id: 'abc',
    },
    { time: '2026-11-16T02:12:36.000Z', level: 'warn', message: 'warning: mayday.yaml:2: what "was"' },
    { time: '2026-11-16T02:12:36.000Z', level: 'error', message: 'bug: TypeError x.ts:1' },
    { time: '2026-11-16T02:12:36.000Z', level: 'info', message: 'stopped' },
  ]);
});
