import type { ServerResponse } from 'node:http';
import { type Fault, read } from '@mayday/core';
import { adviceFor } from '@mayday/core/render';
import { expectLawful } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { startPlatform, startProvider, textOf } from '../test/platform.ts';
import { createProvider } from './provider.ts';

const SECRETS = [
  'postgres://root:hunter2@10.0.0.5/prod',
  'sk_live_51HqLyjWDarjtT1zdp7dcAAAA',
  'ada@example.com',
  'at Stock.find (/srv/app/stock.js:10:5)',
];

/** How the provider answers, by what is asked for. */
const ANSWERS: { readonly [sku: string]: (response: ServerResponse) => void } = {
  fine: (response) => response.end('{"pieces": 3}'),
  broken: (response) => response.writeHead(500).end(SECRETS.join(' ')),
  garbage: (response) => response.end(`<html>${SECRETS.join(' ')}</html>`),
  odd: (response) => response.end('{"pieces": "many"}'),
  busy: (response) => response.writeHead(429, { 'retry-after': '7' }).end(SECRETS.join(' ')),
  gone: (response) => response.writeHead(404).end(),
  silent: (response) => void response.destroy(),
};

async function startWithProvider() {
  const url = await startProvider((sku, response) => ANSWERS[sku]?.(response));
  const platform = await startPlatform({ stockOf: createProvider(url) });
  const key = platform.key();
  return { ...platform, stock: (sku: string) => platform.call(key, 'check_stock', { sku }), caller: key };
}

describe('the five classes', () => {
  it('success is one text block with the payload as JSON', async () => {
    const { stock, envelope } = await startWithProvider();
    expect((await stock('fine')).result).toEqual({
      content: [{ type: 'text', text: '{"sku":"fine","pieces":3}' }],
      isError: false,
    });
    expect(envelope()).toEqual({ ok: true, error_class: null, sanitized_error: null });
  });

  it.each([
    ['broken', 'dependency', 'The stock provider failed', 1000],
    ['garbage', 'dependency', 'The stock provider failed', 1000],
    ['odd', 'dependency', 'The stock provider failed', 1000],
    ['silent', 'dependency', 'The stock provider cannot be reached', 1000],
    ['busy', 'retryable', 'The rate limit of the stock provider is reached', 7000],
  ])(
    'QA-4 QA-7 QA-12 QA-16 QA-18 QA-19 a provider that is %s is class %s',
    async (sku, errorClass, text, wait) => {
      const { stock, envelope, log } = await startWithProvider();
      const answer = await stock(sku);
      expect(answer.result).toEqual({ content: [{ type: 'text', text }], isError: true });
      const backoff = errorClass === 'dependency' ? 'exponential' : 'fixed';
      expect(envelope()).toEqual({
        ok: false,
        error_class: errorClass,
        sanitized_error: text,
        retry_hint: {
          retry_after_ms: wait,
          max_attempts: errorClass === 'dependency' ? 2 : 1,
          backoff,
        },
      });
      for (const secret of SECRETS) expect(JSON.stringify([answer, envelope()])).not.toContain(secret);
      expect(log).toHaveLength(1);
    },
  );

  it('QA-9 QA-22 wrong arguments are class validation, with every issue in the text and no hint', async () => {
    const { call, caller, envelope } = await startWithProvider();
    const answer = await call(caller, 'add_contact', { name: '', email: 'nonsense', extra: 1 });
    expect(textOf(answer)).toMatch(/^Invalid arguments\. name: .*; email: .*; .*extra/);
    expect(envelope()).toEqual({ ok: false, error_class: 'validation', sanitized_error: textOf(answer) });
  });

  it('QA-13 QA-22 what will never work is class terminal, without a hint', async () => {
    const { stock, call, caller, envelope } = await startWithProvider();
    for (const answer of [await stock('gone'), await call(caller, 'get_contact', { id: 'nobody' })]) {
      expect(answer.result.isError).toBe(true);
      expect(Object.keys(envelope() ?? {})).toEqual(['ok', 'error_class', 'sanitized_error']);
      expect(envelope()?.error_class).toBe('terminal');
    }
  });

  it('QA-1 QA-5 QA-8 QA-31 the envelope has one shape, which the core reads with full certainty', async () => {
    const { stock, call, caller, store } = await startWithProvider();
    for (const sku of ['fine', 'broken', 'busy', 'gone']) await stock(sku);
    await call(caller, 'find_contacts', {});
    await call(caller, 'no_such_tool', {});
    const envelopes = store.audit.latest(10).map((entry) => entry.envelope);
    const fixed = envelopes.map(({ retry_hint: _hint, ...rest }) => Object.keys(rest).join());
    expect([...new Set(fixed)]).toEqual(['ok,error_class,sanitized_error']);
    expect(envelopes.map((envelope) => envelope.error_class)).toEqual([
      null,
      'dependency',
      'retryable',
      'terminal',
      'validation',
      'permission',
    ]);
    const readings = envelopes.slice(1).map((envelope) => read(envelope));
    expect(readings.map((reading) => reading.failure && reading.certainty)).toEqual([1, 1, 1, 1, 1]);
    for (const envelope of envelopes.slice(1)) expectLawful(envelope as object, 'qaqnuz');
    for (const name of ['no_such_tool', 'issue_refund', 'find_contacts'])
      expectLawful(await call(caller, name, { order: 'o', amount_cents: 1 }), 'qaqnuz');
    const advice = readings.map((reading) => adviceFor((reading as { fault: Fault }).fault));
    expect(new Set(advice).size).toBe(5);
  });

  it('QA-2 QA-3 QA-4 QA-6 QA-30 whatever is thrown, the answer is a result with one harmless text', async () => {
    const thrown: unknown[] = [
      new Error(SECRETS.join(' ')),
      SECRETS[0],
      undefined,
      null,
      { code: 11_000 },
      7n,
    ];
    for (const reason of thrown) {
      const platform = await startPlatform({
        stockOf: () => Promise.reject(reason),
      });
      const answer = await platform.call(platform.key(), 'check_stock', { sku: 'x' });
      expect(answer).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text: expect.any(String) }], isError: true },
      });
      expect(platform.envelope()).toMatchObject({ error_class: 'terminal', sanitized_error: textOf(answer) });
      for (const secret of SECRETS) expect(JSON.stringify(answer)).not.toContain(secret);
    }
  });
});
