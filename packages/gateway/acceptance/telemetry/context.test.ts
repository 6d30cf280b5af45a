/** The context, from docs/telemetry.md: from the caller in `_meta` or headers, to the upstream in `_meta`. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Collector, SOON, startCollector } from '../support/collector.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { type Message, post, type SendOptions } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize } from '../support/messages.ts';
import type { Span } from '../support/otlp.ts';
import { PATIENT, tool } from '../support/shaping.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const OTHER_TRACE = '11111111111111111111111111111111';
const OTHER = `00-${OTHER_TRACE}-2222222222222222-01`;
const TOOLS = [tool('pay', { annotations: { readOnlyHint: true } })];

let [collector, http]: [Collector?, HttpPuppet?] = [];
beforeAll(async () => {
  collector = await startCollector();
  http = await startHttpPuppet({ tools: TOOLS });
});
afterAll(async () => {
  await Promise.all([collector?.close(), http?.close()]);
});
function start(telemetry: object = {}, env: Record<string, string> = {}): Promise<Gateway> {
  return startGateway(
    {
      joined: PATIENT,
      telemetry: { otlp: { endpoint: collector?.url, protocol: 'http/json' }, ...telemetry },
      upstreams: { u: { url: http?.url } },
    },
    { env: { ...SOON, ...env } },
  );
}
const gateway = keepGateway(() => start());

let last = 0;
interface Sent {
  readonly span: Span;
  /** `params._meta` of what reached the server. */
  readonly meta: Message;
  readonly headers: Message;
}
/** A call with this `_meta` and these headers: its span, and what reached the server. */
async function sent(
  meta: object | undefined,
  headers: Record<string, string> = {},
  options: SendOptions = {},
): Promise<Sent> {
  last += 1;
  const id = `context-${last}`;
  const request = call('pay', { text: id }, id);
  if (meta !== undefined) request['params']._meta = meta;
  await post(at(gateway(), 'u'), request, { headers, ...options });
  const [span] = (await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === id)) ?? [];
  if (span === undefined) throw new Error('Expected a span');
  return { span, ...arrived(`"text":"${id}"`) };
}
function arrived(part: string): { meta: Message; headers: Message } {
  const arrival = http?.arrivals.find(({ body }) => body.includes(part));
  return { meta: JSON.parse(arrival?.body ?? '{}').params?._meta ?? {}, headers: arrival?.headers ?? {} };
}

