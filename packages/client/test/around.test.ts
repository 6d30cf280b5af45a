/** Whatever stands around a refusal makes it no proof: the call is not made again, and may have happened. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { beBusy } from '../../../test/busy.ts';
import { BUSY, BUSY_RESULT } from './declared.ts';
import { FLAVOURS, plainHttp, plainHttpV1 } from './flavours.ts';
import { answer, type Heard, type Script, scriptedHttp, succeed } from './scripted-http.ts';

type Id = Heard['id'];

const paid = (id: Id) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'paid' }] } });
const declared = (id: Id) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: 'busy', data: BUSY } });
const failing = (id: Id) => ({ jsonrpc: '2.0', id, result: BUSY_RESULT });
const refused = (id: Id) => ({ jsonrpc: '2.0', id, error: { code: -32602, message: 'Invalid params' } });
const REFUSALS = [declared, failing, refused];
const OTHERS = { jsonrpc: '2.0', id: 4711, result: { content: [{ type: 'text', text: 'for Ann' }] } };
const QUESTION = { jsonrpc: '2.0', id: 'q1', method: 'ping' };

const event = (message: unknown): string => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

/** What a stream says around its refusal, which is the first argument. */
const STREAMS: readonly (readonly [string, (own: string, id: Id) => string])[] = [
  ['a second answer', (own, id) => own + event(paid(id))],
  ['the same again', (own) => own + own],
  ['the answer to another behind it', (own) => own + event(OTHERS)],
  ['the answer to another before it', (own) => event(OTHERS) + own],
  ['a request behind it', (own) => own + event(QUESTION)],
  ['other words behind it', (own) => `${own}data: paid 991\n\n`],
  ['other words before it', (own) => `data: paid 991\n\n${own}`],
  ['another event behind it', (own) => `${own}event: paid\ndata: 991\n\n`],
  ['a field that nobody knows behind it', (own) => `${own}orderId: 991\n\n`],
  ['a field that nobody knows before it', (own) => `orderId: 991\n\n${own}`],
  ['a field that nobody knows in it', (own) => `orderId: 991\n${own}`],
  ['an event that is cut off', (own, id) => own + event(paid(id)).slice(0, -20)],
];

const ALONE: readonly (readonly [string, (own: string) => string])[] = [
  ['nothing', (own) => own],
  ['signs of life', (own) => `: hi\n\n${own}: bye\n\nretry: 100\n\n`],
];

const CASES = STREAMS.flatMap(([what, around]) =>
  REFUSALS.map((refusal) => [what, refusal.name, around, refusal] as const),
);

const member = (text: string) => (own: string) => own.replace(/\}$/, `,${text}}`);

/** What a message says beside its refusal. */
const MEMBERS: readonly (readonly [string, (own: string) => string])[] = [
  ['a number that nobody knows', member('"orderId":991')],
  ['nothing, under a name that nobody knows', member('"orderId":null')],
  ['a word that nobody knows', member('"paid":true')],
  ['what nobody asks for', member('"_meta":{"order":991}')],
  ['a method', member('"method":"paid"')],
  [
    'the same member before it',
    (own) => own.replace(/"(error|result)":/, '"$1":{"code":1,"message":"paid 991"},$&'),
  ],
  [
    'the same member before it, at length',
    (own) => own.replace(/"(error|result)":/, `"$1":{"code":1,"message":"paid 991${' '.repeat(12_000)}"},$&`),
  ],
];

const WITHIN = MEMBERS.flatMap(([what, within]) =>
  REFUSALS.map((refusal) => [what, refusal.name, within, refusal] as const),
);

/** The first call gets this, those after it succeed. */
const first =
  (script: Script): Script =>
  (heard, response, count) =>
    count === 1 ? script(heard, response, count) : succeed(heard, response, 'again');

const SERVER = fileURLToPath(new URL('./scripted-stdio.ts', import.meta.url));

