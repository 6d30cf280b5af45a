/** A call under a key whose earlier call may have been executed: nobody can say of it any more that nothing was done. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { FLAVOURS } from './flavours.ts';
import { answer, type Heard, scriptedHttp, succeed } from './scripted-http.ts';

const CAUTION = 'It may have happened; check before you repeat a change.';
const PAY = { name: 'write', arguments: { order: 7 } };
const UNDER = { idempotencyKey: 'order-7' };

type Refuse = (heard: Heard, response: ServerResponse) => void;

describe.each(FLAVOURS)('$name', ({ http }) => {
  it.each<readonly [string, string, Refuse]>([
    ['429', 'rate_limited', (_, response) => response.writeHead(429).end()],
    ['401', 'unauthenticated', (_, response) => response.writeHead(401).end()],
    [
      'wrong arguments',
      'invalid_arguments',
      ({ id }, response) =>
        answer(response, { jsonrpc: '2.0', id, error: { code: -32_602, message: 'Invalid params' } }),
    ],
  ])('is told so when it is refused: %s', async (_name, kind, refuse) => {
    let refuses: Refuse = (_, response) => response.destroy();
    await using server = await scriptedHttp((heard, response) => refuses(heard, response));
    const client = http(server.url, { attempts: 1 });
    await client.connect();
    expect(await client.call(PAY, UNDER)).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    refuses = refuse;
    const told = await client.call(PAY, UNDER);
    expect(told).toMatchObject({ ok: false, fault: { kind, executed: 'maybe' } });
    expect((told as { readonly text: string }).text).toContain(CAUTION);
    // Another key is another call.
    expect(await client.call(PAY, { idempotencyKey: 'order-8' })).toMatchObject({
      fault: { kind, executed: 'no' },
    });
    await client.close();
  });

  it('is told so where the answer of the other one broke the schema of its tool', async () => {
    await using server = await scriptedHttp((heard, response, count) =>
      count === 1 ? succeed(heard, response) : void response.writeHead(429).end(),
    );
    const client = http(server.url, { attempts: 1 });
    await client.connect();
    await client.listTools();
    const typed = { name: 'typed', arguments: { order: 7 } };
    expect(await client.call(typed, UNDER)).toMatchObject({
      fault: { kind: 'invalid_output', executed: 'yes' },
    });
    expect(await client.call(typed, UNDER)).toMatchObject({
      fault: { kind: 'rate_limited', executed: 'maybe' },
    });
    await client.close();
  });

  it('is told so when it is not sent', async () => {
    await using server = await scriptedHttp((_, response) => void response.destroy());
    const client = http(server.url, { attempts: 1 });
    await client.connect();
    await client.call(PAY, UNDER);
    const signal = AbortSignal.abort();
    const aborted = await client.call(PAY, { ...UNDER, signal } as never);
    expect(aborted).toMatchObject({ ok: false, attempts: 0, fault: { executed: 'maybe' } });
    await client.close();
  });

  it('is told so while the other one is under way', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await using server = await scriptedHttp(async (heard, response, count) => {
      if (count > 1) return void response.writeHead(429).end();
      await held;
      succeed(heard, response);
    });
    const client = http(server.url, { attempts: 1 });
    await client.connect();
    const first = client.call(PAY, UNDER);
    await expect.poll(() => server.heard.some(({ method }) => method === 'tools/call')).toBe(true);
    expect(await client.call(PAY, UNDER)).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    release();
    expect(await first).toMatchObject({ ok: true });
    await client.close();
  });
});
