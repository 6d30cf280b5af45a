/** Metrics: what Prometheus reads at /-/metrics, and what a collector gets. */
import parsePrometheus from 'parse-prometheus-text-format';
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, post } from '../tools.ts';
import { receiver } from './otlp-receiver.ts';
import { shop, watch } from './watched.ts';

afterEach(cleanUp);

interface Family {
  readonly name: string;
  readonly type: string;
  readonly metrics: readonly {
    readonly value?: string;
    readonly labels?: { readonly [name: string]: string };
    readonly buckets?: { readonly [le: string]: string };
  }[];
}

async function scrape(url: string): Promise<{ readonly text: string; readonly all: readonly Family[] }> {
  const response = await fetch(`${url}/-/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const text = await response.text();
  return { text, all: parsePrometheus(text) as Family[] };
}

/** The parser leaves out the labels of histograms. */
const countsOf = (text: string, name: string): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(`${name}_count`));

const family = (all: readonly Family[], name: string): Family | undefined =>
  all.find((one) => one.name === name);

it('has the names, units and buckets of the conventions', async () => {
  const { url } = await shop();
  const gateway = await watch({ upstreams: { shop: { url } }, telemetry: { metrics: 'operators' } });
  await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  await post(`${gateway.url}/shop/mcp`, callTool('made-up'));
  const { text, all } = await scrape(gateway.url);
  const served = family(all, 'mcp_server_operation_duration_seconds');
  expect(served?.type).toBe('HISTOGRAM');
  const common =
    'mcp_protocol_version="2025-11-25",network_transport="tcp",network_protocol_name="http",mayday_upstream="shop"';
  const tool = 'mcp_method_name="tools/call",gen_ai_operation_name="execute_tool",gen_ai_tool_name=';
  expect(countsOf(text, 'mcp_server_operation_duration_seconds')).toEqual([
    `mcp_server_operation_duration_seconds_count{${tool}"pay",${common}} 1`,
    `mcp_server_operation_duration_seconds_count{${tool}"_OTHER",error_type="-32602",rpc_response_status_code="-32602",${common}} 1`,
  ]);
  expect(Object.keys(served?.metrics[0]?.buckets ?? {}).sort((a, b) => Number(a) - Number(b))).toEqual([
    '0.01',
    '0.02',
    '0.05',
    '0.1',
    '0.2',
    '0.5',
    '1',
    '2',
    '5',
    '10',
    '30',
    '60',
    '120',
    '300',
    '+Inf',
  ]);
  const port = new URL(url).port;
  expect(countsOf(text, 'mcp_client_operation_duration_seconds')[0]).toBe(
    `mcp_client_operation_duration_seconds_count{${tool}"pay",${common},server_address="127.0.0.1",server_port="${port}"} 1`,
  );
  expect(family(all, 'mayday_faults_total')?.metrics).toEqual([
    {
      value: '1',
      labels: {
        mayday_upstream: 'shop',
        gen_ai_tool_name: '_OTHER',
        mayday_fault_kind: 'not_found',
        mayday_fault_origin: 'caller',
      },
    },
  ]);
});

it('tells how the upstreams are', async () => {
  const { url } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url, retry: { attempts: 2 }, breaker: { failures: 2, open_ms: 60_000 } } },
    telemetry: { metrics: 'operators' },
  });
  await post(`${gateway.url}/shop/mcp`, call('tools/list'));
  // However often a call was tried, its tool has failed it once.
  await post(`${gateway.url}/shop/mcp`, callTool('flaky'));
  await post(`${gateway.url}/shop/mcp`, callTool('flaky'));
  await post(`${gateway.url}/shop/mcp`, callTool('flaky'));
  await fetch(`${gateway.url}/nowhere`);
  const { all } = await scrape(gateway.url);
  const values = (name: string): unknown =>
    family(all, name)?.metrics.map(({ labels, value }) => [labels, value]);
  expect(values('mayday_upstream_circuit')).toEqual([[{ mayday_upstream: 'shop' }, '0']]);
  expect(values('mayday_upstream_troubled_tools')).toEqual([[{ mayday_upstream: 'shop' }, '1']]);
  expect(values('mayday_retries_total')).toEqual([
    [{ mayday_upstream: 'shop', mayday_fault_kind: 'unavailable' }, '2'],
  ]);
  expect(values('mayday_refusals_total')).toEqual([
    [{ mayday_upstream: 'shop', mayday_refused_by: 'target' }, '1'],
  ]);
  expect(values('mayday_door_refusals_total')).toEqual([[{ http_response_status_code: '404' }, '1']]);
  expect(values('mayday_calls_active')).toEqual([[undefined, '0']]);
  expect(values('mayday_ready')).toEqual([[undefined, '1']]);
});

it.each([
  ['operators', { ann: 403, op: 200, nobody: 401 }],
  ['anybody', { ann: 200, op: 200, nobody: 200 }],
  ['off', { ann: 404, op: 404, nobody: 404 }],
] as const)('is for %s', async (metrics, statuses) => {
  const { url } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url } },
    keys: [
      { name: 'ann', key: 'key-of-ann-1' },
      { name: 'op', key: 'key-of-op-12', role: 'operator' },
    ],
    telemetry: { metrics },
  });
  const statusFor = async (headers: { [name: string]: string }): Promise<number> =>
    (await fetch(`${gateway.url}/-/metrics`, { headers })).status;
  expect({
    ann: await statusFor({ authorization: 'Bearer key-of-ann-1' }),
    op: await statusFor({ authorization: 'Bearer key-of-op-12' }),
    nobody: await statusFor({}),
  }).toEqual(statuses);
});

it('has none where nothing of telemetry is configured', async () => {
  const { url } = await shop();
  const gateway = await watch({ upstreams: { shop: { url } } });
  expect((await fetch(`${gateway.url}/-/metrics`)).status).toBe(404);
});

it.each(['http/protobuf', 'http/json'] as const)('sends them to a collector: %s', async (protocol) => {
  const collector = await receiver();
  const { url } = await shop();
  const gateway = await watch(
    { upstreams: { shop: { url } }, telemetry: { otlp: { endpoint: collector.url, traces: false } } },
    { OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' },
  );
  await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  await gateway.close();
  const last = collector.metrics.at(-1) ?? [];
  const served = last.find(({ name }) => name === 'mcp.server.operation.duration');
  expect(served).toMatchObject({ unit: 's', kind: 'histogram', temporality: 2 });
  expect(served?.points).toHaveLength(1);
  const [point] = served?.points ?? [];
  expect(point?.bounds).toEqual([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]);
  expect(point?.count).toBe(1);
  expect(point?.buckets).toHaveLength(15);
  expect(point?.buckets.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(point?.attributes).toMatchObject({ 'gen_ai.tool.name': 'pay', 'mayday.upstream': 'shop' });
  expect(last.find(({ name }) => name === 'process.cpu.time')).toMatchObject({ kind: 'sum', temporality: 2 });
  expect(last.find(({ name }) => name === 'mayday.ready')?.points).toMatchObject([
    { value: 1, attributes: {} },
  ]);
  expect(collector.requests.at(-1)).toMatchObject({
    path: '/v1/metrics',
    headers: { 'content-encoding': 'gzip' },
  });
  expect(collector.spans).toEqual([]);
});

it('stays bounded, whatever callers and servers make up', async () => {
  const { url } = await shop();
  const gateway = await watch({ upstreams: { shop: { url } }, telemetry: { metrics: 'operators' } });
  for (let i = 0; i < 60; i++) await post(`${gateway.url}/shop/mcp`, callTool(`made-up-${i}`));
  for (let i = 0; i < 60; i++) await post(`${gateway.url}/shop/mcp`, call(`made/up-${i}`));
  const { text } = await scrape(gateway.url);
  expect(countsOf(text, 'mcp_server_operation_duration_seconds')).toHaveLength(2);
  expect(text).not.toContain('made');
});
