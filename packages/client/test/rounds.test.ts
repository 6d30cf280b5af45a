/** Calls in several rounds: a refusal of one round proves nothing about those before it. */
import { Client, type FetchLike } from '@modelcontextprotocol/client';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { type CallExtras, httpTransport, type ResilientOptions, resilient } from '../src/index.ts';

type Refuse = (round: number, count: number, answer: Response) => Response | Promise<Response>;

/** A real 2026-07-28 server whose tools book, ask, and book; between it and the client something refuses. */
function asking(refuse: Refuse, options: Omit<ResilientOptions<never>, 'transport'> = {}) {
  const log: string[] = [];
  const work = (name: string, annotations = {}, meta: { [key: string]: unknown } = {}) =>
    [name, { inputSchema: z.object({}), annotations, _meta: meta }] as const;
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'asking', version: '1.0.0' });
    for (const [name, config] of [
      work('pay'),
      work('read', { readOnlyHint: true }),
      work('keyed', {}, { 'dev.mayday/idempotency-key': true }),
    ]) {
      server.registerTool(name, config, async (_, context) => {
        const round = context.mcpReq.inputResponses === undefined ? 1 : 2;
        log.push(`round ${round}`);
        if (round === 2) return { content: [{ type: 'text', text: 'paid' }] };
        const question = {
          message: 'Receipt?',
          requestedSchema: { type: 'object', properties: {} },
        } as const;
        return inputRequired({ inputRequests: { a: inputRequired.elicit(question) } });
      });
    }
    return server;
  });
  const counts = [0, 0, 0];
  const fetch: FetchLike = async (url, init) => {
    const body = typeof init?.body === 'string' ? init.body : await new Response(init?.body).text();
    const answer = await handler.fetch(new Request(url, { ...init, body: body === '' ? null : body }));
    if (!body.includes('"tools/call"')) return answer;
    const round = body.includes('"inputResponses"') ? 2 : 1;
    counts[round] = (counts[round] ?? 0) + 1;
    return refuse(round, counts[round] ?? 0, answer);
  };
  const client = new Client(
    { name: 'agent', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  let asked = 0;
  client.setRequestHandler('elicitation/create', async () => {
    asked += 1;
    return { action: 'accept', content: {} };
  });
  const resilientClient = resilient(client, {
    upstream: { random: () => 0 },
    throttledBaseMs: 1,
    ...options,
    transport: () => httpTransport('http://127.0.0.1/mcp', { fetch }),
  });
  const call = async (name: string, extras?: CallExtras) => {
    await resilientClient.connect();
    await resilientClient.listTools();
    const outcome = await resilientClient.call({ name, arguments: {} }, extras);
    await resilientClient.close();
    return { outcome, log, asked };
  };
  return { call, client: resilientClient, counts };
}

const throttled = () => new Response(null, { status: 429, headers: { 'retry-after': '0' } });
const lost = () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));

it('asks, and goes on with the answer', async () => {
  const { outcome, log, asked } = await asking((_, __, answer) => answer).call('pay');
  expect(outcome).toMatchObject({ ok: true, attempts: 1, result: { content: [{ text: 'paid' }] } });
  expect({ log, asked }).toEqual({ log: ['round 1', 'round 2'], asked: 1 });
});

it('repeats the round that was refused, and no other', async () => {
  const story = asking((round, count, answer) => (round === 2 && count < 3 ? throttled() : answer));
  const { outcome, asked } = await story.call('pay');
  expect(outcome).toMatchObject({ ok: true, attempts: 3 });
  expect({ counts: story.counts, asked }).toEqual({ counts: [0, 1, 3], asked: 1 });
});

it('repeats a first round that was refused', async () => {
  const story = asking((round, count, answer) => (round === 1 && count < 3 ? throttled() : answer));
  expect((await story.call('pay')).outcome).toMatchObject({ ok: true, attempts: 3 });
});

it('does not call a whole undone whose second round was refused', async () => {
  const story = asking((round, _, answer) => (round === 2 ? throttled() : answer), { attempts: 3 });
  const { outcome, asked } = await story.call('pay');
  expect(outcome).toMatchObject({ ok: false, fault: { kind: 'rate_limited', executed: 'maybe' } });
  expect({ counts: story.counts, asked }).toEqual({ counts: [0, 1, 3], asked: 1 });
});

it('repeats a second round that a guard refused, and warns whoever gets its refusal in the end', async () => {
  const document = {
    kind: 'rate_limited',
    reaction: 'retryable',
    retryable: true,
    retry: { when: 'after_wait', after_ms: 1 },
    executed: 'no',
    origin: 'server',
    message: 'Too many requests',
  };
  const content = [{ type: 'text', text: 'Too many requests. Wait, then call again.' }];
  const result = { resultType: 'complete', isError: true, content, _meta: { 'dev.mayday/fault': document } };
  const refused = async (answer: Response) => {
    const id = Number(/"id":(\d+)/.exec(await answer.text())?.[1]);
    return Response.json({ jsonrpc: '2.0', id, result });
  };
  const once = asking((round, count, answer) => (round === 2 && count === 1 ? refused(answer) : answer));
  expect((await once.call('pay')).outcome).toMatchObject({ ok: true, attempts: 2 });
  expect(once.counts).toEqual([0, 1, 2]);
  const always = asking((round, _, answer) => (round === 2 ? refused(answer) : answer), { attempts: 2 });
  await always.client.connect();
  await always.client.listTools();
  expect((await always.client.callTool({ name: 'pay', arguments: {} })).content).toEqual([
    ...content,
    { type: 'text', text: 'It may have happened; check before you repeat a change.' },
  ]);
  await always.client.close();
  expect(always.counts).toEqual([0, 1, 2]);
});

