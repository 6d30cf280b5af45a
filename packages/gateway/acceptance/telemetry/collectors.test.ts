/** Collectors that do not work, from docs/telemetry.md: no call waits for one, and one line says that it is over. */
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../../scripts/free-port.ts';
import { type Collector, SOON, startCollector } from '../support/collector.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Message, post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { call } from '../support/messages.ts';
import { told } from '../support/prometheus.ts';

let http: HttpPuppet | undefined;
beforeAll(async () => {
  http = await startHttpPuppet();
});
afterAll(() => http?.close());
function start(endpoint: string, env: Record<string, string> = {}): Promise<Gateway> {
  const otlp = { endpoint, metrics: false };
  return startGateway(
    { telemetry: { otlp }, upstreams: { u: { url: http?.url } } },
    { env: { ...SOON, ...env } },
  );
}
const pay = async (gateway: Gateway, id: string): Promise<number> => {
  const { ms, message } = await post(at(gateway, 'u'), call('pay', {}, id));
  expect(message['result']?.content[0].text).toBe('pay: fine');
  return ms;
};
async function status(gateway: Gateway): Promise<Message> {
  return (await send(`${gateway.url}/-/status`, undefined)).messages[0]?.['telemetry'] ?? {};
}
const count = async (gateway: Gateway, name: string): Promise<number> =>
  Number((await told(gateway, name)).find((row) => row['mayday_signal'] === 'traces')?.['value'] ?? 0);

it('one that is not there: calls go on, it is told once, and once that it is over', async () => {
  const port = await freePort();
  const gateway = await start(`http://127.0.0.1:${port}`);
  await pay(gateway, 'first');
  await expect
    .poll(() => gateway.log(), { timeout: 10_000 })
    .toMatch(
      /telemetry: http:\/\/127\.0\.0\.1:\d+\/v1\/traces cannot be reached \(ECONNREFUSED\); calls are not held up, and what cannot be kept is lost/,
    );
  await expect
    .poll(async () => (await status(gateway))['trouble'])
    .toEqual({
      message: expect.stringContaining('cannot be reached'),
      since: expect.anything(),
    });
  expect((await send(`${gateway.url}/-/ready`, undefined)).status).toBe(200);
  // Three attempts, a second apart.
  await expect.poll(async () => (await status(gateway))['lost']?.traces, { timeout: 15_000 }).toBe(1);
  expect(await count(gateway, 'mayday_telemetry_lost_total')).toBe(1);

  const collector = await startCollector(port);
  await pay(gateway, 'second');
  await collector.found(({ attributes }) => attributes['jsonrpc.request.id'] === 'second');
  await expect
    .poll(() => gateway.log(), { timeout: 10_000 })
    .toMatch(/telemetry: the collector takes it again; 1 spans or collections were lost/);
  expect(await status(gateway)).toMatchObject({ exported: { traces: 1 }, lost: { traces: 1 } });
  expect(await status(gateway)).not.toHaveProperty('trouble');
  expect(gateway.log().match(/cannot be reached/g)).toHaveLength(1);
  expect(await count(gateway, 'mayday_telemetry_exported_total')).toBe(1);
  await gateway.stop('SIGKILL');
  await collector.close();
});

