/** Whose word `executed: 'no'` is: an author's who writes it, and nobody's who copies what was said of another call. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdapterError } from './dialects/onx/index.ts';
import { fault, makeFault, saidExecuted } from './index.ts';

/** What another server has refused, as it was read, and as everything that can carry it brings it. */
const theirs = makeFault({
  kind: 'rate_limited',
  message: 'Slow down',
  executed: 'no',
  retry: { afterMs: 5 },
  subject: { type: 'tool', id: 'mail' },
  details: { attempts: 2 },
});
const document = JSON.parse(JSON.stringify(fault.rateLimited('Slow down', { retry: { afterMs: 5 } })));
const CARRIED: readonly (readonly [string, { readonly [member: string]: unknown }])[] = [
  ['as it was read', { ...theirs }],
  ['cloned', structuredClone({ ...theirs })],
  ['as JSON of the fault', JSON.parse(JSON.stringify(theirs))],
  ['as its document', document],
];

it('knows the `retry` of a fault again, also one that cannot be changed', () => {
  const retry = Object.freeze({ when: 'after_wait', afterMs: 5 } as const);
  const read = makeFault({ kind: 'rate_limited', retry, executed: 'no' });
  expect(read.retry).toBe(retry);
  expect(makeFault({ kind: 'rate_limited', retry, executed: 'no' }).retry).toBe(retry);
  expect(saidExecuted(fault.rateLimited('Busy', { executed: 'no', retry: read.retry }))).toBeUndefined();
});

describe.each(CARRIED)('a fault of another call %s', (_, carried) => {
  /** What nobody takes out by accident: who wants only some members names them. */
  const following = ['reaction', 'retryable', 'retry', 'origin'];
  const others = Object.keys(carried).filter((name) => name !== 'executed');

  it('says nothing of this one, whatever is taken out of it or said anew', () => {
    fc.assert(
      fc.property(fc.subarray(others), (taken) => {
        fc.pre(following.some((name) => !taken.includes(name)));
        const rest = Object.fromEntries(Object.entries(carried).filter(([name]) => !taken.includes(name)));
        const anew = { ...rest, subject: { type: 'mail', id: '7' }, advice: 'Wait.' };
        expect(saidExecuted(fault.rateLimited('Mail is busy', anew as never))).toBeUndefined();
        expect(saidExecuted(fault('rate_limited', 'Mail is busy', Object.assign({}, rest)))).toBeUndefined();
      }),
    );
  });

  it('says nothing in an adapter’s error, and invites nobody', () => {
    const { message: _words, ...options } = carried;
    const thrown = new AdapterError('mail.busy', options);
    expect(thrown.fault).toMatchObject({ executed: 'maybe', retryable: false, native: { code: 4001 } });
  });
});

it.each([
  {},
  { subject: { type: 'mail' } },
  { retry: { afterMs: 1000 } },
  { advice: 'Wait.', details: { queue: 7 }, name: 'MAIL_BUSY', cause: new Error('x') },
  { issues: [{ path: ['to'], message: 'Is empty' }] },
])('is the word of an author who writes it beside %o', (beside) => {
  expect(saidExecuted(fault.rateLimited('Mail is busy', { ...beside, executed: 'no' }))).toBe('no');
});

it('is believed of whoever says that it may have happened, wherever that is from', () => {
  expect(saidExecuted(fault.rateLimited('x', { ...theirs, executed: 'maybe' }))).toBe('maybe');
});
