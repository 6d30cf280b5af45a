import { expect, it } from 'vitest';
import { adviceFor, cautioned } from '../entries/render.ts';
import { type FaultError, fault } from '../index.ts';

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

it('leaves alone what is not tried again, and what did nothing', () => {
  const refused = fault.unavailable('Down', { executed: 'no' }).fault;
  expect(cautioned(refused)).toBe(refused);
  const final = fault.internal('Odd').fault;
  expect(cautioned(final)).toBe(final);
});
