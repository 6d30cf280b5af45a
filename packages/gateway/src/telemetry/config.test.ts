import { expect, it } from 'vitest';
import { resolveSettings } from '../settings/resolve.ts';
import type { SettingsFile } from '../settings/settings.ts';
import { telemetryOf } from './config.ts';

type Env = { readonly [name: string]: string };

function configOf(telemetry: SettingsFile['telemetry'], env: Env = {}) {
  const warnings: string[] = [];
  const upstreams = { shop: { url: 'http://127.0.0.1:1/mcp' } };
  const { settings } = resolveSettings({ upstreams, telemetry });
  return { config: telemetryOf(settings, env, (message) => warnings.push(message)), warnings };
}

const HERE = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

it.each([
  ['nothing', {}, {}],
  ['a name alone', { service_name: 'x' }, {}],
  ['other variables', {}, { OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' }],
  ['an empty variable', {}, { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
  ['a variable that turns all off', {}, { ...HERE, OTEL_SDK_DISABLED: 'true' }],
  ['exporters that are none', {}, { ...HERE, OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
] as const)('is off with %s', (_what, telemetry, env) => {
  expect(configOf(telemetry, env).config).toBeUndefined();
});

it('sends both signals to an endpoint, each at its path, with the defaults of the specification', () => {
  const { config, warnings } = configOf(undefined, HERE);
  expect(config).toMatchObject({
    traces: {
      target: { headers: {}, protocol: 'http/protobuf', isZipped: false, timeoutMs: 10_000, tls: {} },
      sampler: { isParentBased: true, ratio: 1 },
      queue: 2048,
      batch: 512,
      delayMs: 5000,
    },
    metrics: { intervalMs: 60_000 },
    prometheus: 'operators',
    propagation: { traceContext: true, baggage: true },
    resource: { 'service.name': 'mayday-gateway' },
  });
  expect(config?.traces?.target.url.href).toBe('http://collector:4318/v1/traces');
  expect(config?.metrics?.target.url.href).toBe('http://collector:4318/v1/metrics');
  expect(warnings).toEqual([]);
});

it('takes variables of one signal before the general ones, and its endpoint as it is', () => {
  const { config } = configOf(undefined, {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/otlp/',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b=two%20words',
    OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'c=3',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '77',
    OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: 'gzip',
    OTEL_EXPORTER_OTLP_CERTIFICATE: '/ca.pem',
  });
  expect(config?.traces?.target).toMatchObject({
    headers: { a: '1', b: 'two words' },
    protocol: 'http/json',
    timeoutMs: 77,
    isZipped: false,
    tls: { ca: '/ca.pem' },
  });
  expect(config?.traces?.target.url.href).toBe('https://traces.example/in');
  expect(config?.metrics?.target).toMatchObject({ headers: { c: '3' }, isZipped: true, timeoutMs: 10_000 });
  expect(config?.metrics?.target.url.href).toBe('http://collector:4318/otlp/v1/metrics');
});

it('takes the settings before all variables', () => {
  const { config } = configOf(
    {
      metrics: 'anybody',
      otlp: { endpoint: 'http://mine:1/', headers: { a: 'mine' }, protocol: 'http/protobuf', metrics: false },
      sample: 0.25,
      service_name: 'mine',
    },
    {
      ...HERE,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://theirs:1/',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=theirs,b=theirs',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'always_off',
      OTEL_SERVICE_NAME: 'theirs',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=others,deployment.environment.name=prod',
    },
  );
  expect(config).toMatchObject({
    traces: {
      target: { headers: { a: 'mine', b: 'theirs' }, protocol: 'http/protobuf' },
      sampler: { isParentBased: true, ratio: 0.25 },
    },
    metrics: undefined,
    prometheus: 'anybody',
    resource: { 'service.name': 'mine', 'deployment.environment.name': 'prod' },
  });
  expect(config?.traces?.target.url.href).toBe('http://mine:1/v1/traces');
});

it.each([
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http://localhost:4318/v1/traces', undefined],
  [{ OTEL_METRICS_EXPORTER: 'otlp' }, undefined, 'http://localhost:4318/v1/metrics'],
  [{ ...HERE, OTEL_TRACES_EXPORTER: 'none' }, undefined, 'http://collector:4318/v1/metrics'],
  [{ OTEL_METRICS_EXPORTER: 'prometheus' }, undefined, undefined],
])('is on as %j says', (env, traces, metrics) => {
  const { config } = configOf(undefined, env as unknown as Env);
  expect(config?.traces?.target.url.href).toBe(traces);
  expect(config?.metrics?.target.url.href).toBe(metrics);
  expect(config?.prometheus).toBe('operators');
});

it.each([
  ['always_on', undefined, { isParentBased: false, ratio: 1 }],
  ['always_off', undefined, { isParentBased: false, ratio: 0 }],
  ['traceidratio', '0.5', { isParentBased: false, ratio: 0.5 }],
  ['parentbased_always_on', undefined, { isParentBased: true, ratio: 1 }],
  ['parentbased_always_off', undefined, { isParentBased: true, ratio: 0 }],
  ['parentbased_traceidratio', '0.1', { isParentBased: true, ratio: 0.1 }],
])('samples by %s', (sampler, arg, expected) => {
  const env = { ...HERE, OTEL_TRACES_SAMPLER: sampler, ...(arg && { OTEL_TRACES_SAMPLER_ARG: arg }) };
  expect(configOf(undefined, env).config?.traces?.sampler).toEqual(expected);
});

it('tells of every value that means nothing here, and goes on without it', () => {
  const { config, warnings } = configOf(undefined, {
    ...HERE,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_TIMEOUT: 'soon',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'zstd',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1,nothing',
    OTEL_BSP_MAX_QUEUE_SIZE: '-1',
    OTEL_TRACES_SAMPLER: 'jaeger_remote',
    OTEL_PROPAGATORS: 'tracecontext,b3',
    OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'delta',
  });
  expect(config?.traces).toMatchObject({
    target: { protocol: 'http/protobuf', timeoutMs: 10_000, isZipped: false, headers: { a: '1' } },
    queue: 2048,
    sampler: { isParentBased: true, ratio: 1 },
  });
  expect(config?.propagation).toEqual({ traceContext: true, baggage: false });
  expect(new Set(warnings)).toEqual(
    new Set([
      'OTEL_EXPORTER_OTLP_PROTOCOL: http/protobuf and http/json are spoken here; http/protobuf holds',
      'OTEL_EXPORTER_OTLP_TIMEOUT is no whole number from 1 to 600000; 10000 holds',
      'OTEL_EXPORTER_OTLP_COMPRESSION is neither gzip nor none; nothing is compressed',
      'OTEL_EXPORTER_OTLP_HEADERS has a part that is no name=value; it is left out',
      'OTEL_BSP_MAX_QUEUE_SIZE is no whole number from 1 to 100000; 2048 holds',
      'OTEL_TRACES_SAMPLER has a value that is not known here; parentbased_always_on holds',
      'OTEL_PROPAGATORS has a value that is not known here; tracecontext, baggage and none are',
      'OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: metrics are sent cumulative, and not otherwise',
    ]),
  );
});

it('sends nothing to what is no address', () => {
  const { config, warnings } = configOf(undefined, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'ftp://x' });
  expect(config).toBeUndefined();
  expect(warnings).toEqual([
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is no URL of http or https; traces are not sent',
  ]);
});