describe('from the caller', () => {
  it('`_meta` has the parent', async () => {
    const { span, meta } = await sent({ traceparent: PARENT, tracestate: 'a=1,b=2', baggage: 'k=v' });
    expect([span.traceId, span.parentSpanId]).toEqual([TRACE, '00f067aa0ba902b7']);
    expect(meta).toMatchObject({
      traceparent: `00-${TRACE}-${span.spanId}-01`,
      tracestate: 'a=1,b=2',
      baggage: 'k=v',
    });
  });

  it('a header counts where `_meta` has none', async () => {
    const { span, meta } = await sent(undefined, { traceparent: PARENT, tracestate: 'a=1', baggage: 'k=v' });
    expect([span.traceId, span.parentSpanId]).toEqual([TRACE, '00f067aa0ba902b7']);
    expect(span.links).toEqual([]);
    expect(meta).toMatchObject({
      traceparent: `00-${TRACE}-${span.spanId}-01`,
      tracestate: 'a=1',
      baggage: 'k=v',
    });
  });

  it('where both are there and differ, the header’s is a link', async () => {
    const { span, meta } = await sent({ traceparent: PARENT }, { traceparent: OTHER });
    expect([span.traceId, span.parentSpanId]).toEqual([TRACE, '00f067aa0ba902b7']);
    expect(span.links).toEqual([{ traceId: OTHER_TRACE, spanId: '2222222222222222' }]);
    expect(meta['traceparent']).toBe(`00-${TRACE}-${span.spanId}-01`);
  });

  it('where both are the same, there is no link', async () => {
    const { span } = await sent({ traceparent: PARENT }, { traceparent: PARENT });
    expect(span.parentSpanId).toBe('00f067aa0ba902b7');
    expect(span.links).toEqual([]);
  });

  it('without one the call begins a trace of its own', async () => {
    const { span, meta } = await sent(undefined);
    expect(span.parentSpanId).toBe('');
    expect(span.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(meta['traceparent']).toBe(`00-${span.traceId}-${span.spanId}-01`);
  });

  it.each([
    'nonsense',
    '',
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7`,
    `00-${TRACE}-00f067aa0ba902b7-01-more`,
    ` 00-${TRACE}-00f067aa0ba902b7-0g`,
    7,
    { traceparent: PARENT },
    [PARENT],
    null,
  ])('%j counts as absent, and the state beside it is emptied', async (traceparent) => {
    const { span, meta } = await sent({ traceparent, tracestate: 'a=1' });
    expect(span.parentSpanId).toBe('');
    expect(span.traceId).not.toBe(TRACE);
    expect(meta['traceparent']).toBe(`00-${span.traceId}-${span.spanId}-01`);
    expect(meta['tracestate'] ?? '').toBe('');
  });
});

describe('to the upstream', () => {
  it('nothing else in the request changes', async () => {
    const { meta } = await sent({ traceparent: PARENT, progressToken: 'p', 'example.com/x': [1, { y: 2 }] });
    const { traceparent, ...rest } = meta;
    expect(traceparent).toMatch(/^00-/);
    expect(rest).toMatchObject({ progressToken: 'p', 'example.com/x': [1, { y: 2 }] });
  });

  it.each([
    ['no params', '{"jsonrpc":"2.0","id":"ID","method":"tools/list"}', '"method":"tools/list"'],
    [
      'empty params',
      '{"jsonrpc":"2.0","id":"ID","method":"tools/list","params":{}}',
      '"method":"tools/list"',
    ],
    [
      'an empty _meta',
      '{"jsonrpc":"2.0","id":"ID","method":"ping","params":{ "_meta" : { } }}',
      '"method":"ping"',
    ],
    [
      'digits and spaces',
      '{ "id":"ID","params":{"arguments":{"n":12345678901234567890.10, "_meta":{"traceparent":"mine"},"u":"\\u00e9\\/"},"name":"pay"},"method":"tools/call","jsonrpc":"2.0" }',
      '{"n":12345678901234567890.10, "_meta":{"traceparent":"mine"},"u":"\\u00e9\\/"}',
    ],
  ])('a request with %s gets its context, and keeps its bytes', async (what, body, kept) => {
    const id = `bytes-${what}-${randomUUID()}`;
    const before = http?.arrivals.length ?? 0;
    await post(at(gateway(), 'u'), body.replace('ID', id));
    const [span] =
      (await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === id)) ?? [];
    const arrival = http?.arrivals.slice(before).find((each) => each.body.includes(kept));
    expect(arrival?.body).toContain(kept);
    expect(JSON.parse(arrival?.body ?? '{}').params._meta.traceparent).toBe(
      `00-${span?.traceId}-${span?.spanId}-01`,
    );
  });

  it('headers are passed on as they were', async () => {
    const { headers } = await sent({ traceparent: PARENT }, { traceparent: OTHER, tracestate: 'h=1' });
    expect(headers).toMatchObject({ traceparent: OTHER, tracestate: 'h=1' });
  });

  it('every attempt has the same', async () => {
    const id = `thrice-${randomUUID()}`;
    const request = call('pay', { text: id, script: [{ reset: true }] }, id);
    request['params']._meta = { traceparent: PARENT };
    await post(at(gateway(), 'u'), request, { within: 20_000 });
    const parents = (http?.arrivals ?? [])
      .filter(({ body }) => body.includes(id))
      .map(({ body }) => JSON.parse(body).params._meta.traceparent);
    const [span] =
      (await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === id)) ?? [];
    expect(parents.length).toBeGreaterThan(1);
    expect(new Set(parents)).toEqual(new Set([`00-${TRACE}-${span?.spanId}-01`]));
  });

  it('a list at /mcp is asked for in the same trace', async () => {
    const before = http?.arrivals.length ?? 0;
    const trace = randomUUID().replaceAll('-', '');
    await post(
      at(gateway(), ''),
      ask('tools/list', { _meta: { traceparent: `00-${trace}-00f067aa0ba902b7-01` } }),
    );
    const [span] =
      (await collector?.found(({ traceId, name }) => traceId === trace && name === 'tools/list')) ?? [];
    const asked = http?.arrivals.slice(before).filter(({ body }) => body.includes('"tools/list"')) ?? [];
    expect(asked.map(({ body }) => JSON.parse(body).params._meta?.traceparent)).toEqual([
      `00-${trace}-${span?.spanId}-01`,
    ]);
  });

  it('initialize goes out as it came', async () => {
    const request = initialize({ _meta: { traceparent: PARENT, tracestate: 'init=1' } });
    await post(at(gateway(), 'u'), request);
    expect(arrived('init=1').meta).toEqual({ traceparent: PARENT, tracestate: 'init=1' });
  });
});

describe('sampling', () => {
  it('a caller that does not sample has no span, and the upstream is told', async () => {
    const request = call('pay', { text: 'unsampled' }, 'unsampled');
    request['params']._meta = { traceparent: `00-${TRACE}-00f067aa0ba902b7-00` };
    await post(at(gateway(), 'u'), request);
    await sent(undefined);
    expect(
      collector?.spans().filter(({ attributes }) => attributes['jsonrpc.request.id'] === 'unsampled'),
    ).toEqual([]);
    expect(arrived('"unsampled"').meta['traceparent']).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
  });

  it('with `telemetry.sample: 0` only callers decide', async () => {
    const none = await start({ sample: 0 });
    const asked = call('pay', { text: 'decided' }, 'decided');
    asked['params']._meta = { traceparent: PARENT };
    await post(at(none, 'u'), call('pay', { text: 'undecided' }, 'undecided'));
    await post(at(none, 'u'), asked);
    await collector?.found(({ attributes }) => attributes['jsonrpc.request.id'] === 'decided');
    await none.stop();
    expect(
      collector?.spans().filter(({ attributes }) => attributes['jsonrpc.request.id'] === 'undecided'),
    ).toEqual([]);
    expect(arrived('"undecided"').meta['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
});

it.each([
  ['OTEL_PROPAGATORS=none', {}, { OTEL_PROPAGATORS: 'none' }],
  ['no traces', { otlp: undefined, metrics: 'anybody' }, {}],
])('with %s the caller’s own context reaches the upstream untouched', async (what, telemetry, env) => {
  const other = await start(telemetry, env);
  const request = call('pay', { text: what }, 'own');
  request['params']._meta = { traceparent: PARENT, tracestate: 'a=1', baggage: 'k=v' };
  await post(at(other, 'u'), request);
  await other.stop('SIGKILL');
  expect(arrived(`"text":"${what}"`).meta).toMatchObject({
    traceparent: PARENT,
    tracestate: 'a=1',
    baggage: 'k=v',
  });
});
