import { beforeAll, describe, expect, it } from 'vitest';
import { member } from '../../acceptance/library.ts';
import { mayday, maydayText } from '../../acceptance/mayday.ts';
import { SLOW } from '../../acceptance/program.ts';
import { runSample } from '../../acceptance/sample.ts';
import type { Wire } from '../../acceptance/wire.ts';
import { failure } from './platform.ts';

const CLASSES = ['validation', 'permission', 'retryable', 'dependency', 'terminal'] as const;
const RETRIED = [false, false, true, true, false];
const HINT = { retry_after_ms: 1000, max_attempts: 1, backoff: 'fixed', jitter: 0.2 };
const envelope = (error_class: string, more: Wire = {}): Wire => ({
  error_class,
  sanitized_error: 'xyzzy',
  ...more,
});

const REFUSAL = failure('This tool is not available for your key.');
const JITTERS = [0, 0.99, 1, -0.1, 2];

/** Everything that is read as qaqnuz's, in one go. */
const MESSAGES: Record<string, Wire[]> = {
  plain: CLASSES.map((name) => envelope(name)),
  hinted: CLASSES.map((name) => envelope(name, { retry_hint: HINT })),
  sixth: [
    envelope('sixth'),
    { error_class: 'sixth', sanitized_error: 'Rate limit exceeded. Please wait.' },
    { error_class: 7, sanitized_error: 'rate limit' },
  ],
  jitters: JITTERS.map((jitter) => envelope('retryable', { retry_hint: { ...HINT, jitter } })),
  refusals: [REFUSAL, { jsonrpc: '2.0', id: 1, result: REFUSAL }],
  unauthorized: [failure('Unauthorized')],
  capped: [envelope('retryable', { retry_hint: { ...HINT, max_attempts: 0 } })],
};
const readings: Record<string, Wire[]> = {};
beforeAll(async () => {
  const answers = await mayday(['read', '--from', 'qaqnuz'], Object.values(MESSAGES).flat());
  for (const [name, wires] of Object.entries(MESSAGES)) {
    readings[name] = answers.splice(0, wires.length);
  }
}, SLOW);

describe('reading envelopes', () => {
  it('QA-5 QA-31 QA-32: the class decides, whatever the words are', () => {
    expect(readings['plain']?.map((reading) => reading.reaction)).toEqual([...CLASSES]);
    expect(readings['plain']?.map((reading) => reading.retryable)).toEqual(RETRIED);
  });

  it('QA-16 QA-17 QA-18 QA-19 QA-20: a hint is read for the two classes that may have one', () => {
    const hints = readings['hinted']?.map(({ retry }) => [
      retry.after_ms,
      retry.max_attempts,
      retry.backoff,
      retry.jitter,
    ]);
    expect(hints).toEqual([
      [null, null, null, null],
      [null, null, null, null],
      [1000, 1, 'fixed', 0.2],
      [1000, 1, 'fixed', 0.2],
      [null, null, null, null],
    ]);
  });

  it('QA-5: a class that does not exist is terminal, whatever its words are', () => {
    expect(readings['sixth']?.map(({ reaction, retryable }) => [reaction, retryable])).toEqual([
      ['terminal', false],
      ['terminal', false],
      ['terminal', false],
    ]);
  });

  it('QA-20: a jitter outside [0, 1) is no jitter, and the default is a fifth', () => {
    expect(readings['jitters']?.map(({ retry }) => retry.jitter ?? 0.2)).toEqual([0, 0.99, 0.2, 0.2, 0.2]);
  });
});

describe('writing envelopes', () => {
  it('QA-8 QA-22: the hint is dropped where there is nothing to retry', async () => {
    const sources = [
      {
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32010, message: 'Rate limit exceeded', data: { retry_after: 5 } },
      },
      { http: { status: 403, headers: { 'retry-after': '5' }, body: 'No' } },
      { http: { status: 404, headers: { 'retry-after': '5' }, body: 'No' } },
      { http: { status: 400, headers: { 'retry-after': '5' }, body: 'No' } },
      { http: { status: 503, headers: { 'retry-after': '5' }, body: 'No' } },
    ];
    const written = await mayday(['translate', '--to', 'qaqnuz'], sources);
    expect(
      written.map(({ envelope: inner }) => [inner.error_class, inner.retry_hint?.retry_after_ms]),
    ).toEqual([
      ['retryable', 5000],
      ['permission', undefined],
      ['terminal', undefined],
      ['validation', undefined],
      ['dependency', 5000],
    ]);
    expect(written.map(({ wire }) => Object.keys(wire.result).sort())).toEqual(
      written.map(() => ['content', 'isError']),
    );
  });
});

/** The platform's sentences, and the class that each has. */
const SENTENCES: [string, string][] = [
  ['Unauthorized', 'permission'],
  ['Your plan does not include the tool platform.', 'permission'],
  ['This tool is not available for your key.', 'permission'],
  ['issue_refund requires approval (request apr_30c38415e7be)', 'permission'],
  ['Rate limit exceeded. Please wait before sending more requests.', 'retryable'],
  ['Invalid arguments. order: Invalid input: expected string, received undefined', 'validation'],
  ['Invalid arguments. Unrecognized key: "rate limit"', 'validation'],
  ["Invalid arguments. field 'rate limit' is required", 'validation'],
  ['The stock provider failed', 'dependency'],
  ['The stock provider cannot be reached', 'dependency'],
  ['There is no such contact', 'terminal'],
];