describe('one that answers', () => {
  let collector: Collector | undefined;
  let gateway: Gateway | undefined;
  beforeAll(async () => {
    collector = await startCollector();
    gateway = await start(collector.url, { OTEL_EXPORTER_OTLP_TIMEOUT: '400' });
  });
  afterAll(async () => {
    await gateway?.stop('SIGKILL');
    await collector?.close();
  });
  const answering =
    (code: number, headers: Record<string, string> = {}) =>
    (outgoing: ServerResponse) =>
      void outgoing.writeHead(code, headers).end();
  const here = (): Gateway => gateway as Gateway;
  const times = (id: string): number =>
    collector?.spans().filter(({ attributes }) => attributes['jsonrpc.request.id'] === id).length ?? 0;

  it.each([
    [400, {}],
    [401, {}],
    [404, {}],
    [413, {}],
    [500, {}],
    [302, { location: '/elsewhere' }],
  ])('%d loses the batch', async (code, headers) => {
    const lost = await count(here(), 'mayday_telemetry_lost_total');
    collector?.answer(answering(code, headers));
    await pay(here(), `code-${code}`);
    await expect.poll(() => count(here(), 'mayday_telemetry_lost_total'), { timeout: 10_000 }).toBe(lost + 1);
    expect(times(`code-${code}`)).toBe(1);
    expect(collector?.received.map(({ path }) => path)).not.toContain('/elsewhere');
  });

  it.each([429, 503])('%d is tried again, after Retry-After', async (code) => {
    const lost = await count(here(), 'mayday_telemetry_lost_total');
    let asked = 0;
    collector?.answer((outgoing) => {
      asked += 1;
      answering(asked < 2 ? code : 200, { 'retry-after': '0' })(outgoing);
    });
    await pay(here(), `again-${code}`);
    await expect.poll(() => times(`again-${code}`), { timeout: 10_000 }).toBe(2);
    await pay(here(), `after-${code}`);
    await expect.poll(() => times(`after-${code}`), { timeout: 10_000 }).toBe(1);
    expect(await count(here(), 'mayday_telemetry_lost_total')).toBe(lost);
  });

  it('nothing holds up no call, and is cut', async () => {
    collector?.answer(() => undefined);
    const waits: number[] = [];
    for (let time = 0; time < 10; time += 1) waits.push(await pay(here(), `mute-${time}`));
    await expect
      .poll(async () => (await status(here()))['trouble']?.message, { timeout: 10_000 })
      .toBeTypeOf('string');
    collector?.answer();
    await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === 'mute-9');
    expect(Math.min(...waits)).toBeLessThan(400);
  });

  it('far too much is not read', async () => {
    collector?.answer((outgoing) => {
      outgoing.writeHead(200);
      outgoing.on('error', () => undefined);
      outgoing.end(Buffer.alloc(5_000_000, 'x'));
    });
    const lost = await count(here(), 'mayday_telemetry_lost_total');
    const name = `much-${performance.now()}`;
    await pay(here(), name);
    await expect.poll(() => times(name), { timeout: 10_000 }).toBe(1);
    // What comes after it has been sent, so it was not waited for; and it came once.
    await pay(here(), `${name}-next`);
    await expect.poll(() => times(`${name}-next`), { timeout: 10_000 }).toBe(1);
    expect([times(name), await count(here(), 'mayday_telemetry_lost_total')]).toEqual([1, lost]);
    collector?.answer();
  });
});

it('what does not fit into the line is lost, and nothing else', async () => {
  const collector = await startCollector();
  collector.answer(() => undefined);
  const gateway = await start(collector.url, {
    OTEL_BSP_MAX_QUEUE_SIZE: '20',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5',
  });
  await pay(gateway, 'wedge');
  await collector.found(({ attributes }) => attributes['jsonrpc.request.id'] === 'wedge');
  await Promise.all(Array.from({ length: 40 }, (_, index) => pay(gateway, `queue-${index}`)));
  await expect.poll(() => count(gateway, 'mayday_telemetry_lost_total')).toBe(20);
  await gateway.stop('SIGKILL');
  await collector.close();
});

it('when the gateway stops, what is left is sent', async () => {
  const collector = await startCollector();
  const gateway = await start(collector.url, { OTEL_BSP_SCHEDULE_DELAY: '60000' });
  for (let time = 0; time < 5; time += 1) await pay(gateway, `left-${time}`);
  expect(collector.spans()).toEqual([]);
  await gateway.stop();
  expect(collector.spans()).toHaveLength(5);
  await collector.close();
});

it('a collector that hangs does not hold up the stop for long', async () => {
  const collector = await startCollector();
  collector.answer(() => undefined);
  const gateway = await start(collector.url, { OTEL_BSP_SCHEDULE_DELAY: '60000' });
  await pay(gateway, 'hung');
  const started = performance.now();
  expect(await gateway.stop()).toBe(0);
  expect(performance.now() - started).toBeLessThan(7000);
  await collector.close();
});
