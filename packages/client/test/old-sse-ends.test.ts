/** The stream of 2024-11-05 is the whole conversation: where it ends under a call, nothing refuses that call any more. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createMCPClient } from '@ai-sdk/mcp';
import { Client as ClientV2, SSEClientTransport as SseV2 } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import type { ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { resilientTools } from '../src/agents/ai-sdk.ts';
import * as v2 from '../src/index.ts';
import * as v1 from '../src/v1.ts';
import { type Called, type ScriptedSse, scriptedSse } from './scripted-sse.ts';

const INFO = { name: 'agent', version: '1.0.0' };

type Init = NonNullable<ConstructorParameters<typeof SseV2>[1]>;
type Client = Pick<v2.ResilientClient, 'connect' | 'call' | 'close'>;

const SDKS: readonly [string, (url: URL, init?: Init) => Client][] = [
  [
    'v1',
    (url, init) =>
      v1.resilient(new ClientV1(INFO), {
        transport: () => new SseV1(url, { fetch: v1.mendFetch(), ...(init as object) }),
      }) as never,
  ],
  [
    'v2',
    (url, init) =>
      v2.resilient(new ClientV2(INFO), {
        transport: () => new SseV2(url, { fetch: v2.mendFetch(), ...init }),
      }),
  ],
];

const LOST = { ok: false, attempts: 1, fault: { kind: 'disconnected', executed: 'maybe' } };

const ENDS = ['end', 'destroy'] as const;
const REFUSALS = [
  [429, '', { 'retry-after': '0' }],
  [404, 'Session not found', {}],
  [400, 'No transport found for sessionId', {}],
  [401, '', {}],
  [503, '', {}],
  [202, 'Accepted', {}],
  [307, '', { location: '/elsewhere' }],
] as const;

/** The stream ends, and so much later the POST is answered. */
const ending =
  (
    how: (typeof ENDS)[number],
    afterMs: number,
    [status, body, headers]: readonly [number, string, object] = REFUSALS[0],
  ) =>
  async ({ post, stream }: Called): Promise<void> => {
    stream[how]();
    if (afterMs > 0) await sleep(afterMs);
    post.writeHead(status, { ...headers }).end(body);
  };

async function paid(server: ScriptedSse, client: Client) {
  await client.connect();
  const outcome = await client.call({ name: 'pay', arguments: {} }, { deadlineMs: 15_000 });
  await client.close();
  return { outcome, calls: server.calls() };
}

describe.each(SDKS)('%s', (_, make) => {
  const CASES = ENDS.flatMap((how) =>
    REFUSALS.flatMap((said) => [30, 500].map((ms) => [how, ms, said] as const)),
  );

  it.each(CASES)('a refusal after the stream has ended proves nothing: %s, %i ms, %o', async (...row) => {
    await using server = await scriptedSse(ending(...row));
    expect(await paid(server, make(server.url))).toMatchObject({ outcome: LOST, calls: 1 });
  });

  it.each(ENDS)('nor one that comes along with the end: %s', async (how) => {
    await using server = await scriptedSse(ending(how, 0));
    const { outcome, calls } = await paid(server, make(server.url));
    expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(calls).toBe(1);
  });

  it.each([10, 100])('nor where there could be another stream by then: after %i ms', async (retryMs) => {
    await using server = await scriptedSse(ending('end', 500), retryMs);
    expect(await paid(server, make(server.url))).toMatchObject({ outcome: LOST, calls: 1 });
  });

  it.each(ENDS)('nor where another fetch reads the stream: %s', async (how) => {
    for (const read of [fetch, v2.mendFetch()]) {
      await using server = await scriptedSse(ending(how, 100));
      const client = make(server.url, { eventSourceInit: { fetch: read as typeof fetch } });
      expect(await paid(server, client)).toMatchObject({ outcome: LOST, calls: 1 });
    }
  });

  it('what another fetch reads behind a refusal counts, too', async () => {
    for (const read of [fetch, v2.mendFetch()]) {
      await using server = await scriptedSse(async ({ post, stream }) => {
        post.writeHead(429, { 'retry-after': '1' }).end();
        await sleep(100);
        stream.end();
      });
      const client = make(server.url, { eventSourceInit: { fetch: read as typeof fetch } });
      const { outcome, calls } = await paid(server, client);
      expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
      expect(calls).toBe(1);
    }
  });

  it('a stream that has ended before the call says nothing of it', async () => {
    await using server = await scriptedSse(({ post }) => {
      post.writeHead(429, { 'retry-after': '0' }).end();
    });
    const client = make(server.url);
    await client.connect();
    server.endStreams();
    await sleep(200);
    const outcome = await client.call({ name: 'pay', arguments: {} }, { deadlineMs: 15_000 });
    await client.close();
    expect(outcome).toMatchObject({ ok: true });
    expect(server.calls()).toBe(2);
  });

  it('nor is a call sent again after somebody has signed in', async () => {
    await using server = await scriptedSse(async ({ post, say }) => {
      say({ id: undefined, method: 'notifications/message', params: { level: 'info', data: 'booked' } });
      await sleep(100);
      post.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    });
    const client = make(server.url, { authProvider: signedIn as never });
    const { outcome, calls } = await paid(server, client);
    expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(calls).toBe(1);
  });
});

/** Somebody who has signed in: v1 asks for tokens, and v2 for one. */
const signedIn = {
  tokens: async () => ({ access_token: 't', token_type: 'bearer' }),
  token: async () => 't',
  onUnauthorized: async () => undefined,
};

it.each(ENDS)('nor in the Vercel AI SDK: %s', async (how) => {
  for (const said of REFUSALS) {
    await using server = await scriptedSse(ending(how, 50, said));
    const mcp = await createMCPClient({
      transport: { type: 'sse', url: server.url.href, fetch: v2.mendFetch() as typeof fetch },
    });
    const tools = resilientTools((await mcp.tools()) as ToolSet, { deadlineMs: 15_000 });
    const options = { toolCallId: '1', messages: [], context: {} } as never;
    const thrown = await Promise.resolve(tools['pay']?.execute?.({}, options)).catch((met: unknown) => met);
    // Nothing is left to close: the SDK would cancel a stream that has broken, and nobody hears what comes of that.
    expect(thrown, String(said[0])).toMatchObject({ fault: { executed: 'maybe' } });
    expect(server.calls()).toBe(1);
  }
});