describe.each(FLAVOURS)('$name', ({ name, http, stdio }) => {
  const called = async (script: Script) => {
    await using server = await scriptedHttp(first(script));
    const client = http(server.url, { throttledBaseMs: 1 });
    await client.connect();
    const outcome = await client.call({ name: 'write' });
    await client.close();
    return { outcome, runs: server.calls('write') };
  };

  it.each(CASES)('in a stream: %s (%s)', async (_what, _refusal, around, refusal) => {
    const { outcome, runs } = await called((heard, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(around(event(refusal(heard.id)), heard.id));
    });
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { executed: 'maybe' } });
  });

  it.each(ALONE)('in a stream, a refusal with %s around it still is one', async (_what, around) => {
    const { outcome, runs } = await called((heard, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(around(event(declared(heard.id))));
    });
    expect(runs).toBe(2);
    expect(outcome).toMatchObject({ ok: true, attempts: 2 });
  });

  it('does not believe a stream that goes on, and waits for it no longer than a second', async () => {
    const startedAt = Date.now();
    const { outcome, runs } = await called((heard, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(declared(heard.id)));
    });
    expect(Date.now() - startedAt).toBeLessThan(5000);
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { executed: 'maybe' } });
  });

  it('does not believe a stream that breaks behind it', async () => {
    const { outcome, runs } = await called((heard, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(declared(heard.id)), () => setTimeout(() => response.destroy(), 50));
    });
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
  });

  it.each(REFUSALS.map((refusal) => [refusal.name, refusal] as const))(
    'in a batch: %s',
    async (_, refusal) => {
      for (const around of [
        (id: Id) => [refusal(id), paid(id)],
        (id: Id) => [OTHERS, refusal(id)],
        (id: Id) => [refusal(id), QUESTION],
      ]) {
        const { outcome, runs } = await called((heard, response) => answer(response, around(heard.id)));
        expect(runs).toBe(1);
        expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { executed: 'maybe' } });
      }
    },
  );

  it.each(STREAMS)('in a stream under 429: %s', async (_what, around) => {
    const { outcome, runs } = await called((heard, response) => {
      const error = { code: -32000, message: 'Too many requests' };
      response.writeHead(429, { 'content-type': 'text/event-stream' });
      response.end(around(event({ jsonrpc: '2.0', id: heard.id, error }), heard.id));
    });
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { executed: 'maybe' } });
  });

  /** As JSON and as an event. */
  const calledBoth = async (status: number, told: (id: Id) => string) => [
    await called((heard, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(told(heard.id));
    }),
    await called((heard, response) => {
      response.writeHead(status, { 'content-type': 'text/event-stream' }).end(`data: ${told(heard.id)}\n\n`);
    }),
  ];

  describe.each([200, 429])('in its message, under %i', (status) => {
    it.each(WITHIN)('%s (%s)', async (_what, _refusal, within, refusal) => {
      for (const { outcome, runs } of await calledBoth(status, (id) => within(JSON.stringify(refusal(id))))) {
        expect(runs).toBe(1);
        expect(outcome).toMatchObject({ ok: false, attempts: 1, fault: { executed: 'maybe' } });
      }
    });

    it('that there is no result says nothing', async () => {
      for (const { outcome, runs } of await calledBoth(status, (id) =>
        JSON.stringify({ ...declared(id), result: null }),
      )) {
        expect(runs).toBe(2);
        expect(outcome).toMatchObject({ ok: true, attempts: 2 });
      }
    });
  });

  it.each([
    ['declares-answers', 1, 'maybe'],
    ['declares-answers-5', 1, 'maybe'],
    ['declares-answers-before-retry', 2, 'maybe'],
    ['declares-dies-before-retry', 2, 'maybe'],
    ['declares-half-answers-before-retry', 2, 'maybe'],
    ['declares-cut-answers-before-retry', 2, 'maybe'],
    ['declares-batch-answers-before-retry', 2, 'maybe'],
    ['declares-logs-before-retry', 2, 'maybe'],
    ['declares-cut-logs-before-retry', 2, 'maybe'],
    ['declares-prints-before-retry', 3, 'no'],
    ['declares-begins', 1, 'maybe'],
    ['declares-half-answers', 1, 'maybe'],
    ['declares-half-prints-before-retry', 2, 'maybe'],
    ['declares-half-logs-before-retry', 2, 'maybe'],
    ['declares-blanks-before-retry', 3, 'no'],
    ['declares-marked-logs-before-retry', 2, 'maybe'],
    ['declares-zeroes-before-retry', 2, 'maybe'],
    ['declares-zero-logs-before-retry', 2, 'maybe'],
    ['declares-old-logs-before-retry', 2, 'maybe'],
    ['declares-nameless-before-retry', 2, 'maybe'],
    ['declares-nameless-error-before-retry', 2, 'maybe'],
    ['marked-declares', 1, 'maybe'],
    ['old-declares', 1, 'maybe'],
    ['marked-log-declares', 1, 'maybe'],
    ['old-log-declares', 1, 'maybe'],
    ['refuses-answers', 1, 'maybe'],
    ['refuses-refuses', 1, 'maybe'],
    ['refuses-logs', 1, 'maybe'],
    ['refuses-asks', 1, 'maybe'],
    ['stranger-refuses', 1, 'maybe'],
    ['refuses-stranger', 1, 'maybe'],
    ['garbage-refuses', 1, 'no'],
    ['declares-batch-answers', 1, 'maybe'],
    ['refuses-batch-answers', 1, 'maybe'],
    ['batch-answers-declares', 1, 'maybe'],
    ['refuses-batch-logs', 1, 'maybe'],
    ['empty-batch-refuses', 1, 'no'],
  ])('over stdio: %s', async (misbehaviour, attempts, executed) => {
    // Long enough between two attempts to hear what comes late.
    const options = { deadlineMs: 10_000, throttledBaseMs: 400, upstream: { random: () => 1 } };
    const client = stdio([SERVER, misbehaviour], options);
    await client.connect();
    const outcome = await client.call({ name: 'write' });
    await client.close();
    expect(outcome).toMatchObject({ ok: false, attempts, fault: { executed } });
  });

  it.each([
    ['declares-answers-before-retry', 2, 'maybe'],
    ['declares-dies-before-retry', 2, 'maybe'],
    ['declares-half-answers-before-retry', 2, 'maybe'],
    ['declares-half-prints-before-retry', 2, 'maybe'],
    ['declares-batch-answers-before-retry', 2, 'maybe'],
    ['declares-logs-before-retry', 2, 'maybe'],
    ['declares-prints-before-retry', 3, 'no'],
  ])('over stdio, while its caller is busy: %s', async (misbehaviour, attempts, executed) => {
    const options = {
      deadlineMs: 10_000,
      throttledBaseMs: 400,
      upstream: { random: () => 1 },
      // It begins while the first wait does, and ends behind it.
      onFault: ({ attempt }: { attempt: number }) => void (attempt === 1 && setImmediate(beBusy, 800)),
    };
    const client = stdio([SERVER, misbehaviour], options);
    await client.connect();
    const outcome = await client.call({ name: 'write' });
    await client.close();
    expect(outcome).toMatchObject({ ok: false, attempts, fault: { executed } });
  });

  it('over the SDKs’ own transport: a second answer', async () => {
    await using server = await scriptedHttp(
      first((heard, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(event(declared(heard.id)) + event(paid(heard.id)));
      }),
    );
    const plain = name === 'SDK v1' ? plainHttpV1 : plainHttp;
    const client = plain(server.url, { throttledBaseMs: 1 });
    await client.connect();
    expect(await client.call({ name: 'write' })).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(server.calls('write')).toBe(1);
    await client.close();
  });
});
