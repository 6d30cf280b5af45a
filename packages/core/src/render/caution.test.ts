import { expect, it } from 'vitest';
import { adviceFor, calmed, cautioned, forModel } from '../entries/render.ts';
import { type FaultError, fault, read } from '../index.ts';

const advice = ({ fault: said }: FaultError): string => adviceFor(cautioned(said));

it('says what a repetition can do, before the wait', () => {
  expect(advice(fault.unavailable('Down', { executed: 'maybe', retry: { afterMs: 2000 } }))).toBe(
    'The service is down; back off, then try again. It may have happened; check before you repeat a change. Wait at least 2 s.',
  );
  expect(advice(fault.upstreamFailed('Bad answer'))).toBe(
    'A service behind the tool failed; back off, then try again if it is safe to repeat. It may have happened; check before you repeat a change.',
  );
  expect(advice(fault.internal('Odd', { retryable: true }))).toBe(
    'This may pass; wait a little, then call again. It may have happened; check before you repeat a change.',
  );
  expect(advice(fault.unavailable('Down', { executed: 'maybe', advice: 'Try the other shop.' }))).toBe(
    'Try the other shop. It may have happened; check before you repeat a change.',
  );
  expect(advice(fault.unavailable('Down', { executed: 'maybe', advice: 'try the other shop' }))).toBe(
    'try the other shop. It may have happened; check before you repeat a change.',
  );
});

it('says it once', () => {
  expect(advice(fault.timeout('Slow'))).toBe(
    'It may have happened; check before you repeat a change, otherwise try again.',
  );
  expect(advice(fault.disconnected('Cut'))).toBe(
    'The connection broke: it may have happened; check before you repeat a change, otherwise try again.',
  );
  const once = cautioned(fault.unavailable('Down', { executed: 'maybe' }).fault);
  expect(cautioned(once)).toBe(once);
});

it.each([
  ['invalidArguments', 'Correct the arguments, then call again.'],
  ['unprocessable', 'The input is well-formed but cannot be accepted; change it, then call again.'],
  ['tooLarge', 'Send less at once, then call again.'],
  ['unauthenticated', 'Sign in or renew the credentials, then call again.'],
  ['approvalRequired', 'Get the call approved, then make it again.'],
  ['inputRequired', 'Ask the user for the requested input, then call again.'],
  ['unavailable', 'The service is down; back off, then try again.'],
] as const)('says it whatever has to come first: %s', (kind, usual) => {
  expect(advice(fault[kind]('x', { executed: 'maybe' }))).toBe(
    `${usual} It may have happened; check before you repeat a change.`,
  );
  expect(advice(fault[kind]('x', { executed: 'no' }))).toBe(usual);
});

it('says it beside an author’s own invitation', () => {
  expect(advice(fault.conflict('Locked', { executed: 'maybe', advice: 'Unlock it, then call again.' }))).toBe(
    'Unlock it, then call again. It may have happened; check before you repeat a change.',
  );
});

it('says nothing of the kind where nothing happened', () => {
  expect(advice(fault.timeout('Late', { executed: 'no' }))).toBe('Nothing was done in that time; try again.');
  expect(advice(fault.disconnected('Cut', { executed: 'no' }))).toBe(
    'The connection broke before anything was done; try again.',
  );
});

it('leaves alone what is not tried again, and what did nothing', () => {
  const refused = fault.unavailable('Down', { executed: 'no' }).fault;
  expect(cautioned(refused)).toBe(refused);
  const final = fault.internal('Odd').fault;
  expect(cautioned(final)).toBe(final);
});

it('says of a harmless repetition that it is one', () => {
  expect(adviceFor(calmed(fault.timeout('Slow').fault))).toBe('A repetition does no harm; try again.');
  expect(adviceFor(calmed(fault.disconnected('Cut').fault))).toBe(
    'The connection broke; a repetition does no harm, try again.',
  );
  const own = fault.timeout('Slow', { advice: 'Ask for less.' }).fault;
  expect(calmed(own)).toBe(own);
  const unsent = fault.timeout('Late', { executed: 'no' }).fault;
  expect(calmed(unsent)).toBe(unsent);
});

it.each(['timeout', 'disconnected'] as const)('and reads it back: %s', (kind) => {
  const text = forModel(calmed(fault(kind, 'Odd').fault));
  const reading = read({ isError: true, content: [{ type: 'text', text }] });
  expect(reading).toMatchObject({ failure: true, fault: { kind, message: 'Odd' } });
});

it('takes back the caution of somebody who did not know that it only reads', () => {
  const made = fault.invalidArguments('city is required', { executed: 'maybe' }).fault;
  const told = cautioned(made);
  expect(forModel(told)).toBe(
    'city is required. Correct the arguments, then call again. It may have happened; check before you repeat a change.',
  );
  expect(forModel(calmed(told))).toBe('city is required. Correct the arguments, then call again.');
  const { advice: _none, ...bare } = calmed({
    ...made,
    advice: 'It may have happened; check before you repeat a change.',
  });
  expect(bare).toEqual(made);
  expect(forModel(bare)).toBe('city is required. Correct the arguments, then call again.');
});

it('warns nobody who is told not to ask again', () => {
  const no = 'The answer was no; do not ask again unless told to.';
  expect(advice(fault.cancelled('The user declined', { executed: 'maybe', advice: no }))).toBe(no);
});
