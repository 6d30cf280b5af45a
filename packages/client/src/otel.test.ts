import { Client } from '@modelcontextprotocol/client';
import { propagation } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { answer, fail, type Script, scriptedHttp, succeed } from '../test/scripted-http.ts';
import { httpTransport, resilient } from './index.ts';
import { openTelemetry } from './otel.ts';

beforeAll(() => {
  propagation.setGlobalPropagator({
    inject: (_context, carrier, setter) => setter.set(carrier, 'traceparent', '00-trace'),
    extract: (context) => context,
    fields: () => [],
  });
});
afterAll(() => propagation.disable());

/** Calls a tool once and returns the spans and metrics. */
async function observe(script: Script) {
  const spans = new InMemorySpanExporter();
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const telemetry = openTelemetry({
    tracerProvider: new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
    meterProvider: new MeterProvider({ readers: [reader] }),
  });
  await using server = await scriptedHttp(script);
  const client = resilient(new Client({ name: 'agent', version: '1.0.0' }), {
    transport: () => httpTransport(server.url),
    upstream: { name: 'shop', random: () => 0, targetBreaker: { consecutive: 1 } },
    telemetry,
  });
  await client.connect();
  await client.call({ name: 'write' });
  await client.close();
  await reader.forceFlush();
  const all = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  const metric = (name: string) =>
    all
      .filter(({ descriptor }) => descriptor.name === name)
      .flatMap(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes));
  await reader.shutdown();
  return {
    spans: spans.getFinishedSpans(),
    metric,
    names: all.map(({ descriptor }) => descriptor.name),
    heard: server.heard,
  };
}

const about = {
  'mcp.method.name': 'tools/call',
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'write',
};

it('makes one span for a call, with an event for each failed attempt', async () => {
  const { spans, metric, heard } = await observe((one, response, count) => {
    if (count === 1) answer(response, 'busy', 429);
    else succeed(one, response);
  });
  expect(spans.map(({ name, attributes }) => [name, attributes])).toEqual([
    ['tools/call write', { ...about, 'mayday.attempts': 2 }],
  ]);
  expect(spans[0]?.events).toMatchObject([
    { name: 'mayday.fault', attributes: { 'mayday.fault.kind': 'rate_limited', 'mayday.attempt': 1 } },
  ]);
  expect(metric('mcp.client.operation.duration')).toEqual([about]);
  expect(metric('mayday.client.attempts')).toEqual([
    { ...about, 'mayday.retry': false },
    { ...about, 'mayday.retry': true },
  ]);
  expect(heard.at(-1)?.params?._meta).toMatchObject({ traceparent: '00-trace' });
});

it('names the error as the conventions ask', async () => {
  const tool = await observe((one, response) => fail(one, response, 'Internal server error'));
  expect(tool.spans[0]).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'tool_error' } });
  expect(tool.metric('mayday.client.circuit')).toEqual([
    { 'mayday.upstream': 'shop', 'gen_ai.tool.name': 'write' },
  ]);
  const protocol = await observe((one, response) =>
    answer(response, { jsonrpc: '2.0', id: one.id, error: { code: -32602, message: 'Unknown tool' } }),
  );
  expect(protocol.spans[0]?.attributes).toMatchObject({
    'error.type': '-32602',
    'rpc.response.status_code': '-32602',
  });
});

it('pins the names of the metrics', async () => {
  const { names } = await observe((one, response) => fail(one, response, 'Internal server error'));
  expect([...new Set(names)].sort()).toEqual([
    'mayday.client.attempts',
    'mayday.client.circuit',
    'mayday.client.faults',
    'mayday.client.retry_budget',
    'mcp.client.operation.duration',
    'mcp.client.session.duration',
  ]);
});

it('goes without gauges where the API is older than they are', () => {
  const { createGauge: _, ...older } = Object.fromEntries(
    ['createHistogram', 'createCounter', 'createGauge'].map((name) => [
      name,
      () => ({ add: () => undefined, record: () => undefined }),
    ]),
  );
  const telemetry = openTelemetry({ meterProvider: { getMeter: () => older as never } });
  expect(() => telemetry.listen({ type: 'circuit', upstream: 'shop', state: 'open' } as never)).not.toThrow();
});

it('puts no secret into names, attributes or the status', async () => {
  const leak = 'connect postgres://svc:hunter2-S3cr3t@10.0.0.5:5432/prod';
  const { spans } = await observe((heard, response) =>
    answer(response, { jsonrpc: '2.0', id: heard.id, error: { code: -32603, message: leak } }),
  );
  const told = spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status }));
  expect(told).toHaveLength(1);
  expect(JSON.stringify(told)).not.toContain('hunter2');
});

it('refuses options that nobody reads', () => {
  expect(() => openTelemetry({ tracerProvidr: {} } as never)).toThrow(
    new TypeError('Unknown option `tracerProvidr` of `openTelemetry`; did you mean `tracerProvider`?'),
  );
});
