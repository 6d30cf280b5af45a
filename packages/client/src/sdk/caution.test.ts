import { expect, it } from 'vitest';
import { readResult } from '../agents/read.ts';
import { cautiously } from './caution.ts';

const said = (text: string) => ({ isError: true, content: [{ type: 'text', text }] });
const PARTLY = 'Payment booked as pay_991, but the receipt mail failed: 503';

it('tells nobody to repeat what was partly done', () => {
  const failure = readResult(said(PARTLY));
  expect(failure?.text).toBe(`${PARTLY}. A part of it was done. Find out which; do not repeat the call.`);
  expect(failure?.fault).toMatchObject({ executed: 'maybe', retryable: false, retry: { when: 'never' } });
});

it('leaves a read alone, whatever it tells of', () => {
  const fault = readResult(said(PARTLY), 0, { readOnly: true })?.fault;
  expect(fault).toMatchObject({ kind: 'unavailable', retryable: true });
});

it.each([
  [
    'a document',
    {
      'dev.mayday/fault': {
        kind: 'unavailable',
        reaction: 'dependency',
        retryable: true,
        message: PARTLY,
        executed: 'maybe',
        advice: 'Call again tomorrow.',
      },
    },
  ],
])('believes %s that decides it', (_, meta) => {
  expect(readResult({ ...said(PARTLY), _meta: meta })?.fault).toMatchObject({ retryable: true });
});

it('says it after a call', () => {
  const fault = readResult(said('The bank is down: 503'))?.fault;
  if (fault === undefined) throw new Error('Expected a failure');
  const { outcome } = cautiously(
    { outcome: { ok: false, fault: { ...fault, advice: undefined, message: PARTLY } } } as never,
    { method: 'tools/call' } as never,
  );
  expect(outcome).toMatchObject({
    fault: { retryable: false, advice: 'A part of it was done. Find out which; do not repeat the call.' },
  });
});

it('does not pass on the caution of a gateway that did not know what the caller has seen listed: it only reads', () => {
  const CAUTION = 'It may have happened; check before you repeat a change.';
  const document = {
    kind: 'invalid_arguments',
    reaction: 'validation',
    retryable: false,
    message: 'message is required',
    executed: 'maybe',
    advice: `Correct the arguments, then call again. ${CAUTION}`,
  };
  const text = `message is required. Correct the arguments, then call again. ${CAUTION}`;
  const result = { ...said(text), _meta: { 'dev.mayday/fault': document } };
  expect(readResult(result)?.text).toBe(text);
  expect(readResult(result, 0, { readOnly: true })?.text).toBe(
    'message is required. Correct the arguments, then call again.',
  );
  expect(readResult(said(text), 0, { readOnly: true })?.text).not.toContain(CAUTION);
});
