/** Metrics, from docs/telemetry.md: `/-/metrics` as Prometheus reads it, and the same over OTLP in protobuf. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Collector, SOON, startCollector } from '../support/collector.ts';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Message, post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call } from '../support/messages.ts';
import type { Metric } from '../support/otlp.ts';
import { type Row, rows as samples, types } from '../support/prometheus.ts';
import { PATIENT, tool } from '../support/shaping.ts';
import { failing, stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
const OPERATOR = 'operator-key-0123456789';
const TOOLS = [
  tool('pay'),
  tool('guarded'),
  tool('slow'),
  tool('flaky', { annotations: { readOnlyHint: true } }),
];
const BOUNDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

let [collector, http]: [Collector?, HttpPuppet?] = [];
beforeAll(async () => {
  collector = await startCollector();
  http = await startHttpPuppet({ tools: TOOLS });
});
afterAll(async () => {
  await Promise.all([collector?.close(), http?.close()]);
});
const gateway = keepGateway(async () => {
  const running = await startGateway(
    {
      joined: PATIENT,
      keys: [
        { name: 'ann', key: ANN },
        { name: 'op', key: OPERATOR, role: 'operator' },
      ],
      access: { rules: [{ deny: ['*/guarded'] }] },
      limits: { rates: [{ calls: 2, per_ms: 600_000, tools: ['s/slow'] }] },
      telemetry: { otlp: { endpoint: collector?.url }, service_name: 'shop-gateway' },
      upstreams: { u: { url: http?.url }, s: stdio({ tools: TOOLS }) },
    },
    { env: { ...SOON, OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,team=a%20b' } },
  );
  await Promise.all(['u', 's'].map((name) => post(at(running, name), ask('tools/list'), { key: ANN })));
  for (const args of [{}, {}, { script: [failing('Order 7 does not exist')] }]) {
    await post(at(running, 'u'), call('pay', args), { key: ANN });
  }
  await post(at(running, ''), call('s_pay', {}), { key: ANN });
  await post(at(running, 'u'), call('guarded', {}), { key: ANN });
  for (let time = 0; time < 3; time += 1) await post(at(running, 's'), call('slow', {}), { key: ANN });
  await post(at(running, 'u'), call('flaky', { script: [{ reset: true }] }), { key: ANN, within: 20_000 });
  await post(at(running, 'u'), call('nobody_has_it', {}), { key: ANN });
  await post(at(running, 'u'), ask('ping'));
  return running;
});

const rows = (name: string): Promise<readonly Row[]> => samples(gateway(), name, OPERATOR);
const labels = async (name: string): Promise<unknown[]> => (await rows(name)).map((row) => row.labels ?? {});

