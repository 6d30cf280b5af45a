/** Variables, from docs/telemetry.md: traces and metrics without a file, in protobuf, and what turns them off. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Collector, SOON, startCollector } from '../support/collector.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { ask, call } from '../support/messages.ts';
import { resourceOf } from '../support/otlp.ts';
import { pause } from '../support/policy.ts';

let [collector, http]: [Collector?, HttpPuppet?] = [];
beforeAll(async () => {
  collector = await startCollector();
  http = await startHttpPuppet();
});
afterAll(async () => {
  await Promise.all([collector?.close(), http?.close()]);
});
function start(env: Record<string, string>, more: object = {}): Promise<Gateway> {
  return startGateway({ upstreams: { u: { url: http?.url } }, ...more }, { env: { ...SOON, ...env } });
}
const url = (): string => collector?.url ?? '';
/** A call, and what became of telemetry when the gateway is gone. */
async function used(gateway: Gateway, id: string): Promise<number> {
  await post(at(gateway, 'u'), ask('tools/list'));
  await post(at(gateway, 'u'), call('pay', {}, id));
  const { status } = await send(`${gateway.url}/-/metrics`, undefined);
  await gateway.stop();
  return status;
}
const spans = (id: string): number =>
  collector?.spans().filter(({ attributes }) => attributes['jsonrpc.request.id'] === id).length ?? 0;

it('an endpoint alone sends both in protobuf, with headers, packed, of this resource', async () => {
  const before = collector?.received.length ?? 0;
  const gateway = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${url()}/base/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-one=1,x-two=a%20b',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-one=traces',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_SERVICE_NAME: 'by-variable',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=loses,team=shop',
  });
  expect(await used(gateway, 'by-variable')).toBe(200);
  const received = collector?.received.slice(before) ?? [];
  expect(spans('by-variable')).toBe(1);
  expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/base/v1/traces', '/base/v1/metrics']));
  expect(new Set(received.map(({ headers }) => headers['content-type']))).toEqual(
    new Set(['application/x-protobuf']),
  );
  expect(new Set(received.map(({ headers }) => headers['content-encoding']))).toEqual(new Set(['gzip']));
  const traces = received.find(({ path }) => path.endsWith('traces'));
  const metrics = received.find(({ path }) => path.endsWith('metrics'));
  expect([traces?.headers['x-one'], metrics?.headers['x-one'], metrics?.headers['x-two']]).toEqual([
    'traces',
    '1',
    'a b',
  ]);
  expect(resourceOf(traces?.request ?? {})).toMatchObject({
    'service.name': 'by-variable',
    'service.version': expect.any(String),
    'service.instance.id': expect.any(String),
    'host.name': expect.any(String),
    'process.pid': gateway.pid,
    'telemetry.sdk.name': 'mayday',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': expect.any(String),
    team: 'shop',
  });
  expect(resourceOf(metrics?.request ?? {})).toEqual(resourceOf(traces?.request ?? {}));
});

describe('the endpoint of one signal', () => {
  it('is taken as it is, and the other signal stays off', async () => {
    const before = collector?.received.length ?? 0;
    const gateway = await start({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url()}/just/traces` });
    await used(gateway, 'one-signal');
    expect(spans('one-signal')).toBe(1);
    const paths = collector?.received.slice(before).map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(['/just/traces']));
  });
});

describe('settings of the file win', () => {
  it('over variables; headers are added', async () => {
    const before = collector?.received.length ?? 0;
    const gateway = await start(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-one=variable,x-two=variable',
        OTEL_SERVICE_NAME: 'variable',
      },
      {
        telemetry: {
          otlp: { endpoint: url(), protocol: 'http/json', headers: { 'x-one': 'file' }, metrics: false },
          service_name: 'file',
        },
      },
    );
    await used(gateway, 'file-wins');
    expect(spans('file-wins')).toBe(1);
    const received = collector?.received.slice(before) ?? [];
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/v1/traces']));
    expect(received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-one': 'file',
      'x-two': 'variable',
    });
    expect(resourceOf(received[0]?.request ?? {})['service.name']).toBe('file');
  });
});

describe('nothing is sent', () => {
  it.each([
    ['with empty variables', { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: '' }, 404],
    ['with OTEL_SDK_DISABLED', { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'URL' }, 404],
    [
      'with exporters that are none',
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'URL', OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' },
      404,
    ],
    ['with metrics for Prometheus alone', { OTEL_METRICS_EXPORTER: 'prometheus' }, 200],
    [
      'with a sampler that takes none',
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'URL',
        OTEL_METRICS_EXPORTER: 'none',
        OTEL_TRACES_SAMPLER: 'always_off',
      },
      200,
    ],
  ])('%s', async (what, env, metrics) => {
    const before = collector?.received.length ?? 0;
    const gateway = await start(
      Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value === 'URL' ? url() : value])),
    );
    expect(await used(gateway, what)).toBe(metrics);
    await pause(100);
    expect(collector?.received.length).toBe(before);
  });
});

it('a value that means nothing is told, and the default holds', async () => {
  const gateway = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: url(),
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_BSP_MAX_QUEUE_SIZE: 'many',
  });
  await used(gateway, 'odd');
  expect(spans('odd')).toBe(1);
  expect(gateway.log()).toMatch(/warning: OTEL_TRACES_SAMPLER has a value that is not known here/);
  expect(gateway.log()).toMatch(/warning: OTEL_EXPORTER_OTLP_PROTOCOL/);
  expect(gateway.log()).toMatch(/warning: OTEL_BSP_MAX_QUEUE_SIZE/);
  expect(gateway.log()).not.toContain('sometimes');
});
