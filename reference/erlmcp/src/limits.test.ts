import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { localClient, memberClient, rawClient } from '../test/app.ts';

const PING = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
const DEFAULT_LIMIT = 16_777_216;

describe('limits', () => {
  it('ER-75 a description of 10,000 characters passes, 10,001 do not', async () => {
    const { call } = await memberClient();
    const define = (description: string, name = 'greet') =>
      call('tools/call', { name: 'define_tool', arguments: { name, description, text: 'Hi' } });
    expect((await define('x'.repeat(10_000))).result).toBeDefined();
    expect((await define('🙂'.repeat(10_000), 'smile')).result).toBeDefined();
    expect((await define('x'.repeat(10_001))).error).toEqual({
      code: -32011,
      message: 'Tool description exceeds maximum length',
      data: { actual_length: 10_001, max_length: 10_000 },
    });
    expect((await call('tools/call', { name: 'greet' })).result).toEqual({
      content: [{ type: 'text', text: 'Hi' }],
    });
  });

  it('ER-76 a message of 16,777,216 bytes passes, one more byte does not', async () => {
    const client = rawClient('--data', tempFolder());
    client.raw(PING.padEnd(DEFAULT_LIMIT));
    expect(await client.answerTo(7)).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    client.raw(PING.padEnd(DEFAULT_LIMIT + 1));
    expect(await client.answerTo(7)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: -32012,
        message: 'Message size exceeds maximum allowed',
        data: { actual_size: DEFAULT_LIMIT + 1, max_size: DEFAULT_LIMIT, unit: 'bytes' },
      },
    });
    client.raw(PING);
    expect(await client.answerTo(7)).toMatchObject({ result: {} });
  });

  it('ER-76 counts bytes, not characters, and the limit can be set', async () => {
    const client = rawClient('--data', tempFolder(), '--max-message-bytes', '100');
    const withText = (text: string) =>
      `{"jsonrpc":"2.0","params":{"x":"${text}"},"method":"ping","id":"last"}`;
    const room = 100 - Buffer.byteLength(withText(''));
    client.raw(withText('x'.repeat(room)));
    expect(await client.answerTo('last' as never)).toMatchObject({ result: {} });
    client.raw(withText(`${'x'.repeat(room - 1)}é`));
    expect(await client.answerTo('last' as never)).toMatchObject({
      error: { code: -32012, data: { actual_size: 101, max_size: 100 } },
    });
  });

  it('ER-33 the window rolls: the next request fits when the first is old enough', async () => {
    const { call, clock } = await localClient({ rateLimit: 2, rateWindowMs: 60_000 });
    clock.advance(30_000);
    await call('ping');
    expect((await call('ping')).error).toMatchObject({
      code: -32010,
      data: { limit: 2, window: 60, retry_after: 30 },
    });
    clock.advance(30_000);
    expect((await call('ping')).result).toEqual({});
  });
});
