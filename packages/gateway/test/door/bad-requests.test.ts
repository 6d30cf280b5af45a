/** What the transport of an SDK does not take, under HTTP 400: the request is wrong, in every document's own way. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

async function told(message: string, dialect: string) {
  const server = await upstream((_body, response) =>
    json(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32000, message } }),
  );
  const gateway = await open({ upstreams: { a: { url: server.url } } });
  return await post(`${gateway.url}/a/mcp`, call('tools/list'), { 'mayday-dialect': dialect });
}

const VERSION =
  'Bad Request: Unsupported protocol version: 1999-01-01 (supported versions: 2025-11-25, 2025-06-18)';
const NOT_INITIALIZED = 'Bad Request: Server not initialized';

// biome-ignore format: a table
it.each([
  ['closient', VERSION, { code: -32100, message: 'Bad Request', data: { status: 400, error_code: 'bad_request', retryable: false } }],
  ['closient', NOT_INITIALIZED, { code: -32100, message: 'Bad Request', data: { status: 400, error_code: 'bad_request', retryable: false } }],
  ['onx', VERSION, { code: -32600, message: 'Invalid request' }],
  ['onx', NOT_INITIALIZED, { code: -32600, message: 'Invalid request' }],
  ['erlmcp', VERSION, { code: -32061, message: 'Unsupported protocol version', data: { requested_version: '1999-01-01', supported_versions: ['2025-11-25', '2025-06-18'] } }],
  ['erlmcp', NOT_INITIALIZED, { code: -32005, message: 'Server not initialized' }],
  ['qaqnuz', VERSION, { code: -32600 }],
  ['platica', VERSION, { code: -32602 }],
])('%s: %s', async (dialect, words, error) => {
  const { status, message } = await told(words, dialect);
  expect([status, message.id]).toEqual([400, 1]);
  expect(message.error).toMatchObject(error);
});
