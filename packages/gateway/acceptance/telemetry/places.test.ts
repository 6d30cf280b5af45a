/** Spans of virtual servers, lazy discovery and APIs, and what a reload does not change, from docs/telemetry.md. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Collector, SOON, startCollector } from '../support/collector.ts';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Message, post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize } from '../support/messages.ts';
import type { Span } from '../support/otlp.ts';
import { told } from '../support/prometheus.ts';
import { PATIENT, tool } from '../support/shaping.ts';
import { API_PATHS, openapiFile } from '../support/world.ts';

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const folder = scratch();
let [collector, http]: [Collector?, HttpPuppet?] = [];
beforeAll(async () => {
  collector = await startCollector();
  http = await startHttpPuppet({ tools: [tool('inner'), tool('other')] });
});
afterAll(async () => {
  await Promise.all([collector?.close(), http?.close()]);
  rmSync(folder, { recursive: true });
});
function settings(more: object = {}): object {
  return {
    joined: PATIENT,
    telemetry: { otlp: { endpoint: collector?.url, metrics: false }, ...more },
    upstreams: {
      u: { url: http?.url, tools: { rename: { inner: 'outer' } } },
      api: { openapi: openapiFile(folder, API_PATHS), base_url: http?.origin },
    },
    virtual: {
      desk: { tools: ['u/*'], rename: { 'u/inner': 'desk_name' } },
      lazy: { tools: ['u/*'], discovery: 'lazy' },
    },
  };
}
const gateway = keepGateway(async () => {
  const running = await startGateway(settings(), { env: SOON });
  await post(at(running, 'u'), ask('tools/list'));
  await post(at(running, 'api'), ask('tools/list'));
  return running;
});
let last = 0;
async function traced(endpoint: string, request: Message): Promise<Span> {
  last += 1;
  const id = `place-${last}`;
  await post(at(gateway(), endpoint), { ...request, id }, { within: 20_000 });
  const [span] = (await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === id)) ?? [];
  if (span === undefined) throw new Error('Expected a span');
  return span;
}

it.each([
  ['desk', call('desk_name')],
  ['lazy', call('u_outer')],
  ['lazy', call('call_tool', { name: 'u_outer', arguments: { text: 'x' } })],
  ['u', call('outer')],
])('at /%s %j is a call of the upstream’s own tool', async (endpoint, request) => {
  const span = await traced(endpoint, request);
  expect(span.name).toBe('tools/call inner');
  expect(span.attributes).toMatchObject({
    'gen_ai.tool.name': 'inner',
    'gen_ai.operation.name': 'execute_tool',
    'mayday.upstream': 'u',
    'mayday.attempts': 1,
  });
});

it('a search is nobody’s call', async () => {
  const span = await traced('lazy', call('search_tools', { query: 'walrus' }));
  expect(span.attributes['mcp.method.name']).toBe('tools/call');
  expect(span.attributes).not.toHaveProperty('mayday.attempts');
  expect(span.attributes).not.toHaveProperty('error.type');
  expect(JSON.stringify(span)).not.toContain('walrus');
});

it('what a virtual server answers for all is the gateway’s', async () => {
  expect((await traced('desk', initialize())).attributes['mayday.upstream']).toBe('gateway');
});

it('an operation of an API is sent without a context', async () => {
  const request = call('echo', { text: 'contextless' });
  request['params']._meta = { traceparent: PARENT, tracestate: 'a=1', baggage: 'k=v' };
  const span = await traced('api', request);
  expect(span.parentSpanId).toBe('00f067aa0ba902b7');
  expect(span.attributes).toMatchObject({ 'mayday.upstream': 'api', 'gen_ai.tool.name': 'echo' });
  const arrived = http?.arrivals.find(({ path }) => path.includes('contextless'));
  expect(arrived?.path).toContain('/echo');
  expect(
    Object.keys(arrived?.headers ?? {}).filter((name) => /^(traceparent|tracestate|baggage)$/.test(name)),
  ).toEqual([]);
});

it('an endpoint that there is none of is refused at the door', async () => {
  await post(at(gateway(), 'nowhere'), call('pay'));
  expect(await told(gateway(), 'mayday_door_refusals_total')).toContainEqual({
    http_response_status_code: '404',
    value: expect.any(String),
  });
});

it('a reload does not change telemetry, and says that a restart would', async () => {
  gateway().rewrite({
    ...settings({ metrics: 'anybody', service_name: 'renamed' }),
    log: { format: 'json' },
  });
  await expect
    .poll(() => gateway().log(), { timeout: 15_000 })
    .toMatch(/a restart is needed for .*telemetry/);
  await expect.poll(() => gateway().log()).toMatch(/a restart is needed for .*log\.format/);
  const { body } = await send(`${gateway().url}/-/metrics`, undefined);
  expect(body).toContain('service_name="mayday-gateway"');
  expect((await traced('u', call('outer'))).name).toBe('tools/call inner');
});