describe('telling classes from words', () => {
  it.each(SENTENCES)('QA-23: %j is %s', async (text, errorClass) => {
    const classify = await member('qaqnuz', 'qaqnuzClass', 'classify');
    expect(classify({ isError: true, text })).toBe(errorClass);
  });

  it('QA-23: it is total', async () => {
    const classify = await member('qaqnuz', 'qaqnuzClass', 'classify');
    for (const outcome of [
      {},
      { isError: true },
      { isError: true, text: '' },
      { isError: false, text: 'rate limit' },
    ]) {
      expect([...CLASSES, 'success']).toContain(classify(outcome));
    }
    expect(classify({ isError: false, text: 'Rate limit exceeded' })).toBe('success');
  });

  it('QA-33 QA-15: a refusal that tells no reason gets none from us', async () => {
    const [bare] = await mayday(['read'], [REFUSAL]);
    for (const reading of [...(readings['refusals'] ?? []), bare]) {
      expect([reading.kind, reading.reaction, reading.retryable]).toEqual(['forbidden', 'permission', false]);
      expect(reading.certainty).toBeLessThan(0.9);
    }
  });

  it('QA-33 QA-14: nor does a refusal of a key', () => {
    expect(readings['unauthorized']?.map(({ reaction }) => reaction)).toEqual(['permission']);
    expect(JSON.stringify(readings['unauthorized'])).not.toMatch(/expired|revoked|unknown key/i);
  });

  it('QA-9 QA-10 QA-11 QA-12 QA-13 QA-31: each class says what to do', async () => {
    const { out } = await maydayText(['catalog', '--format', 'json']);
    const rows = JSON.parse(out).codes.filter((row: Wire) => row.source === 'qaqnuz');
    expect(rows.map((row: Wire) => [row.code, row.retryable])).toEqual(
      CLASSES.map((name, at) => [name, RETRIED[at]]),
    );
  });
});

describe('following a hint', () => {
  const hint = (more: Wire): Wire => ({
    afterMs: 1000,
    maxAttempts: 5,
    backoff: 'fixed',
    jitter: 0,
    ...more,
  });

  it('QA-17 QA-19: fixed keeps the wait, exponential doubles it', async () => {
    const delay = await member('qaqnuz', 'qaqnuzDelay', 'retryDelay');
    expect([1, 2, 3].map((attempt) => delay(hint({}), attempt, 0.5))).toEqual([1000, 1000, 1000]);
    expect([1, 2, 3].map((attempt) => delay(hint({ backoff: 'exponential' }), attempt, 0.5))).toEqual([
      1000, 2000, 4000,
    ]);
  });

  it('QA-18: after max_attempts further attempts there is no wait any more', async () => {
    const delay = await member('qaqnuz', 'qaqnuzDelay', 'retryDelay');
    expect(delay(hint({ maxAttempts: 1 }), 1, 0.5)).toBe(1000);
    expect(delay(hint({ maxAttempts: 1 }), 2, 0.5)).toBeUndefined();
  });

  it('QA-20: jitter moves the wait by its fraction, a fifth when it is not given', async () => {
    const delay = await member('qaqnuz', 'qaqnuzDelay', 'retryDelay');
    expect([0, 0.5].map((chance) => delay(hint({ jitter: 0.5 }), 1, chance))).toEqual([500, 1000]);
    expect([0, 0.5].map((chance) => delay(hint({ jitter: undefined }), 1, chance))).toEqual([800, 1000]);
  });

  it('QA-21: a client may do otherwise: the hint is data, not an order', () => {
    expect(readings['capped']?.map(({ retryable }) => retryable)).toEqual([true]);
  });
});

describe('the sample client', () => {
  const limited = { result: failure('Rate limit exceeded. Please wait before sending more requests.') };
  const done = { result: { content: [{ type: 'text', text: '{"ok":1}' }], isError: false } };

  it('QA-24: returns a success at once', async () => {
    const run = await runSample('qaqnuz', [done]);
    expect([run.status, run.calls.length, run.waits]).toEqual([0, 1, []]);
    expect(run.out).toContain('ok');
  });

  it('QA-26 QA-29: waits one second, then two, and calls three times', async () => {
    const run = await runSample('qaqnuz', [limited, limited, done]);
    expect([run.status, run.calls.length, run.waits]).toEqual([0, 3, [1000, 2000]]);
  });

  it('QA-26 QA-28: gives up after three calls, in the document’s words', async () => {
    const run = await runSample('qaqnuz', [limited]);
    expect([run.status, run.calls.length, run.waits]).toEqual([1, 3, [1000, 2000]]);
    expect(run.errors).toContain(
      'call_tool work failed: Rate limit exceeded. Please wait before sending more requests.',
    );
  });

  it.each([
    'This tool is not available for your key.',
    'Invalid arguments. Unrecognized key: "rate"',
    'x requires approval (request apr_1)',
  ])('QA-27 QA-28 QA-31: stops at %j', async (text) => {
    const run = await runSample('qaqnuz', [{ result: failure(text) }, done]);
    expect([run.status, run.calls.length]).toEqual([1, 1]);
    expect(run.errors).toContain(`call_tool work failed: ${text}`);
  });

  it.each([
    [{ structuredContent: { a: 1 } }, '{"a":1}'],
    [null, '[]'],
  ])('QA-24: returns a success that has no text: %j', async (result, said) => {
    const run = await runSample('qaqnuz', [{ result } as Wire]);
    expect([run.status, run.calls.length, run.out.trim(), run.errors]).toEqual([0, 1, said, '']);
  });

  it('QA-25: takes missing content for no words', async () => {
    const run = await runSample('qaqnuz', [{ result: { content: [], isError: true } }]);
    expect([run.status, run.calls.length]).toEqual([1, 1]);
    expect(run.errors).toMatch(/call_tool work failed: *$/m);
  });
});