describe('/-/metrics', () => {
  it('is text for operators alone', async () => {
    const url = `${gateway().url}/-/metrics`;
    const [none, other, operator] = await Promise.all([
      send(url, undefined),
      send(url, undefined, { key: ANN }),
      send(url, undefined, { key: OPERATOR }),
    ]);
    expect([none.status, other.status, operator.status]).toEqual([401, 403, 200]);
    expect(operator.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  it('has these families, with their types', async () => {
    expect(await types(gateway(), OPERATOR)).toEqual({
      target_info: 'GAUGE',
      mcp_server_operation_duration_seconds: 'HISTOGRAM',
      mcp_client_operation_duration_seconds: 'HISTOGRAM',
      mayday_faults_total: 'COUNTER',
      mayday_retries_total: 'COUNTER',
      mayday_refusals_total: 'COUNTER',
      mayday_door_refusals_total: 'COUNTER',
      mayday_calls_active: 'GAUGE',
      mayday_ready: 'GAUGE',
      mayday_upstream_circuit: 'GAUGE',
      mayday_upstream_troubled_tools: 'GAUGE',
      mayday_upstream_sessions: 'GAUGE',
      mayday_upstream_processes: 'GAUGE',
      mayday_telemetry_exported_total: 'COUNTER',
      process_memory_usage_bytes: 'GAUGE',
      process_cpu_time_seconds_total: 'COUNTER',
      process_uptime_seconds: 'GAUGE',
    });
  });

  it('describes the resource', async () => {
    const [info] = await rows('target_info');
    expect(info?.value).toBe('1');
    expect(info?.labels).toEqual({
      service_name: 'shop-gateway',
      service_version: expect.any(String),
      service_instance_id: expect.any(String),
      host_name: expect.any(String),
      process_pid: String(gateway().pid),
      telemetry_sdk_name: 'mayday',
      telemetry_sdk_language: 'nodejs',
      telemetry_sdk_version: expect.any(String),
      deployment_environment_name: 'test',
      team: 'a b',
    });
  });
});

describe('operations', () => {
  it('of callers are counted with these labels', async () => {
    const found = await rows('mcp_server_operation_duration_seconds_count');
    const paid = found.filter(
      ({ labels: each }) => each?.['gen_ai_tool_name'] === 'pay' && each['mayday_upstream'] === 'u',
    );
    const common = {
      mcp_method_name: 'tools/call',
      gen_ai_operation_name: 'execute_tool',
      gen_ai_tool_name: 'pay',
      mcp_protocol_version: '2025-11-25',
      network_transport: 'tcp',
      network_protocol_name: 'http',
      mayday_upstream: 'u',
    };
    expect(paid.map(({ labels: each, value }) => ({ ...each, value }))).toEqual([
      { ...common, value: '2' },
      { ...common, error_type: 'tool_error', value: '1' },
    ]);
    const buckets = (await rows('mcp_server_operation_duration_seconds_bucket')).filter(
      ({ labels: each }) => each?.['error_type'] === 'tool_error' && each['gen_ai_tool_name'] === 'pay',
    );
    expect(buckets.map(({ labels: each }) => each?.['le'])).toEqual([...BOUNDS.map(String), '+Inf']);
    expect(buckets.at(-1)?.value).toBe('1');
  });

  it('are one for every call, also refused and unknown ones', async () => {
    const found = await rows('mcp_server_operation_duration_seconds_count');
    const calls = found.filter(({ labels: each }) => each?.['mcp_method_name'] === 'tools/call');
    const count = calls.reduce((sum, row) => sum + Number(row.value), 0);
    expect(count).toBe(10);
    expect(calls.map(({ labels: each }) => each?.['gen_ai_tool_name'])).toContain('_OTHER');
    expect(calls.map(({ labels: each }) => each?.['gen_ai_tool_name'])).not.toContain('nobody_has_it');
  });

  it('of attempts have the address of a server with a `url`', async () => {
    const found = await rows('mcp_client_operation_duration_seconds_count');
    const paid = found.filter(({ labels: each }) => each?.['gen_ai_tool_name'] === 'pay');
    const over = paid.find(({ labels: each }) => each?.['mayday_upstream'] === 'u');
    const piped = paid.find(({ labels: each }) => each?.['mayday_upstream'] === 's');
    expect(over?.labels).toMatchObject({
      network_transport: 'tcp',
      server_address: '127.0.0.1',
      server_port: new URL(http?.url ?? '').port,
    });
    expect(piped?.labels).toMatchObject({ network_transport: 'pipe' });
    expect(piped?.labels).not.toHaveProperty('server_address');
    const flaky = found.filter(({ labels: each }) => each?.['gen_ai_tool_name'] === 'flaky');
    expect(flaky.map(({ labels: each }) => each?.['error_type'])).toEqual(['disconnected']);
    expect(Number(flaky[0]?.value)).toBeGreaterThan(1);
  });
});

describe('failures', () => {
  it('are counted by upstream, tool, kind and origin, as /-/faults records them', async () => {
    const { messages } = await send(`${gateway().url}/-/faults?limit=1000`, undefined, { key: OPERATOR });
    const recorded: Message[] = messages[0]?.['faults'];
    const counted = (await rows('mayday_faults_total')).reduce((sum, row) => sum + Number(row.value), 0);
    expect(counted).toBe(recorded.length);
    expect(await labels('mayday_faults_total')).toContainEqual({
      mayday_upstream: 'u',
      gen_ai_tool_name: 'pay',
      mayday_fault_kind: 'not_found',
      mayday_fault_origin: expect.any(String),
    });
  });

  it('that were tried again, refused by a rule or a limit, or not let in', async () => {
    expect(await labels('mayday_retries_total')).toEqual([
      { mayday_upstream: 'u', mayday_fault_kind: 'disconnected' },
    ]);
    const refusals = (await rows('mayday_refusals_total')).map(({ labels: each, value }) => ({
      ...each,
      value,
    }));
    expect(refusals).toContainEqual({ mayday_upstream: 'u', mayday_refused_by: 'access', value: '1' });
    expect(refusals).toContainEqual({ mayday_upstream: 's', mayday_refused_by: 'rate', value: '1' });
    expect(await labels('mayday_door_refusals_total')).toContainEqual({ http_response_status_code: '401' });
  });
});

it('gauges tell how it stands', async () => {
  const one = async (name: string): Promise<unknown> =>
    (await rows(name)).map(({ labels: each, value }) => ({ ...each, value }));
  expect(await one('mayday_ready')).toEqual([{ value: '1' }]);
  expect(await one('mayday_calls_active')).toEqual([{ value: '0' }]);
  expect(await one('mayday_upstream_circuit')).toEqual([
    { mayday_upstream: 'u', value: '0' },
    { mayday_upstream: 's', value: '0' },
  ]);
  expect(await labels('mayday_upstream_sessions')).toEqual([{ mayday_upstream: 's' }]);
  expect(await labels('mayday_upstream_processes')).toEqual([{ mayday_upstream: 's' }]);
  expect(await labels('process_cpu_time_seconds_total')).toEqual([
    { cpu_mode: 'user' },
    { cpu_mode: 'system' },
  ]);
});

it('a call under way is active', async () => {
  const script = [{ wait: 1500 }, { answer: { result: { content: [] } } }];
  const slow = post(at(gateway(), 's'), call('pay', { script }), { key: ANN });
  await expect
    .poll(async () => (await rows('mayday_calls_active'))[0]?.value, { timeout: 1400, interval: 50 })
    .toBe('1');
  await slow;
  await expect.poll(async () => (await rows('mayday_calls_active'))[0]?.value).toBe('0');
});

describe('over OTLP', () => {
  const named = async (name: string): Promise<Metric | undefined> => {
    const find = (): Metric | undefined => collector?.metrics().find((each) => each.name === name);
    await expect.poll(find, { timeout: 10_000 }).toBeDefined();
    return find();
  };

  it('goes to /v1/metrics in protobuf', async () => {
    await named('mayday.ready');
    const sent = collector?.received.filter(({ path }) => path.includes('metrics')) ?? [];
    expect(new Set(sent.map(({ path }) => path))).toEqual(new Set(['/v1/metrics']));
    expect(new Set(sent.map(({ headers }) => headers['content-type']))).toEqual(
      new Set(['application/x-protobuf']),
    );
  });

  it.each([
    ['mcp.server.operation.duration', 's', 'histogram'],
    ['mcp.client.operation.duration', 's', 'histogram'],
    ['mayday.faults', '', 'sum'],
    ['mayday.retries', '', 'sum'],
    ['mayday.refusals', '', 'sum'],
    ['mayday.calls.active', '', 'gauge'],
    ['mayday.ready', '', 'gauge'],
    ['mayday.upstream.circuit', '', 'gauge'],
    ['mayday.upstream.troubled_tools', '', 'gauge'],
    ['mayday.upstream.sessions', '', 'gauge'],
    ['mayday.upstream.processes', '', 'gauge'],
    ['mayday.telemetry.exported', '', 'sum'],
    ['process.memory.usage', 'By', 'gauge'],
    ['process.cpu.time', 's', 'sum'],
    ['process.uptime', 's', 'gauge'],
  ])('%s (%s) is a %s', async (name, unit, type) => {
    const metric = await named(name);
    expect(metric?.type).toBe(type);
    expect(unit === '' ? '' : metric?.unit).toBe(unit);
    expect([undefined, 2]).toContain(metric?.temporality);
  });

  it('labels have dots, and counters and histograms are cumulative', async () => {
    const duration = await named('mcp.server.operation.duration');
    const faults = await named('mayday.faults');
    const paid = duration?.points.find(
      ({ attributes }) =>
        attributes['gen_ai.tool.name'] === 'pay' &&
        attributes['mayday.upstream'] === 'u' &&
        attributes['error.type'] === 'tool_error',
    );
    expect(duration?.temporality).toBe(2);
    expect([faults?.temporality, faults?.monotonic]).toEqual([2, true]);
    expect(paid?.count).toBe(1);
    expect(paid?.bounds).toEqual(BOUNDS);
    expect(paid?.buckets).toHaveLength(15);
    expect(paid?.attributes).toMatchObject({ 'mcp.method.name': 'tools/call', 'network.transport': 'tcp' });
  });
});
