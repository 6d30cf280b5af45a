import { expect, it } from 'vitest';
import { heard } from '../../../test/helpers.ts';

const KEY = 'io.modelcontextprotocol/toolFailure';
const failure = (meta: object, text = 'It failed'): object => ({
  isError: true,
  content: [{ type: 'text', text }],
  _meta: { [KEY]: meta },
});

it.each([
  [{ class: 'reliability', code: 'timeout', retryable: true }, 'timeout', true, 0.98],
  [{ class: 'reliability', code: 'timeout' }, 'timeout', false, 0.98],
  [{ class: 'governance', code: 'auth_required', retryable: true }, 'unauthenticated', false, 0.98],
  [{ class: 'reliability', code: 'acme_busy', retryable: true }, 'not_ready', true, 0.8],
  [{ class: 'governance', code: 'acme_no' }, 'forbidden', false, 0.8],
  [{ class: 'weather', code: 'rain' }, 'unknown', false, 0.8],
])('%j is %s, retryable %s, with certainty %d', (meta, kind, retryable, certainty) => {
  const reading = heard(failure(meta), 'tool-failure');
  expect([reading.fault.kind, reading.fault.retryable, reading.certainty]).toEqual([
    kind,
    retryable,
    certainty,
  ]);
});

it('says with what it knows: class and code', () => {
  const { evidence } = heard(failure({ class: 'reliability', code: 'timeout' }), 'tool-failure');
  expect(evidence[0]).toEqual({
    by: 'meta',
    says: 'reliability timeout',
    dialect: 'tool-failure',
    kind: 'timeout',
  });
});

it('waits until the moment that it names, and keeps its reference and guidance', () => {
  const meta = {
    class: 'reliability',
    code: 'rate_limited',
    retryable: true,
    retryNotBefore: Date.parse('2026-04-26T02:35:00Z'),
    correlationId: 'c-1',
    agentGuidance: 'Use fewer calls.',
  };
  const { fault } = heard(failure(meta), 'tool-failure');
  expect(fault.retry.afterMs).toBe(4000);
  expect([fault.correlationId, fault.advice]).toEqual(['c-1', 'Use fewer calls.']);
  const past = { ...meta, retryNotBefore: Date.parse('2026-04-26T02:00:00Z') };
  expect(heard(failure(past), 'tool-failure').fault.retry.afterMs).toBe(0);
});
