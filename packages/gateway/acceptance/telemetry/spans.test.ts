/** Traces, from docs/telemetry.md: one span for every request, and what it says. OTLP in JSON. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Collector, SOON, startCollector } from '../support/collector.ts';
import { startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, type Message, post, type SendOptions } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize, modern, tell } from '../support/messages.ts';
import type { Span } from '../support/otlp.ts';
import { PATIENT, tool } from '../support/shaping.ts';
import { failing, stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
const TOOLS = [
  tool('pay'),
  tool('inner', { annotations: { readOnlyHint: true } }),
  tool('guarded'),
  tool('flaky', { annotations: { readOnlyHint: true } }),
];
let [collector, http]: [Collector?, HttpPuppet?] = [];
beforeAll(async () => {
  collector = await startCollector();
  http = await startHttpPuppet({ tools: TOOLS });
});
afterAll(async () => {
  await Promise.all([collector?.close(), http?.close()]);
});
const gateway = keepGateway(async () => {
  const running = await startGateway(
    {
      joined: PATIENT,
      keys: [{ name: 'ann', key: ANN }],
      access: { rules: [{ deny: ['*/guarded'] }] },
      telemetry: {
        otlp: { endpoint: collector?.url, protocol: 'http/json' },
        service_name: 'spans-test',
      },
      upstreams: {
        u: { url: http?.url, tools: { rename: { inner: 'outer' } } },
        s: stdio({ tools: TOOLS }),
        down: { url: 'http://127.0.0.1:1/mcp' },
      },
    },
    { env: SOON },
  );
  // A tool is told by name once it was listed.
  await Promise.all(['u', 's'].map((name) => post(at(running, name), ask('tools/list'), { key: ANN })));
  await post(at(running, 's'), ask('prompts/list'), { key: ANN });
  return running;
});

let last = 0;
/** Sends a request with an id of its own, and finds its span. */
async function traced(
  endpoint: string,
  request: Message,
  options: SendOptions = {},
): Promise<{ span: Span; message: Message }> {
  last += 1;
  const id = `id-${last}`;
  const answer = await post(
    at(gateway(), endpoint),
    { ...request, id },
    { key: ANN, within: 20_000, ...options },
  );
  const [span] = (await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === id)) ?? [];
  if (span === undefined) throw new Error('Expected a span');
  return { span, message: answer.message };
}

describe('a call that succeeds', () => {
  it('has these attributes, and no others', async () => {
    const { span } = await traced('u', call('pay'));
    expect(span.name).toBe('tools/call pay');
    expect(span.kind).toBe(2);
    expect(span.status).toEqual({ code: 0, message: '' });
    expect(span.parentSpanId).toBe('');
    expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(span.events).toEqual([]);
    expect(span.links).toEqual([]);
    expect(span.ms).toBeGreaterThan(0);
    expect(span.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'pay',
      'mcp.protocol.version': '2025-11-25',
      'jsonrpc.request.id': expect.any(String),
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'mayday.upstream': 'u',
      'mayday.caller': 'ann',
      'mayday.attempts': 1,
    });
  });

  it.each([
    ['u', 'outer'],
    ['', 'u_outer'],
  ])('at /%s of %s is told by the upstream’s own name', async (endpoint, name) => {
    const { span } = await traced(endpoint, call(name));
    expect(span.name).toBe('tools/call inner');
    expect(span.attributes).toMatchObject({
      'gen_ai.tool.name': 'inner',
      'mayday.upstream': 'u',
      'mayday.attempts': 1,
    });
  });

  it('takes as long as its server', async () => {
    const script = [{ wait: 300 }, { answer: { result: { content: [] } } }];
    const { span } = await traced('s', call('pay', { script }));
    expect(span.ms).toBeGreaterThan(290);
  });

  it('in the revision of 2026', async () => {
    const { span } = await traced('u', modern(call('pay')), { era: '2026' });
    expect(span.attributes['mcp.protocol.version']).toBe('2026-07-28');
  });

  it.each([
    ['2025-06-18', /^2025-06-18$/],
    ['2099-01-01', /^(2025-11-25|2026-07-28)$/],
    ['latest', /^(2025-11-25|2026-07-28)$/],
  ])('with the header MCP-Protocol-Version: %s is of %s', async (header, version) => {
    const { span } = await traced('s', call('pay'), { headers: { 'mcp-protocol-version': header } });
    expect(span.attributes['mcp.protocol.version']).toMatch(version);
  });

  it('in a session has the digits of its id, not the id', async () => {
    const { headers } = await post(at(gateway(), 's'), initialize(), { key: ANN });
    const session = String(headers['mcp-session-id']);
    const { span } = await traced('s', call('pay'), { session });
    const digits = createHash('sha256').update(session).digest('hex').slice(0, 32);
    expect(span.attributes['mcp.session.id']).toBe(digits);
    expect(JSON.stringify(collector?.spans())).not.toContain(session);
  });
});

