/** Error budgets, from docs/telemetry.md: what uses them, what `/-/status` and `/-/metrics` say, and the line of the log. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Message, post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call } from '../support/messages.ts';
import { told } from '../support/prometheus.ts';
import { PATIENT, tool } from '../support/shaping.ts';
import { failing } from '../support/world.ts';

const TOOLS = ['pay', 'look', 'flaky', 'guarded', 'free', 'burnt'].map((name) =>
  tool(name, { annotations: { readOnlyHint: name === 'flaky' } }),
);
const BROKEN = { script: [{ answer: { error: { code: -32603, message: 'Internal error' } } }] };
let http: HttpPuppet | undefined;
beforeAll(async () => {
  http = await startHttpPuppet({ tools: TOOLS });
});
afterAll(() => http?.close());
const gateway = keepGateway(async () => {
  const running = await startGateway({
    joined: PATIENT,
    access: { rules: [{ deny: ['*/guarded'] }] },
    telemetry: {
      metrics: 'anybody',
      error_budgets: [
        { tools: ['shop/pay'], objective: 0.9, window_ms: 604_800_000 },
        { tools: ['shop/burnt'], objective: 0.75, min_calls: 4, window_ms: 60_000 },
        { tools: ['shop/p*', 'shop/look', 'shop/flaky', 'shop/guarded'], objective: 0.5 },
      ],
    },
    upstreams: { shop: { url: http?.url, breaker: { failures: 1000 }, tools: { rename: { look: 'seen' } } } },
  });
  await post(at(running, 'shop'), ask('tools/list'));
  return running;
});
const use = async (name: string, args: object = {}, endpoint = 'shop'): Promise<unknown> =>
  (await post(at(gateway(), endpoint), call(name, args), { within: 20_000 })).message;
async function budget(name: string): Promise<Message | undefined> {
  const { messages } = await send(`${gateway().url}/-/status`, undefined);
  const all: Message[] = messages[0]?.['error_budgets'];
  return all.find((each) => each['tool'] === name);
}

it('a call that the server fails uses it, and what the caller did wrong does not', async () => {
  for (let time = 0; time < 18; time += 1) await use('pay');
  await use('pay', BROKEN);
  await use('pay', { script: [failing('Order 7 does not exist')] });
  expect(await budget('pay')).toEqual({
    upstream: 'shop',
    tool: 'pay',
    objective: 0.9,
    window_ms: 604_800_000,
    min_calls: 100,
    calls: 20,
    failed: 1,
    remaining: expect.closeTo(0.5, 6),
    burn_rate: expect.closeTo(0.5, 6),
    used_up: false,
  });
});

it('the first entry that fits counts, by the server’s name, at every endpoint', async () => {
  await use('seen');
  await use('shop_seen', {}, '');
  expect(await budget('look')).toMatchObject({ objective: 0.5, calls: 2, failed: 0, remaining: 1 });
  expect(await budget('look')).toMatchObject({ window_ms: 2_592_000_000, used_up: false, burn_rate: 0 });
  await use('free', BROKEN);
  expect(await budget('free')).toBeUndefined();
});

it('a call counts once, whatever attempts it took', async () => {
  await use('flaky', { script: [{ reset: true }] });
  expect(await budget('flaky')).toMatchObject({ calls: 1, failed: 1 });
});

it('what a caller may not do counts as a call, and uses nothing', async () => {
  await use('guarded');
  expect(await budget('guarded')).toMatchObject({ calls: 1, failed: 0 });
});

it('a tool that nobody knows has none', async () => {
  await use('phantom');
  expect(await budget('phantom')).toBeUndefined();
  expect(await budget('_OTHER')).toBeUndefined();
});

it('is used up with enough calls, which is told once', async () => {
  for (let time = 0; time < 3; time += 1) await use('burnt', BROKEN);
  expect(await budget('burnt')).toMatchObject({
    calls: 3,
    failed: 3,
    used_up: false,
    remaining: expect.closeTo(-3, 6),
  });
  expect(gateway().log()).not.toContain('error budget used up');
  await use('burnt');
  await use('burnt', BROKEN);
  const now = await budget('burnt');
  expect(now).toMatchObject({ used_up: true, calls: 5, failed: 4 });
  expect(now?.['remaining']).toBeCloseTo(1 - 4 / (5 * 0.25), 6);
  expect(now?.['burn_rate']).toBeCloseTo(4 / (5 * 0.25), 6);
  await expect
    .poll(() => gateway().log())
    .toMatch(
      /error budget used up: upstream=shop tool=burnt 3 of 4 calls failed within 60 s, the objective is 0\.75/,
    );
  expect(
    gateway()
      .log()
      .match(/error budget used up/g),
  ).toHaveLength(1);
});

it('metrics say the same', async () => {
  const labels = { mayday_upstream: 'shop', gen_ai_tool_name: 'burnt' };
  const of = async (name: string): Promise<Record<string, string> | undefined> =>
    (await told(gateway(), name)).find((each) => each['gen_ai_tool_name'] === 'burnt');
  expect(await of('mayday_error_budget_objective_ratio')).toEqual({ ...labels, value: '0.75' });
  expect(Number((await of('mayday_error_budget_remaining_ratio'))?.['value'])).toBeCloseTo(-2.2, 6);
  expect(Number((await of('mayday_error_budget_burn_rate'))?.['value'])).toBeCloseTo(3.2, 6);
});
