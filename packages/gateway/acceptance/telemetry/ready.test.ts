/** Health and readiness beside docs/telemetry.md: `mayday_ready` is what `/-/ready` says, and a collector is none of its business. */
import { expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post, send } from '../support/http.ts';
import { call } from '../support/messages.ts';
import { told } from '../support/prometheus.ts';
import { stdio } from '../support/world.ts';

it('ready while it serves, and not while it stops', async () => {
  const gateway = await startGateway({
    keys: [{ name: 'ann', key: 'ann-key-0123456789' }],
    telemetry: { metrics: 'anybody', otlp: { endpoint: 'http://127.0.0.1:1' } },
    upstreams: { s: stdio(), dead: { url: 'http://127.0.0.1:1/mcp' } },
  });
  const asked = (path: string): Promise<number> =>
    send(`${gateway.url}${path}`, undefined).then(({ status }) => status);
  expect([await asked('/-/health'), await asked('/-/ready'), await asked('/-/metrics')]).toEqual([
    200, 200, 200,
  ]);
  expect(await told(gateway, 'mayday_ready')).toEqual([{ value: '1' }]);
  expect([await asked('/-/status'), await asked('/-/faults')]).toEqual([401, 401]);

  const script = [{ wait: 4000 }, { answer: { result: { content: [{ type: 'text', text: 'done' }] } } }];
  const slow = post(at(gateway, 's'), call('pay', { script }), { key: 'ann-key-0123456789', within: 15_000 });
  await expect
    .poll(async () => (await told(gateway, 'mayday_calls_active'))[0]?.['value'], { timeout: 3500 })
    .toBe('1');
  const gone = gateway.stop();
  const answers: number[] = [];
  await expect
    .poll(
      async () => {
        answers.push(await asked('/-/ready').catch(() => 0));
        return answers.at(-1);
      },
      { timeout: 10_000, interval: 20 },
    )
    .not.toBe(200);
  expect((await slow).message['result']?.content[0].text).toBe('done');
  expect(await gone).toBe(0);
  expect([0, 503]).toContain(answers.at(-1));
});
