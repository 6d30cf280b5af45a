import { describe, expect, it } from 'vitest';
import { createJournal } from './journal.ts';

const AT = Date.parse('2026-11-15T23:59:59.000Z');

function openJournal() {
  let now = AT;
  const written: { cause?: string; [field: string]: unknown }[] = [];
  const clock = { now: () => now, timer: () => () => {} };
  const journal = createJournal(clock, (fields) => written.push(fields as never));
  return {
    journal,
    written,
    advance: (ms: number): void => {
      now += ms;
    },
  };
}

describe('the journal', () => {
  it('has one line an error, by day and session', () => {
    const { journal, advance } = openJournal();
    const add = (session: string | undefined, data?: unknown) =>
      journal.add({ code: -32603, message: 'Internal error', data }, { method: 'ping', session }, undefined);
    add('a', { reason: 'x' });
    add('b');
    advance(1000);
    add('a');
    const line = (at: string, data: unknown) =>
      expect.objectContaining({ at, code: -32603, message: 'Internal error', method: 'ping', data });
    const lines = (date: string, session?: string) =>
      journal
        .day(date, session)
        .split('\n')
        .map((one) => JSON.parse(one));
    const first = line('2026-11-15T23:59:59.000Z', { reason: 'x' });
    expect(lines('2026-11-15', 'a')).toEqual([first]);
    expect(lines('2026-11-15')).toEqual([first, line('2026-11-15T23:59:59.000Z', null)]);
    expect(lines('2026-11-16')).toEqual([line('2026-11-16T00:00:00.000Z', null)]);
    expect([journal.day('2026-11-17', undefined), journal.day('2026-11-15', 'c')]).toEqual(['', '']);
  });

  it('forgets the oldest of more than a thousand', () => {
    const { journal } = openJournal();
    for (let n = 0; n < 1001; n++)
      journal.add({ code: n, message: 'x' }, { method: 'ping', session: undefined }, undefined);
    const codes = journal
      .day('2026-11-15', undefined)
      .split('\n')
      .map((line) => JSON.parse(line).code);
    expect([codes.length, codes[0], codes.at(-1)]).toEqual([1000, 1, 1000]);
  });

  it('tells operators the cause, without secrets and without end; what callers wrote is cut', () => {
    const { journal, written } = openJournal();
    const occasion = { method: 'm'.repeat(300), session: 'a' };
    const entry = { code: -32603, message: 'n'.repeat(300) };
    journal.add(entry, occasion, new Error('password=hunter2'));
    journal.add(entry, occasion, 'x'.repeat(5000));
    journal.add(entry, occasion, undefined);
    expect(written[0]?.cause).toMatch(/^Error: password=\[password:1\]/);
    expect(JSON.stringify(written)).not.toContain('hunter2');
    expect(written[1]?.cause).toHaveLength(4000);
    expect(written[2]).toEqual(expect.not.objectContaining({ cause: expect.anything() }));
    expect(written[2]).toMatchObject({ method: `${'m'.repeat(199)}…`, message: `${'n'.repeat(199)}…` });
    expect(journal.day('2026-11-15', 'a')).not.toContain('cause');
  });
});
