/** Outside of tools onX has five names: what a server said and its name does not is the reason beside it, and is read back. */
import { language } from '@mayday/core';
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

async function told(asked: object, error: object) {
  const { url } = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, error }),
  );
  const gateway = await open({ upstreams: { a: { url, retry: { attempts: 1 } } } });
  return (await post(`${gateway.url}/a/mcp`, asked, { 'mayday-dialect': 'onx' })).message;
}

const ref = { type: 'ref/prompt', name: 'p' };

describe.each([
  call('resources/read', { uri: 'note://a' }),
  call('prompts/get', { name: 'p', arguments: { q: 'x' } }),
  call('completion/complete', { ref, argument: { name: 'q', value: 'x' } }),
])('%j', (asked) => {
  // biome-ignore format: a table
  it.each([
    [{ code: -32700, message: 'Own words' }, -32602, 'parse_error'],
    [{ code: -32600, message: 'Own words' }, -32602, 'invalid_request'],
    [{ code: -32603, message: 'Own words', data: { kind: 'forbidden', executed: 'no', retryable: false, message: 'Own words' } }, -32600, 'forbidden'],
    [{ code: -32603, message: 'Own words', data: { kind: 'timeout', executed: 'maybe', retryable: false, message: 'Own words' } }, -32603, 'timeout'],
    [{ code: -32603, message: 'Own words', data: { kind: 'conflict', executed: 'no', retryable: false, message: 'Own words' } }, -32602, 'conflict'],
  ])('%j', async (error, code, reason) => {
    const message = await told(asked, error);
    expect(message.error).toMatchObject({ code, data: { reason } });
    expect(language.read(message, { from: 'onx' })).toMatchObject({ fault: { kind: reason } });
  });

  it('says nothing beside a name that says it all', async () => {
    const { error } = await told(asked, { code: -32603, message: 'Internal error' });
    expect([error?.code, error?.data?.['reason']]).toEqual([-32603, undefined]);
  });
});
