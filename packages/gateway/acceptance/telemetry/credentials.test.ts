/** Credentials of a collector, from docs/telemetry.md: they reach it, and are told to nobody when it does not work. */
import { expect, it } from 'vitest';
import { SOON, startCollector } from '../support/collector.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post, send } from '../support/http.ts';
import { call } from '../support/messages.ts';
import { metricsText } from '../support/prometheus.ts';
import { stdio } from '../support/world.ts';

const PASSWORD = 'hunter2-swordfish';
const TOKEN = ['glsa', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF', '1a2b3c4d'].join('_');

async function everything(gateway: Gateway): Promise<string> {
  const { body } = await send(`${gateway.url}/-/status`, undefined);
  return [gateway.log(), body, await metricsText(gateway)].join('\n');
}

it('of a collector that is down', async () => {
  const gateway = await startGateway(
    { telemetry: { metrics: 'anybody' }, upstreams: { s: stdio() } },
    {
      env: {
        ...SOON,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://app:${PASSWORD}@127.0.0.1:1/v1/traces?api_key=${TOKEN}`,
        OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `http://app:${PASSWORD}@127.0.0.1:1/v1/metrics?api_key=${TOKEN}`,
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${TOKEN},not a pair,=${PASSWORD},bad%zz=${PASSWORD}`,
        OTEL_RESOURCE_ATTRIBUTES: 'team=shop',
      },
    },
  );
  await post(at(gateway, 's'), call('pay'));
  await expect.poll(() => gateway.log(), { timeout: 15_000 }).toMatch(/telemetry: .*cannot be reached/);
  const all = await everything(gateway);
  await gateway.stop('SIGKILL');
  expect(all).not.toContain(PASSWORD);
  expect(all).not.toContain(TOKEN);
});

it('of a collector that refuses them, and says them', async () => {
  const collector = await startCollector();
  collector.answer((outgoing) => {
    outgoing.writeHead(401, `Not ${TOKEN}`, {
      'content-type': 'text/plain',
      'www-authenticate': `Bearer ${TOKEN}`,
    });
    outgoing.end(`invalid token ${TOKEN}, password ${PASSWORD}`);
  });
  const headers = { authorization: `Bearer ${TOKEN}`, 'x-scope': 'shop' };
  const gateway = await startGateway(
    {
      telemetry: { otlp: { endpoint: collector.url, headers } },
      upstreams: { s: stdio() },
    },
    { env: SOON },
  );
  await post(at(gateway, 's'), call('pay'));
  await expect.poll(() => gateway.log(), { timeout: 15_000 }).toMatch(/telemetry: .*401/);
  const all = await everything(gateway);
  await gateway.stop('SIGKILL');
  await collector.close();
  expect(collector.received[0]?.headers).toMatchObject(headers);
  expect(all).not.toContain(PASSWORD);
  expect(all).not.toContain(TOKEN);
});