describe('other requests', () => {
  it.each([
    ['s', ask('tools/list'), 'tools/list', 's'],
    ['s', ask('prompts/get', { name: 'hello' }), 'prompts/get hello', 's'],
    ['', ask('prompts/get', { name: 's_hello' }), 'prompts/get hello', 's'],
    ['s', ask('resources/read', { uri: 'test://one' }), 'resources/read', 's'],
    ['s', ask('ping'), 'ping', 's'],
    ['', ask('tools/list'), 'tools/list', 'gateway'],
    ['s', initialize(), 'initialize', 's'],
    ['', initialize(), 'initialize', 'gateway'],
  ])('at /%s %j is "%s" of %s', async (endpoint, request, name, upstream) => {
    const { span } = await traced(endpoint, request);
    expect(span.name).toBe(name);
    expect(span.attributes).toMatchObject({
      'mcp.method.name': request['method'],
      'mayday.upstream': upstream,
    });
    expect(span.attributes).not.toHaveProperty('gen_ai.operation.name');
    expect(span.attributes).not.toHaveProperty('gen_ai.tool.name');
  });

  it('the name of a prompt is an attribute, and the address of a resource is none', async () => {
    const prompt = await traced('s', ask('prompts/get', { name: 'hello' }));
    const resource = await traced('s', ask('resources/read', { uri: 'test://one' }));
    expect(prompt.span.attributes['gen_ai.prompt.name']).toBe('hello');
    expect(JSON.stringify(resource.span)).not.toContain('test://one');
  });

  it('a method that no revision has is _OTHER', async () => {
    const { span } = await traced('s', ask('acme/strange'));
    expect(span.attributes['mcp.method.name']).toBe('_OTHER');
    expect(JSON.stringify(span)).not.toContain('strange');
  });

  it('many upstreams asked are no attempts', async () => {
    const { span } = await traced('', ask('tools/list'));
    expect(span.attributes).not.toHaveProperty('mayday.attempts');
  });

  it('a number is told as a text, and an id beyond 128 characters not at all', async () => {
    const long = 'x'.repeat(129);
    await post(at(gateway(), 's'), call('pay', {}, 777_001), { key: ANN });
    await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === '777001');
    const marked = call('pay', {}, long);
    marked['params']._meta = { traceparent: '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01' };
    await post(at(gateway(), 's'), marked, { key: ANN });
    const [span] = (await collector?.found(({ traceId }) => traceId === 'a'.repeat(32))) ?? [];
    expect(span?.attributes).not.toHaveProperty('jsonrpc.request.id');
  });
});

