/** What is not told, from docs/telemetry.md: no arguments, results, addresses or credentials anywhere, and names in bounds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Collector, SOON, startCollector } from '../support/collector.ts';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize } from '../support/messages.ts';
import { metricsText, rows } from '../support/prometheus.ts';
import { PATIENT, tool } from '../support/shaping.ts';
import { failing, stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789abcdef';
const OPERATOR = 'operator-key-0123456789';
const ARGUMENT = 'walrus-argument-7';
const RESULT = 'heron-result-8';
/** In the form of a token, and nobody's. */
const SECRET = ['ghp', 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'].join('_');
const HEADER = 'collector-token-5151515151';
const MANY = Array.from({ length: 520 }, (_, index) => tool(`tool_${index}`));
const LONG = 'l'.repeat(129);

let [collector, http, many]: [Collector?, HttpPuppet?, HttpPuppet?] = [];
beforeAll(async () => {
  collector = await startCollector();
  http = await startHttpPuppet();
  many = await startHttpPuppet({ tools: [tool(LONG), tool('bob@customer.example'), ...MANY] });
});
afterAll(async () => {
  await Promise.all([collector?.close(), http?.close(), many?.close()]);
});
const gateway = keepGateway(() =>
  startGateway(
    {
      joined: PATIENT,
      log: { format: 'json' },
      keys: [
        { name: 'ann', key: ANN },
        { name: 'op', key: OPERATOR, role: 'operator' },
      ],
      telemetry: {
        otlp: {
          endpoint: collector?.url,
          protocol: 'http/json',
          headers: { authorization: `Bearer ${HEADER}` },
        },
        error_budgets: [{ objective: 0.5 }],
      },
      upstreams: {
        u: { url: http?.url, headers: { authorization: `Bearer ${SECRET}` } },
        s: stdio(),
        many: { url: many?.url },
      },
    },
    { env: SOON },
  ),
);
/** All that anybody is told. */
async function everything(): Promise<Record<string, string>> {
  const options = { key: OPERATOR };
  const status = await send(`${gateway().url}/-/status`, undefined, options);
  return {
    collector: collector?.received.map(({ bytes, path }) => path + bytes.toString('utf8')).join('\n') ?? '',
    metrics: await metricsText(gateway(), OPERATOR),
    status: status.body,
    log: gateway().log(),
  };
}

it('no argument, result, address of a resource, session or credential is anywhere', async () => {
  const opened = await post(at(gateway(), 's'), initialize(), { key: ANN });
  const session = String(opened.headers['mcp-session-id']);
  const requests: [string, object][] = [
    ['u', call('pay', { text: ARGUMENT, [ARGUMENT]: 1 })],
    [
      'u',
      call('pay', {
        text: ARGUMENT,
        script: [{ answer: { result: { content: [{ type: 'text', text: RESULT }] } } }],
      }),
    ],
    ['', call('s_pay', { text: ARGUMENT })],
    ['s', ask('resources/read', { uri: `test://${ARGUMENT}/x` })],
    ['s', ask('prompts/get', { name: 'hello', arguments: { a: ARGUMENT } })],
    ['u', call(ARGUMENT, {})],
    ['u', ask(`acme/${ARGUMENT}`)],
    ['u', call('pay', { text: ARGUMENT, script: [{ reset: true }] })],
    ['u', call('pay', {}, `id ${SECRET}`)],
  ];
  for (const [endpoint, request] of requests) {
    await post(at(gateway(), endpoint), request, { key: ANN, within: 20_000 });
  }
  await post(at(gateway(), 's'), call('pay', { text: ARGUMENT }, 'the-last'), { key: ANN, session });
  await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === 'the-last');
  const all = await everything();
  const found = Object.entries(all).flatMap(([where, text]) =>
    [RESULT, SECRET, HEADER, ANN, OPERATOR, session]
      .filter((each) => text.includes(each))
      .map((each) => `${where}: ${each}`),
  );
  expect(all['collector']?.length).toBeGreaterThan(1000);
  expect(found).toEqual([]);
  expect(all['collector']).not.toContain(ARGUMENT);
  expect(all['metrics']).not.toContain(ARGUMENT);
});

it('the words of a failure are in no trace and no metric', async () => {
  const script = [failing(`The card of ${ARGUMENT} was declined, ${RESULT}`)];
  await post(at(gateway(), 'u'), call('pay', { script }, 'declined'), { key: ANN });
  const error = [
    { answer: { error: { code: -32000, message: `${ARGUMENT} ${RESULT}`, data: { x: RESULT } } } },
  ];
  await post(at(gateway(), 'u'), call('pay', { script: error }, 'erred'), { key: ANN });
  await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === 'erred');
  const { collector: sent, metrics } = await everything();
  expect(sent).not.toMatch(/declined,|walrus|heron/);
  expect(metrics).not.toMatch(/declined|walrus|heron/);
});

it('the collector has the headers that it was promised', () => {
  expect(collector?.received[0]?.headers['authorization']).toBe(`Bearer ${HEADER}`);
});

describe('names', () => {
  it('that nobody knows are _OTHER, however many there are', async () => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          post(at(gateway(), 'u'), call(`guess-${round}-${index}`), { key: ANN }),
        ),
      );
    }
    const found = await rows(gateway(), 'mcp_server_operation_duration_seconds_count', OPERATOR);
    const guessed = found.filter(
      ({ labels }) => labels?.['gen_ai_tool_name'] === '_OTHER' && labels['mayday_upstream'] === 'u',
    );
    expect(guessed.reduce((sum, { value }) => sum + Number(value), 0)).toBeGreaterThanOrEqual(100);
    expect(await metricsText(gateway(), OPERATOR)).not.toContain('guess-');
  });

  it('are told of 500 tools of an upstream, up to 128 characters long, redacted', async () => {
    await post(at(gateway(), 'many'), ask('tools/list'), { key: ANN });
    const names = [LONG, 'bob@customer.example', ...MANY.map((each) => (each as { name: string }).name)];
    for (let first = 0; first < names.length; first += 50) {
      await Promise.all(
        names
          .slice(first, first + 50)
          .map((name) => post(at(gateway(), 'many'), call(name), { key: ANN, within: 20_000 })),
      );
    }
    const found = await rows(gateway(), 'mcp_server_operation_duration_seconds_count', OPERATOR);
    const told = found.filter(
      ({ labels }) => labels?.['mayday_upstream'] === 'many' && labels['mcp_method_name'] === 'tools/call',
    );
    const named = new Set(told.map(({ labels }) => labels?.['gen_ai_tool_name']));
    expect(named.has('_OTHER')).toBe(true);
    named.delete('_OTHER');
    expect(named.size).toBeLessThanOrEqual(500);
    expect(named.size).toBeGreaterThan(450);
    expect(told.reduce((sum, { value }) => sum + Number(value), 0)).toBe(522);
    const text = await metricsText(gateway(), OPERATOR);
    expect(text).not.toContain('bob@customer.example');
    expect(text).not.toContain(LONG);
  });
});
