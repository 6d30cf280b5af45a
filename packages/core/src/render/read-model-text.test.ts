import { describe, expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { cautioned, forModel, warned } from '../entries/render.ts';
import { fault, KIND_NAMES, language, makeFault, read } from '../index.ts';

const CAUTION = 'It may have happened; check before you repeat a change.';

describe('our own text is read back', () => {
  it.each([
    [
      `Amount must be greater than 0. Correct the arguments, then call again. ${CAUTION}`,
      'invalid_arguments',
    ],
    [
      `Unavailable. The service is down; back off, then try again. ${CAUTION} Reference: 7d0c-4f1e.`,
      'unavailable',
    ],
    [`Request failed. Wait, then call again. ${CAUTION} Wait at least 7 s.`, 'rate_limited'],
    [
      'Cut. The connection broke: it may have happened; check before you repeat a change, otherwise try again.',
      'disconnected',
    ],
    ['Slow. It may have happened; check before you repeat a change, otherwise try again.', 'timeout'],
    [`What is "x"? Correct the arguments, then call again. ${CAUTION}`, 'invalid_arguments'],
    [`Gone! Check the identifier; do not repeat the same call.`, 'not_found'],
    [`No room (503), please retry\nThe service is down; back off, then try again. ${CAUTION}`, 'unavailable'],
  ])('%s', (text, kind) => {
    const kinds = [
      read({ isError: true, content: [{ type: 'text', text }] }),
      read(new Error(text)),
      read({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: text } }),
    ].map((reading) => reading.failure && reading.fault.kind);
    expect(kinds).toEqual([kind, kind, kind]);
  });

  it.each([
    ['Amount must be greater than 0', 'Amount must be greater than 0'],
    ['Is that all?', 'Is that all?'],
  ])('and said once when it is told on: %s', (said, message) => {
    const text = forModel(cautioned(fault.invalidArguments(said, { executed: 'maybe' }).fault));
    const reading = read(new Error(text));
    const again = reading.failure ? reading.fault : makeFault({ kind: 'unknown' });
    expect(again).toMatchObject({ kind: 'invalid_arguments', message });
    expect(forModel(cautioned(again))).toBe(text);
  });

  it('with the step that is missing, which no wait replaces', () => {
    const text = forModel(
      cautioned(fault.notReady('No map is open', { retryable: false, executed: 'maybe' }).fault),
    );
    const reading = read(new Error(text));
    const again = reading.failure ? reading.fault : makeFault({ kind: 'unknown' });
    expect(again).toMatchObject({
      kind: 'not_ready',
      message: 'No map is open',
      reaction: 'validation',
      retryable: false,
    });
    expect(forModel(cautioned(again))).toBe(text);
  });

  it.each([
    ['Payment booked as pay_991, but the receipt mail failed: 503', 'unavailable'],
    ['Order 7 was created, but xyzzy', 'unknown'],
  ])('with a part that was done, whatever the rest is: %s', (said, kind) => {
    const advice = 'A part of it was done. Find out which; do not repeat the call.';
    for (const wire of [
      { isError: true, content: [{ type: 'text', text: `${said}. ${advice}` }] },
      { jsonrpc: '2.0', id: 1, error: { code: -32000, message: `${said}. ${advice}` } },
      new Error(`${said}. ${advice}`),
      `${said}. ${advice}`,
    ]) {
      const reading = read(wire);
      const again = reading.failure ? reading.fault : makeFault({ kind: 'internal' });
      expect(again).toMatchObject({
        kind,
        message: said,
        advice,
        reaction: 'terminal',
        retryable: false,
        retry: { when: 'never' },
      });
      expect(forModel(warned(again, language))).toBe(`${said}. ${advice}`);
    }
  });

  it('with the wait', () => {
    const text = `Request failed with status code 429. Wait, then call again. ${CAUTION} Wait at least 7 s.`;
    expect(read(new Error(text))).toMatchObject({
      fault: {
        kind: 'rate_limited',
        message: 'Request failed with status code 429',
        retry: { afterMs: 7000 },
      },
    });
  });

  it.each(KIND_NAMES)('of every kind: %s', (kind) => {
    const text = forModel(makeFault({ kind, message: 'So it is', executed: 'no' }));
    expect(read(new Error(text))).toMatchObject({ fault: { kind, message: 'So it is' } });
  });

  it('and takes linear time', () => {
    const started = threadClock();
    read(new Error(`${'a. '.repeat(300_000)}.`));
    read(new Error(`${'a'.repeat(1_000_000)}.`));
    expect(threadClock() - started).toBeLessThan(3000);
  });
});