describe('a call that fails', () => {
  it('with a result has the kind, and `tool_error`', async () => {
    const { span, message } = await traced('u', call('pay', { script: [failing('Order 7 does not exist')] }));
    const fault = faultOf(message);
    expect(span.status).toEqual({ code: 2, message: fault['kind'] });
    expect(span.attributes).toMatchObject({
      'error.type': 'tool_error',
      'mayday.fault.kind': fault['kind'],
      'mayday.fault.origin': fault['origin'],
      'mayday.fault.executed': fault['executed'],
      'mayday.correlation_id': fault['correlation_id'],
      'mayday.attempts': 1,
    });
    expect(span.attributes).not.toHaveProperty('rpc.response.status_code');
  });

  it('with an error has its code, as a text', async () => {
    const { span, message } = await traced('s', ask('resources/read', {}));
    const script = [{ answer: { error: { code: -32002, message: 'Resource not found' } } }];
    const read = await traced(
      's',
      ask('resources/read', { uri: 'test://none', _meta: { 'test/puppet': { script } } }),
    );
    const code = String(read.message['error']?.code);
    expect(code).toMatch(/^-32/);
    expect(read.span.attributes).toMatchObject({ 'error.type': code, 'rpc.response.status_code': code });
    expect(span.attributes['mcp.method.name']).toBe('resources/read');
    expect(message).toHaveProperty('id');
  });

  it('in the dialect `problem` has the kind', async () => {
    const { span } = await traced('u', call('pay', { script: [failing('Order 7 does not exist')] }), {
      dialect: 'problem',
    });
    expect(span.attributes['error.type']).toBe(span.attributes['mayday.fault.kind']);
    expect(span.attributes).not.toHaveProperty('rpc.response.status_code');
  });

  it.each([
    ['u', 'nobody_has_it', 'not_found'],
    ['s', 'nobody_has_it', 'not_found'],
    ['', 'u_nobody_has_it', 'not_found'],
  ])('at /%s of %s is _OTHER', async (endpoint, name, kind) => {
    const { span } = await traced(endpoint, call(name));
    expect(span.name).toBe('tools/call');
    expect(span.attributes).toMatchObject({ 'gen_ai.tool.name': '_OTHER', 'mayday.fault.kind': kind });
    expect(JSON.stringify(span)).not.toContain('nobody_has_it');
  });

  it('that a rule refuses was never sent', async () => {
    const { span } = await traced('u', call('guarded'));
    expect(span.attributes).toMatchObject({
      'mayday.fault.kind': 'forbidden',
      'mayday.fault.executed': 'no',
    });
    expect(span.attributes).not.toHaveProperty('mayday.attempts');
    expect(span.status.code).toBe(2);
  });
});

describe('what happened on the way', () => {
  it('is an event for each attempt that failed', async () => {
    const script = [{ reset: true }] as const;
    const { span, message } = await traced('u', call('flaky', { script }));
    const attempts = span.attributes['mayday.attempts'];
    expect(attempts).toBeGreaterThan(1);
    expect(faultOf(message)['details']?.attempts).toBe(attempts);
    expect(span.events.map(({ name }) => name)).toEqual(
      Array.from({ length: attempts }, () => 'mayday.attempt'),
    );
    expect(span.events[0]?.attributes).toEqual({
      'mayday.upstream': 'u',
      'mayday.attempt': 1,
      'mayday.fault.kind': 'disconnected',
      'mayday.fault.origin': expect.any(String),
      'mayday.retry': true,
      'mayday.retry.after_ms': expect.any(Number),
    });
    expect(span.events.at(-1)?.attributes).toMatchObject({
      'mayday.attempt': attempts,
      'mayday.retry': false,
    });
    expect(span.events.at(-1)?.attributes).not.toHaveProperty('mayday.retry.after_ms');
  });

  it('is an event where a circuit holds a call back', async () => {
    const kinds = new Set<string>();
    // Others have called it before: it may be open, and then lets a call through after a while only.
    const seen = async (): Promise<string[]> => {
      const { span } = await traced('down', call('pay'));
      for (const { name, attributes } of span.events)
        kinds.add(`${name} ${attributes['mayday.refused_by'] ?? ''}`);
      return [...kinds];
    };
    await expect
      .poll(seen, { timeout: 40_000, interval: 20 })
      .toEqual(expect.arrayContaining(['mayday.attempt ', 'mayday.refused upstream']));
  });
});

it('what is not let in, and notifications, are no spans', async () => {
  const before = collector?.spans().length ?? 0;
  await post(at(gateway(), 's'), call('pay', {}, 'no-key'));
  await post(at(gateway(), 's'), call('pay', {}, 'bad-key'), { key: 'wrong-key-0123456789' });
  await post(at(gateway(), 'nowhere'), call('pay', {}, 'no-endpoint'), { key: ANN });
  await post(at(gateway(), 's'), tell('notifications/initialized'), { key: ANN });
  await traced('s', call('pay'));
  const added = collector?.spans().slice(before) ?? [];
  // A gateway that has just begun still asks its servers for their lists.
  const own = added.map(({ name }) => name).filter((name) => !name.endsWith('/list'));
  expect(own).toEqual(['tools/call pay']);
});
