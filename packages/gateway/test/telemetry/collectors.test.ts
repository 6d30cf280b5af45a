/** Collectors that are slow, dead or lying: they cost no call anything, and lose nothing but telemetry. */
import { createServer } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, later, post, until } from '../tools.ts';
import { receiver } from './otlp-receiver.ts';
import { shop, type Watched, watch } from './watched.ts';

afterEach(cleanUp);

interface Sent {
  readonly trouble?: { readonly message: string };
  readonly exported: { readonly traces: number };
  readonly lost: { readonly traces: number };
}

async function sent(gateway: Watched): Promise<Sent> {
  const status = (await (await fetch(`${gateway.url}/-/status`)).json()) as { readonly telemetry: Sent };
  return status.telemetry;
}

const about = (gateway: Watched): readonly string[] =>
  gateway.logs.filter((line) => line.startsWith('telemetry:'));

it('answers every call while nobody listens, says so once, and loses what is too much', async () => {
  const { url } = await shop();
  const gateway = await watch(
    { upstreams: { shop: { url } }, telemetry: { otlp: { endpoint: 'http://127.0.0.1:9' } } },
    { OTEL_BSP_MAX_QUEUE_SIZE: '10', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5' },
  );
  for (let i = 0; i < 40; i++)
    expect((await post(`${gateway.url}/shop/mcp`, callTool('pay'))).message.result).toEqual({ content: [] });
  await until(() => about(gateway).length > 0);
  expect(about(gateway)).toEqual([
    expect.stringMatching(
      /^telemetry: http:\/\/127\.0\.0\.1:9\/v1\/(?:traces|metrics) cannot be reached \(ECONNREFUSED\); calls are not held up, and what cannot be kept is lost$/,
    ),
  ]);
  expect((await sent(gateway)).lost.traces).toBeGreaterThanOrEqual(25);
  const began = performance.now();
  await gateway.close(0);
  expect(performance.now() - began).toBeLessThan(5000);
  expect(about(gateway)).toHaveLength(1);
});

it('waits for a collector that never answers no longer than its time limit', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  later(() => silent.close());
  const { port } = silent.address() as { readonly port: number };
  const { url } = await shop();
  const gateway = await watch(
    {
      upstreams: { shop: { url } },
      telemetry: { otlp: { endpoint: `http://127.0.0.1:${port}`, metrics: false } },
    },
    { OTEL_EXPORTER_OTLP_TIMEOUT: '50' },
  );
  await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  await until(() => about(gateway).length > 0);
  expect(about(gateway)[0]).toContain('/v1/traces did not answer within 50 ms');
});

it('does not wait for it at the end, either', async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  later(() => silent.close());
  const { port } = silent.address() as { readonly port: number };
  const { url } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url } },
    telemetry: { otlp: { endpoint: `http://127.0.0.1:${port}` } },
  });
  await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  const began = performance.now();
  await gateway.close(0);
  expect(performance.now() - began).toBeLessThan(6000);
});

it('sends again what was refused for now, and says when it is taken', async () => {
  let refusals = 1;
  const collector = await receiver((response) => {
    response.statusCode = refusals-- > 0 ? 503 : 200;
    response.setHeader('retry-after', '0');
    response.end();
  });
  const { url } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url } },
    telemetry: { otlp: { endpoint: collector.url, metrics: false } },
  });
  await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  await until(() => collector.requests.length === 2);
  await until(() => about(gateway).length === 2);
  expect(collector.spans[1]).toEqual(collector.spans[0]);
  expect(about(gateway)).toEqual([
    `telemetry: ${collector.url}/v1/traces answered 503; calls are not held up, and what cannot be kept is lost`,
    'telemetry: the collector takes it again; 0 spans or collections were lost',
  ]);
  expect(await sent(gateway)).toMatchObject({ exported: { traces: 1 }, lost: { traces: 0 } });
});

it('does not send again what was refused for good', async () => {
  const collector = await receiver((response) => {
    response.statusCode = 400;
    response.end('{"message":"no"}');
  });
  const { url } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url } },
    telemetry: { otlp: { endpoint: collector.url, metrics: false } },
  });
  await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  await until(async () => (await sent(gateway)).lost.traces === 1);
  expect(collector.requests).toHaveLength(1);
  expect(await sent(gateway)).toMatchObject({
    trouble: { message: `${collector.url}/v1/traces answered 400` },
  });
});

it.each([
  [
    'without end',
    (response: {
      statusCode: number;
      write(text: string): boolean;
      on(event: string, act: () => void): void;
    }) => {
      response.statusCode = 500;
      const more = setInterval(() => response.write('x'.repeat(50_000)), 1);
      response.on('close', () => clearInterval(more));
    },
    'answered 500',
  ],
  [
    'and breaks off',
    (response: {
      destroy(): void;
      writeHead(status: number, headers: object): void;
      write(text: string): boolean;
    }) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('x');
      setTimeout(() => response.destroy(), 20);
    },
    'broke off its answer',
  ],
  [
    'and asks to go elsewhere',
    (response: { writeHead(status: number, headers: object): void; end(): void }) => {
      response.writeHead(307, { location: 'http://127.0.0.1:1/' });
      response.end();
    },
    'answered 307',
  ],
])('believes nothing of a collector that answers %s', async (_how, answer, said) => {
  const collector = await receiver((response) => answer(response as never));
  const { url } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url } },
    telemetry: { otlp: { endpoint: collector.url, metrics: false } },
  });
  await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  await until(() => about(gateway).length > 0);
  expect(about(gateway)[0]).toContain(said);
});

it('sends what is left when it stops', async () => {
  const collector = await receiver();
  const { url } = await shop();
  const gateway = await watch(
    { upstreams: { shop: { url } }, telemetry: { otlp: { endpoint: collector.url } } },
    { OTEL_BSP_SCHEDULE_DELAY: '60000', OTEL_METRIC_EXPORT_INTERVAL: '60000' },
  );
  for (let i = 0; i < 3; i++) await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  expect(collector.requests).toEqual([]);
  await gateway.close();
  expect(collector.spans).toHaveLength(3);
  expect(collector.metrics).toHaveLength(1);
});

it('says nothing of what the address of a collector holds', async () => {
  const { url } = await shop();
  const gateway = await watch(
    { upstreams: { shop: { url } } },
    {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://user:hunter2@127.0.0.1:9/v1/traces?key=hunter3',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hunter4',
    },
  );
  await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  await until(() => about(gateway).length > 0);
  const status = await (await fetch(`${gateway.url}/-/status`)).text();
  const metrics = await (await fetch(`${gateway.url}/-/metrics`)).text();
  expect(gateway.logs.join() + status + metrics).not.toMatch(/hunter/);
});
