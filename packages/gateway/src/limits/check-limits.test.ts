import { expect, it } from 'vitest';
import { readSettings } from '../settings/read-settings.ts';

const UPSTREAMS = 'upstreams:\n  a: { url: "http://127.0.0.1:1/mcp" }\n';

function told(limits: string): string {
  try {
    readSettings(`limits:\n${limits}\n${UPSTREAMS}`, { env: {} });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

it.each([
  [
    '  rates: [{ calls: 10, per_ms: 1000, costs: { "a/deep": 11 } }]',
    'limits.rates.0.costs.a/deep: More than calls, which is 10: it would never fit',
  ],
  ['  rates: [{ calls: 10, per_ms: 1000, costs: { "a/deep": 0 } }]', 'Expected a whole number, from 1 to'],
  ['  rates: [{ calls: 10, per_ms: 1000, costs: [5] }]', 'Expected names with a whole number each'],
  ['  rates: [{ calls: 10 }]', 'limits.rates.0: per_ms is missing'],
  ['  rates: [{ per_ms: 10 }]', 'limits.rates.0: calls is missing'],
  ['  rates: [{ calls: 0, per_ms: 10 }]', 'limits.rates.0.calls: Expected a whole number, from 1'],
  [
    '  rates: [{ calls: 1, per_ms: 10, by: [callers] }]',
    'limits.rates.0.by.0: Unknown value; did you mean caller?',
  ],
  ['  rates: [{ calls: 1, per_ms: 10, by: caller }]', 'Expected a list of caller, tenant, upstream, tool'],
  ['  rates: [{ calls: 1, per_ms: 10, algorithm: leaky }]', 'Expected one of window, bucket'],
  ['  rates: [{ calls: 1, per_ms: 10, tools: [] }]', 'limits.rates.0.tools: Nothing fits an empty list'],
  ['  rates: 5', 'limits.rates: Expected a list'],
  ['  concurrency: [{ calls: 1, per_ms: 10 }]', 'limits.concurrency.0.per_ms: Unknown setting'],
  ['  concurrency: [{ calls: 1, tools: [] }]', 'limits.concurrency.0.tools: Nothing fits an empty list'],
])('%s', (limits, mistake) => {
  expect(told(limits)).toContain(mistake);
});

it('takes what the page shows', () => {
  const limits = `  rates:
    - { calls: 60, per_ms: 60000, by: [caller] }
    - { calls: 10, per_ms: 1000, by: [tenant, tool], tools: ["bank/*"], algorithm: bucket }
    - { calls: 1000, per_ms: 3600000, by: [caller], costs: { "search/deep": 25 } }
  concurrency:
    - { calls: 4, by: [caller, upstream] }`;
  expect(told(limits)).toBe('');
});
