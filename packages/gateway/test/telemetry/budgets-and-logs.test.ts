/** Error budgets as operators see them, and logs that lead to a trace. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, post } from '../tools.ts';
import { shop, watch } from './watched.ts';

afterEach(cleanUp);

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

it('counts failures of a tool against its budget, and not what callers did wrong', async () => {
  const { url } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url, retry: { attempts: 1 }, breaker: false } },
    telemetry: { error_budgets: [{ tools: ['shop/*'], objective: 0.5, window_ms: 60_000, min_calls: 4 }] },
  });
  const ask = (name: string): Promise<unknown> => post(`${gateway.url}/shop/mcp`, callTool(name));
  await post(`${gateway.url}/shop/mcp`, call('tools/list'));
  for (const name of ['pay', 'flaky', 'flaky', 'flaky', 'flaky', 'made-up']) await ask(name);
  const status = (await (await fetch(`${gateway.url}/-/status`)).json()) as {
    readonly error_budgets: readonly object[];
  };
  expect(status.error_budgets).toEqual([
    {
      upstream: 'shop',
      tool: 'pay',
      objective: 0.5,
      window_ms: 60_000,
      min_calls: 4,
      calls: 1,
      failed: 0,
      remaining: 1,
      burn_rate: 0,
      used_up: false,
    },
    {
      upstream: 'shop',
      tool: 'flaky',
      objective: 0.5,
      window_ms: 60_000,
      min_calls: 4,
      calls: 4,
      failed: 4,
      remaining: -1,
      burn_rate: 2,
      used_up: true,
    },
  ]);
  const metrics = await (await fetch(`${gateway.url}/-/metrics`)).text();
  const flaky = '{mayday_upstream="shop",gen_ai_tool_name="flaky"}';
  expect(metrics).toContain(`\nmayday_error_budget_objective_ratio${flaky} 0.5\n`);
  expect(metrics).toContain(`\nmayday_error_budget_remaining_ratio${flaky} -1\n`);
  expect(metrics).toContain(`\nmayday_error_budget_burn_rate${flaky} 2\n`);
  expect(gateway.logs.filter((line) => line.startsWith('error budget'))).toEqual([
    'error budget used up: upstream=shop tool=flaky 4 of 4 calls failed within 60 s, the objective is 0.5',
  ]);
});

it('counts failures of a tool that was listed to somebody else, and of none that was not', async () => {
  const said = { result: { isError: true, content: [{ type: 'text', text: 'It went wrong.' }] } };
  const { url } = await shop(() => ({ body: said }));
  const gateway = await watch({
    upstreams: { shop: { url } },
    telemetry: { metrics: 'operators', error_budgets: [{ tools: ['shop/*'], objective: 0.5 }] },
  });
  const ann = { authorization: 'Bearer token-of-ann' };
  const bob = { authorization: 'Bearer token-of-bob' };
  await post(`${gateway.url}/shop/mcp`, call('tools/list'), ann);
  for (const name of ['flaky', 'made-up']) await post(`${gateway.url}/shop/mcp`, callTool(name), bob);
  const { error_budgets } = (await (await fetch(`${gateway.url}/-/status`)).json()) as {
    readonly error_budgets: readonly object[];
  };
  expect(error_budgets).toMatchObject([{ tool: 'flaky', calls: 1, failed: 1 }]);
  const metrics = await (await fetch(`${gateway.url}/-/metrics`)).text();
  const tools = metrics
    .split('\n')
    .filter((line) =>
      /^(mcp_(server|client)_operation_duration_seconds_count|mayday_faults_total)/.test(line),
    )
    .filter((line) => !line.includes('tools/list'))
    .map((line) => [line.split('{')[0], /gen_ai_tool_name="([^"]*)"/.exec(line)?.[1]]);
  const names = (metric: string): unknown[] =>
    tools.filter(([name]) => name === metric).map(([, tool]) => tool);
  for (const metric of [
    'mcp_server_operation_duration_seconds_count',
    'mcp_client_operation_duration_seconds_count',
    'mayday_faults_total',
  ])
    expect(names(metric).sort()).toEqual(['_OTHER', 'flaky']);
});

it('leads from a line of the log to the trace', async () => {
  const { url } = await shop();
  const gateway = await watch({ upstreams: { shop: { url } }, telemetry: { metrics: 'operators' } });
  await post(`${gateway.url}/shop/mcp`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'made-up', _meta: { traceparent: TRACEPARENT } },
  });
  const at = gateway.logs.findIndex((line) => line.startsWith('fault '));
  expect(gateway.logs[at]).toMatch(
    new RegExp(`^fault upstream=shop method=tools/call tool=made-up trace_id=${TRACE} kind=not_found `),
  );
  expect(gateway.facts[at]).toEqual({
    event: 'fault',
    upstream: 'shop',
    method: 'tools/call',
    target: 'made-up',
    kind: 'not_found',
    origin: 'caller',
    executed: 'maybe',
    correlation_id: gateway.faults.list()[0]?.fault['correlation_id'],
    trace_id: TRACE,
    span_id: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
  });
});
