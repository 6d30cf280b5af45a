import { tempFolder } from '@mayday/reference-shared/testing';
import { describe, expect, it } from 'vitest';
import { localClient, rawClient } from '../test/app.ts';

describe('the life of a session', () => {
  it('ER-28 nothing but ping before initialize, and nothing between initialize and initialized', async () => {
    const client = rawClient('--data', tempFolder());
    expect((await client.call('ping')).result).toEqual({});
    expect((await client.call('tools/list')).error?.data).toEqual({ phase: 'pre_initialization' });
    await client.initialize({ initialized: false });
    expect((await client.call('tools/list')).error?.data).toEqual({ phase: 'awaiting_initialized' });
    client.raw('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    expect((await client.call('tools/list')).result).toBeDefined();
    expect((await client.initialize()).error).toMatchObject({ code: -32600, data: 'Already initialized' });
  });

  it('ER-19 malformed JSON, bytes that are no UTF-8 and truncated messages each get an answer', async () => {
    const client = rawClient('--data', tempFolder());
    const data = async (bytes: string | Buffer) => {
      client.raw(bytes);
      return (await client.answerTo(null)).error?.data;
    };
    expect(await data('{"a":1,}')).toBe('Unexpected token at position 7');
    expect(await data(Buffer.from([0x7b, 0x22, 0xc3, 0x28]))).toBe('Invalid UTF-8 at byte 2');
    expect(await data('{"jsonrpc":"2.0","id":1')).toMatch(
      /^Unexpected (?:end of input|token at position 23)$/,
    );
    expect(await data('my password is hunter2')).toBe('The line is not valid JSON');
  });

  it.each([
    ['a list in a string', '"hello"', 'It is not a JSON-RPC 2.0 message'],
    ['no version', { id: 1, method: 'ping' }, 'Missing required field: jsonrpc'],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }, 'The field jsonrpc must be "2.0"'],
    ['no method', { jsonrpc: '2.0', id: 1 }, 'Missing required field: method'],
    ['a number as method', { jsonrpc: '2.0', id: 1, method: 5 }, 'The field method must be a string'],
    [
      'an object as id',
      { jsonrpc: '2.0', id: {}, method: 'ping' },
      'The field id must be a string or a whole number',
    ],
    [
      'null as id',
      { jsonrpc: '2.0', id: null, method: 'ping' },
      'The field id must be a string or a whole number',
    ],
    ['an empty batch', [], 'Empty batch'],
  ])('ER-20 refuses %s', async (_what, message, data) => {
    const { receive } = await localClient();
    expect(await receive(message)).toMatchObject({
      error: { code: -32600, message: 'Invalid Request', data },
    });
  });

  it('answers a batch in one message, notifications aside', async () => {
    const { receive } = await localClient();
    const answer = await receive([
      { jsonrpc: '2.0', id: 'a', method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/unheard-of' },
      { jsonrpc: '2.0', id: 'b', method: 'nope' },
      5,
    ]);
    expect(answer).toMatchObject([
      { id: 'a', result: {} },
      { id: 'b', error: { code: -32601, data: { method: 'nope' } } },
      { id: null, error: { code: -32600, data: 'It is not a JSON-RPC 2.0 message' } },
    ]);
  });

  it('ER-46 a server that is told to stop cancels what runs, and says so', async () => {
    const client = rawClient('--data', tempFolder());
    await client.initialize();
    const id = client.post('tools/call', { name: 'wait', arguments: { ms: 600_000 } });
    await client.call('ping');
    await Promise.all([
      client.end('SIGTERM'),
      expect(client.answerTo(id)).resolves.toMatchObject({
        error: { code: -32033, data: { tool: 'wait', reason: 'server_shutdown' } },
      }),
    ]);
  });
});
