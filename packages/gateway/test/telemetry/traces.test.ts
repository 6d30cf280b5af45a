/** Traces over OTLP: what a collector gets of calls, and what the upstream gets of the trace. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { startStdioGateway } from '../../src/index.ts';
import { call, callTool, cleanUp, json, later, post, settingsOf, until, upstream } from '../tools.ts';
import { receiver } from './otlp-receiver.ts';
import { shop, watch } from './watched.ts';

afterEach(cleanUp);

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;

const withMeta = (name: string, meta: object): object => ({
  jsonrpc: '2.0',
  id: 'req-7',
  method: 'tools/call',
  params: { name, arguments: { card: 'arg-1234' }, _meta: meta },
});

it.each(['http/protobuf', 'http/json'] as const)(
  'tells of a call as the conventions for MCP have it: %s',
  async (protocol) => {
    const collector = await receiver();
    const { url } = await shop();
    const gateway = await watch({
      upstreams: { shop: { url } },
      telemetry: { otlp: { endpoint: collector.url, protocol, headers: { 'x-token': 'of-the-collector' } } },
    });
    await post(`${gateway.url}/shop/mcp`, withMeta('pay', { traceparent: TRACEPARENT, tracestate: 'a=1' }), {
      'mcp-protocol-version': '2025-06-18',
      'mcp-session-id': 'session-1',
    });
    await until(() => collector.spans.length === 1);
    const [span] = collector.spans;
    expect(span).toMatchObject({
      traceId: TRACE,
      parentSpanId: PARENT,
      traceState: 'a=1',
      name: 'tools/call pay',
      kind: 2,
      events: [],
      links: [],
      status: { code: 0, message: '' },
    });
    expect(span?.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'pay',
      'mcp.protocol.version': '2025-06-18',
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'jsonrpc.request.id': 'req-7',
      'mcp.session.id': '84097828fc31a8c8d29210df48901a85',
      'mayday.upstream': 'shop',
      'mayday.attempts': 1,
    });
    expect(Number(span?.end ?? 0n) - Number(span?.start ?? 0n)).toBeGreaterThan(0);
    expect(collector.requests.find(({ path }) => path === '/v1/traces')).toMatchObject({
      headers: {
        'content-type': protocol === 'http/json' ? 'application/json' : 'application/x-protobuf',
        'x-token': 'of-the-collector',
      },
    });
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'mayday-gateway',
      'service.version': '0.1.0',
    });
  },
);

it('gives the upstream its own span as the parent, and everything else as it came', async () => {
  const collector = await receiver();
  const { url, asked } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url } },
    telemetry: { otlp: { endpoint: collector.url } },
  });
  const meta = { traceparent: TRACEPARENT, tracestate: 'a=1', baggage: 'user=ann', 'x/y': { z: [1] } };
  await post(`${gateway.url}/shop/mcp`, withMeta('pay', meta));
  await until(() => collector.spans.length === 1);
  expect(asked[0]?.params).toEqual({
    name: 'pay',
    arguments: { card: 'arg-1234' },
    _meta: {
      ...meta,
      traceparent: `00-${TRACE}-${collector.spans[0]?.spanId}-01`,
      'dev.mayday/attempt': 1,
      'dev.mayday/call': expect.stringMatching(/^[\da-f-]{36}$/),
    },
  });
});

it('begins a trace where the caller has none', async () => {
  const collector = await receiver();
  const { url, asked } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url } },
    telemetry: { otlp: { endpoint: collector.url } },
  });
  await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  await until(() => collector.spans.length === 1);
  const [span] = collector.spans;
  expect(span?.parentSpanId).toBe('');
  expect(asked[0]?.params?._meta).toEqual({
    traceparent: `00-${span?.traceId}-${span?.spanId}-01`,
    'dev.mayday/attempt': 1,
    'dev.mayday/call': expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

it('counts the attempt of a call that was given up, and none of a call that was not sent', async () => {
  const collector = await receiver();
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body) as { readonly id: unknown; readonly method: string };
    if (method !== 'tools/call') json(response, 200, { jsonrpc: '2.0', id, result: { tools: [] } });
  });
  const gateway = await watch({
    upstreams: { shop: { url, timeout_ms: 300, breaker: { failures: 1, open_ms: 60_000 } } },
    telemetry: { otlp: { endpoint: collector.url } },
  });
  const calls = () => collector.spans.filter(({ name }) => name.startsWith('tools/call'));
  for (let asked = 1; calls().at(-1)?.attributes['mayday.fault.kind'] !== 'unavailable'; asked += 1) {
    await post(`${gateway.url}/shop/mcp`, callTool('pay'));
    await until(() => calls().length === asked);
  }
  const [first, last] = [calls()[0]?.attributes, calls().at(-1)?.attributes];
  expect([first?.['mayday.fault.kind'], first?.['mayday.attempts']]).toEqual(['timeout', 1]);
  expect(last).not.toHaveProperty(['mayday.attempts']);
});

it('takes the context of HTTP where _meta has none, and links it where it has', async () => {
  const collector = await receiver();
  const { url, asked } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url } },
    telemetry: { otlp: { endpoint: collector.url } },
  });
  const http = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, baggage: 'k=v' };
  await post(`${gateway.url}/shop/mcp`, callTool('pay'), http);
  await post(`${gateway.url}/shop/mcp`, withMeta('pay', { traceparent: TRACEPARENT }), http);
  await until(() => collector.spans.length === 2);
  expect(collector.spans[0]).toMatchObject({
    traceId: 'a'.repeat(32),
    parentSpanId: 'b'.repeat(16),
    links: [],
  });
  expect(asked[0]?.params?._meta).toMatchObject({ baggage: 'k=v' });
  expect(collector.spans[1]).toMatchObject({
    traceId: TRACE,
    links: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }],
  });
});

it.each([
  ['no text', 7],
  ['nothing of the kind', 'hello'],
  ['no trace', `00-${'0'.repeat(32)}-${PARENT}-01`],
  ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['a version that cannot be', `ff-${TRACE}-${PARENT}-01`],
  ['more than its version has', `00-${TRACE}-${PARENT}-01-more`],
  ['capital letters', TRACEPARENT.toUpperCase()],
])(
  'begins a new trace where traceparent is %s, and the tracestate belongs to none',
  async (_what, traceparent) => {
    const collector = await receiver();
    const { url, asked } = await shop();
    const gateway = await watch({
      upstreams: { shop: { url } },
      telemetry: { otlp: { endpoint: collector.url } },
    });
    await post(`${gateway.url}/shop/mcp`, withMeta('pay', { traceparent, tracestate: 'a=1' }));
    await until(() => collector.spans.length === 1);
    expect(collector.spans[0]?.traceId).not.toBe(TRACE);
    expect(collector.spans[0]).toMatchObject({ parentSpanId: '', traceState: '' });
    expect(asked[0]?.params?._meta).toMatchObject({
      traceparent: `00-${collector.spans[0]?.traceId}-${collector.spans[0]?.spanId}-01`,
      tracestate: '',
    });
  },
);

it('leaves out what the caller has decided not to record, and passes that on', async () => {
  const collector = await receiver();
  const { url, asked } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url } },
    telemetry: { otlp: { endpoint: collector.url } },
  });
  await post(`${gateway.url}/shop/mcp`, withMeta('pay', { traceparent: `00-${TRACE}-${PARENT}-00` }));
  await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  await until(() => collector.spans.length === 1);
  expect(collector.spans[0]?.traceId).not.toBe(TRACE);
  expect(asked[0]?.params?._meta?.['traceparent']).toMatch(
    new RegExp(`^00-${TRACE}-(?!${PARENT})[0-9a-f]{16}-00$`),
  );
});

it('tells of attempts as events, and of the failure as it went out', async () => {
  const collector = await receiver();
  const { url } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url, retry: { attempts: 2 } } },
    telemetry: { otlp: { endpoint: collector.url } },
  });
  await post(`${gateway.url}/shop/mcp`, call('tools/list'));
  await post(`${gateway.url}/shop/mcp`, callTool('flaky'));
  await until(() => collector.spans.length === 2);
  const span = collector.spans[1];
  expect(span).toMatchObject({ name: 'tools/call flaky', status: { code: 2, message: 'unavailable' } });
  expect(span?.attributes).toMatchObject({
    'error.type': 'tool_error',
    'gen_ai.tool.name': 'flaky',
    'mayday.attempts': 2,
    'mayday.fault.kind': 'unavailable',
    'mayday.fault.origin': 'upstream',
  });
  expect(span?.attributes['mayday.correlation_id']).toBe(gateway.faults.list()[0]?.fault['correlation_id']);
  expect(span?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
    [
      'mayday.attempt',
      {
        'mayday.upstream': 'shop',
        'mayday.attempt': 1,
        'mayday.fault.kind': 'unavailable',
        'mayday.fault.origin': 'upstream',
        'mayday.retry': true,
        'mayday.retry.after_ms': expect.any(Number) as number,
      },
    ],
    [
      'mayday.attempt',
      {
        'mayday.upstream': 'shop',
        'mayday.attempt': 2,
        'mayday.fault.kind': 'unavailable',
        'mayday.fault.origin': 'upstream',
        'mayday.retry': false,
      },
    ],
  ]);
});

it('tells neither names that nobody knows, nor arguments, nor what they are called by', async () => {
  const collector = await receiver();
  const { url } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url } },
    telemetry: { otlp: { endpoint: collector.url } },
  });
  await post(`${gateway.url}/shop/mcp`, withMeta('made-up-name', { traceparent: TRACEPARENT }));
  await post(`${gateway.url}/shop/mcp`, call('made/up-method', { uri: 'made-up-uri' }));
  await post(`${gateway.url}/shop/mcp`, call('resources/read', { uri: 'made-up-uri' }));
  await until(() => collector.spans.length === 3);
  expect(collector.spans.map(({ name }) => name)).toEqual(['tools/call', '_OTHER', 'resources/read']);
  expect(collector.spans[0]?.attributes).toMatchObject({
    'gen_ai.tool.name': '_OTHER',
    'error.type': '-32602',
    'rpc.response.status_code': '-32602',
    'mayday.fault.kind': 'not_found',
  });
  const all = JSON.stringify(collector.spans, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(all).not.toMatch(/made-up|made\/up|arg-1234/);
});

it('tells of a call at /mcp by the name that the upstream has for it', async () => {
  const collector = await receiver();
  const { url } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url } },
    telemetry: { otlp: { endpoint: collector.url } },
  });
  await post(`${gateway.url}/mcp`, callTool('shop_pay'));
  await until(() => collector.spans.length === 1);
  expect(collector.spans[0]).toMatchObject({
    name: 'tools/call pay',
    attributes: { 'gen_ai.tool.name': 'pay', 'mayday.upstream': 'shop' },
  });
});

it('tells of a gateway over standard input and output that it is one', async () => {
  const collector = await receiver();
  const { url } = await shop();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const gateway = await startStdioGateway(
    settingsOf({ upstreams: { shop: { url } }, telemetry: { otlp: { endpoint: collector.url } } }),
    { root: 'shop', input, output, env: {} },
  );
  later(() => gateway.close(0));
  input.write(`${JSON.stringify(withMeta('pay', { traceparent: TRACEPARENT }))}\n`);
  await once(output, 'data');
  await gateway.close();
  expect(collector.spans).toMatchObject([
    {
      traceId: TRACE,
      parentSpanId: PARENT,
      attributes: { 'network.transport': 'pipe', 'gen_ai.tool.name': 'pay' },
    },
  ]);
  expect(collector.spans[0]?.attributes).not.toHaveProperty('network.protocol.name');
});

it('changes nothing on the way where no traces are sent', async () => {
  const { url, asked } = await shop();
  const gateway = await watch({
    upstreams: { shop: { url, retry: { attempts: 1 } } },
    telemetry: { metrics: 'operators' },
  });
  const question = withMeta('pay', { traceparent: TRACEPARENT, tracestate: 'a=1' });
  await post(`${gateway.url}/shop/mcp`, question);
  expect(asked[0]).toEqual({ ...question, id: expect.any(Number) }); // the gateway has ids of its own
});