it.each<[string, number, (id: number) => Response]>([
  ['404 of an endpoint that is gone', 3, () => new Response(null, { status: 404 })],
  ['404 that says more', 1, () => new Response('Nobody home', { status: 404 })],
  [
    '-32602',
    1,
    (id) => Response.json({ jsonrpc: '2.0', id, error: { code: -32602, message: 'Invalid params' } }),
  ],
])('nor after a %s, and sends that round %i times at most', async (_, times, refused) => {
  const story = asking(
    async (round, __, answer) =>
      round === 2 ? refused(Number(/"id":(\d+)/.exec(await answer.text())?.[1])) : answer,
    { attempts: 3 },
  );
  const { outcome, asked } = await story.call('pay');
  expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
  expect({ counts: story.counts, asked }).toEqual({ counts: [0, 1, times], asked: 1 });
});

it('does not send a lost second round again, unless it reads or has a key', async () => {
  const lose: Refuse = (round, count, answer) => (round === 2 && count === 1 ? lost() : answer);
  const write = asking(lose);
  expect((await write.call('pay')).outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
  expect(write.counts).toEqual([0, 1, 1]);
  for (const name of ['read', 'keyed']) {
    const story = asking(lose);
    const { outcome, asked } = await story.call(name);
    expect(outcome).toMatchObject({ ok: true, attempts: 2 });
    expect({ counts: story.counts, asked }).toEqual({ counts: [0, 1, 2], asked: 1 });
  }
});

it('sends each round once at most where that is asked for', async () => {
  const story = asking((round, _, answer) => (round === 2 ? throttled() : answer));
  const { outcome } = await story.call('pay', { once: true });
  expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
  expect(story.counts).toEqual([0, 1, 1]);
});

it('asks once beside a slow read, too', async () => {
  const slow: Refuse = async (round, _, answer) => {
    if (round === 1) await new Promise((resolve) => setTimeout(resolve, 30));
    return answer;
  };
  const { outcome, asked } = await asking(slow, { hedgeAfterMs: 5 }).call('read');
  expect(outcome.ok).toBe(true);
  expect(asked).toBe(1);
});

it('ends with the deadline while the user thinks', async () => {
  const story = asking((_, __, answer) => answer);
  story.client.setRequestHandler('elicitation/create', () => new Promise(() => undefined));
  const { outcome } = await story.call('pay', { deadlineMs: 60 });
  expect(outcome).toMatchObject({ ok: false, fault: { kind: 'timeout', executed: 'maybe' } });
  expect(story.counts).toEqual([0, 1, 0]);
});

it('ends as any other that is late where the question itself comes after the deadline', async () => {
  let late = 0;
  const clock = {
    now: () => Date.now() + late,
    timer: (ms: number, callback: () => void) => {
      const timer = setTimeout(callback, ms);
      return () => clearTimeout(timer);
    },
  };
  const slow: Refuse = (_, __, answer) => {
    late = 60_000;
    return answer;
  };
  const story = asking(slow, { upstream: { random: () => 0, clock } });
  const { outcome, asked } = await story.call('pay', { deadlineMs: 30_000 });
  expect(outcome).toMatchObject({ ok: false, fault: { kind: 'timeout', executed: 'maybe' } });
  expect(asked).toBe(0);
});

it('ends when the user cannot be asked', async () => {
  const story = asking((_, __, answer) => answer);
  story.client.setRequestHandler('elicitation/create', () =>
    Promise.reject(new Error('The window is closed')),
  );
  const { outcome } = await story.call('read');
  expect(outcome).toMatchObject({
    ok: false,
    fault: { executed: 'maybe' },
    reason: 'Not tried again: the server has answered an earlier round of the call',
  });
  expect(story.counts).toEqual([0, 1, 0]);
});

it('hands the question to whoever wants to answer it, and doubts the refusal of that answer', async () => {
  const story = asking((round, _, answer) => (round === 2 ? new Response(null, { status: 404 }) : answer));
  await story.client.connect();
  const question = await story.client.callTool({ name: 'pay', arguments: {} }, { allowInputRequired: true });
  expect(question).toMatchObject({ resultType: 'input_required' });
  const inputResponses = { a: { action: 'accept', content: {} } };
  const outcome = await story.client.call({ name: 'pay', arguments: {}, inputResponses } as never);
  expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
  await story.client.close();
});
