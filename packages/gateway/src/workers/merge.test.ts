/** What several workers say of themselves, as one gateway. */
import { expect, it } from 'vitest';
import type { GatewayStatus } from '../status.ts';
import { mergeMetrics } from './merge-metrics.ts';
import { mergeStatus } from './merge-status.ts';

const budget = (calls: number, failed: number, remaining: number) => ({
  upstream: 'a',
  tool: 't',
  objective: 0.9,
  window_ms: 1000,
  min_calls: 5,
  calls,
  failed,
  remaining,
  burn_rate: 1,
  used_up: remaining <= 0 && calls >= 5,
});

function one(more: Partial<GatewayStatus>, upstream: object): GatewayStatus {
  const [name, type, endpoint] = ['a', 'command', '/a/mcp'];
  const all = {
    name,
    type,
    endpoint,
    sessions: 1,
    processes: 2,
    circuit: 'closed',
    troubled: [],
    ...upstream,
  };
  return { started_at: '2026-01-02T00:00:00.000Z', faults: 1, upstreams: [all], limits: LIMITS, ...more };
}

const ALONE = { workers: [], failedBefore: 0 };

/** The same for all workers. */
const LIMITS: GatewayStatus['limits'] = {
  body_bytes: 1,
  message_bytes: 2,
  caller_bytes: 3,
  sessions: { max: 4, per_caller: 5 },
  rates: [],
  concurrency: [],
};

it('adds what can be added, and tells the worst of the rest', () => {
  const trouble = { kind: 'timeout', message: 'late', since: '2026-01-01T00:00:00.000Z' };
  const own = one(
    { joined: { endpoint: '/mcp', sessions: 1 }, error_budgets: [budget(90, 0, 1)] },
    { troubled: ['x'] },
  );
  const other = one(
    {
      faults: 4,
      joined: { endpoint: '/mcp', sessions: 2 },
      error_budgets: [budget(10, 10, -9)],
    },
    { sessions: 3, circuit: 'open', troubled: ['x', 'y'], trouble },
  );
  const workers = [{ worker: 1, pid: 7, started_at: '2026-01-01T00:00:00.000Z', restarts: 0 }];
  expect(mergeStatus(own, [other], { workers, failedBefore: 2 })).toEqual({
    started_at: '2026-01-02T00:00:00.000Z',
    faults: 7,
    limits: LIMITS,
    upstreams: [
      {
        name: 'a',
        type: 'command',
        endpoint: '/a/mcp',
        sessions: 4,
        processes: 4,
        circuit: 'open',
        troubled: ['x', 'y'],
        trouble,
      },
    ],
    joined: { endpoint: '/mcp', sessions: 3 },
    virtual: undefined,
    error_budgets: [{ ...budget(100, 10, 0), burn_rate: 1, used_up: true }],
    telemetry: undefined,
    workers,
  });
});

it('keeps the series of each worker apart, and each metric together', () => {
  const text = (count: number): string =>
    `# HELP a_total Things.\n# TYPE a_total counter\na_total{x="1"} ${count}\n# HELP b B.\n# TYPE b gauge\nb ${count}\n`;
  const merged = mergeMetrics([
    { worker: 1, said: text(3) },
    { worker: 2, said: text(4) },
  ]);
  expect(merged).toBe(`# HELP a_total Things.
# TYPE a_total counter
a_total{worker="1",x="1"} 3
a_total{worker="2",x="1"} 4
# HELP b B.
# TYPE b gauge
b{worker="1"} 3
b{worker="2"} 4
`);
});

it('asks of all calls together whether they are enough to tell', () => {
  const [own, other] = [
    one({ error_budgets: [budget(4, 4, -9)] }, {}),
    one({ error_budgets: [budget(4, 4, -9)] }, {}),
  ];
  expect(mergeStatus(own, [other], ALONE).error_budgets).toEqual([{ ...budget(8, 8, -9), used_up: true }]);
  expect(mergeStatus(own, [], ALONE).error_budgets).toEqual([{ ...budget(4, 4, -9), used_up: false }]);
});
