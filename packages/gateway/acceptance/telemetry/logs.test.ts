/** Logs, from docs/telemetry.md: every line a JSON object, and a failure leads to its trace. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Collector, SOON, startCollector } from '../support/collector.ts';
import { refusedGateway, scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, type Message, post } from '../support/http.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call } from '../support/messages.ts';
import { mayday } from '../support/policy.ts';
import { PATIENT } from '../support/shaping.ts';
import { failing, stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
let collector: Collector | undefined;
beforeAll(async () => {
  collector = await startCollector();
});
afterAll(() => collector?.close());
const gateway = keepGateway(async () => {
  const running = await startGateway(
    {
      joined: PATIENT,
      log: { format: 'json' },
      keys: [{ name: 'ann', key: ANN }],
      telemetry: { otlp: { endpoint: collector?.url } },
      upstreams: { shop: stdio(), nothing: { url: 'http://127.0.0.1:1/mcp' } },
      virtual: { desk: { tools: ['nowhere/*', 'shop/*'] } },
    },
    { env: SOON },
  );
  await post(at(running, 'shop'), ask('tools/list'), { key: ANN });
  return running;
});
/** Lines of the log: those that tell where it listens are for people, on standard output. */
const lines = (): Message[] =>
  gateway()
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
async function faultLine(id: unknown): Promise<Message> {
  const find = (): Message | undefined => lines().find((line) => line['correlation_id'] === id);
  await expect.poll(find, { timeout: 10_000 }).toBeDefined();
  return find() ?? {};
}

describe('a failure', () => {
  it('has all of this, and the trace of its caller', async () => {
    const request = call('pay', { script: [failing('Order 7 does not exist')] }, 'logged');
    request['params']._meta = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };
    const { message } = await post(at(gateway(), 'shop'), request, { key: ANN });
    const fault = faultOf(message);
    const [span] =
      (await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === 'logged')) ?? [];
    expect(await faultLine(fault['correlation_id'])).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      level: 'warn',
      message: expect.stringMatching(
        new RegExp(
          `^fault upstream=shop method=tools/call tool=pay .*trace_id=${TRACE}.*kind=${fault['kind']}`,
        ),
      ),
      event: 'fault',
      upstream: 'shop',
      method: 'tools/call',
      target: 'pay',
      caller: 'ann',
      kind: fault['kind'],
      origin: fault['origin'],
      executed: fault['executed'],
      correlation_id: fault['correlation_id'],
      trace_id: TRACE,
      span_id: span?.spanId,
    });
  });

  it('has the trace that the gateway began, where the caller has none', async () => {
    const request = call('pay', { script: [failing('Order 8 does not exist')] }, 'begun');
    const { message } = await post(
      at(gateway(), ''),
      { ...request, params: { ...request['params'], name: 'shop_pay' } },
      { key: ANN },
    );
    const [span] =
      (await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === 'begun')) ?? [];
    expect(await faultLine(faultOf(message)['correlation_id'])).toMatchObject({
      target: 'pay',
      trace_id: span?.traceId,
      span_id: span?.spanId,
    });
  });
});

it('every line on standard error is an object; failures alone have more than three fields', async () => {
  const { message } = await post(at(gateway(), 'nothing'), call('pay'), { key: ANN, within: 20_000 });
  await faultLine(faultOf(message)['correlation_id']);
  await post(at(gateway(), 'shop'), call('pay'));
  await expect.poll(() => lines().map((line) => String(line['message']).split(' ')[0])).toContain('refused');
  const others = lines().filter((line) => line['event'] === undefined);
  expect(others.map((line) => Object.keys(line).join())).toEqual(others.map(() => 'time,level,message'));
  const plain = gateway()
    .log()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{'));
  expect(plain).toEqual(expect.arrayContaining([expect.stringContaining('listening')]));
  expect(plain.filter((line) => !/listening|http:\/\/127\.0\.0\.1/.test(line))).toEqual([]);
});

it('levels', async () => {
  const level = (begins: RegExp): unknown =>
    lines().find((line) => begins.test(String(line['message'])))?.['level'];
  await post(at(gateway(), 'shop'), call('pay'));
  for (let time = 0; time < 8; time += 1) {
    await post(at(gateway(), 'nothing'), call('pay'), { key: ANN, within: 20_000 });
  }
  await expect.poll(() => level(/^refused status=401/)).toBe('warn');
  expect(level(/^warning: /)).toBe('warn');
  expect(level(/^fault /)).toBe('warn');
  await expect.poll(() => level(/circuit open/)).toBe('warn');
});

it('a mistake in the file is told in plain text', async () => {
  const { log } = await refusedGateway('log: { format: json }\nupstreams: { a: { urll: x } }');
  expect(log).toContain('mayday: the configuration cannot be used');
  expect(log.split('\n').filter((line) => line.startsWith('{'))).toEqual([]);
});

it('so are wrong arguments of the command', async () => {
  const folder = scratch();
  writeFileSync(
    join(folder, 'mayday.yaml'),
    'log: { format: json }\nupstreams: { a: { url: http://127.0.0.1:1/mcp } }',
  );
  const { code, all } = await mayday(folder, 'gateway', '--no-such-flag');
  rmSync(folder, { recursive: true });
  expect(code).not.toBe(0);
  expect(all.startsWith('{')).toBe(false);
});
