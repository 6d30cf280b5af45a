/** What a server refuses in the words of its SDK, and erlmcp has codes of its own for. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, upstream } from '../tools.ts';

let url: string;

beforeAll(async () => {
  const server = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body) as {
      id: number;
      method: string;
      params: { uri?: string };
    };
    const error = { code: -32601, message: 'Method not found' };
    const bad = BAD[params?.uri ?? ''];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ jsonrpc: '2.0', id, error: method === 'resources/read' ? (bad ?? error) : error }),
    );
  });
  // As SDK v2 has it, with what the gateway has put in.
  const strict = await upstream((body, response) => {
    const missing = ['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities'];
    const message = `Invalid params: the MCP-Protocol-Version header names protocol revision 2026-07-28, but the request is missing the required per-request envelope key(s): ${missing.join(', ')}`;
    const error = { code: -32602, message, data: { envelope: { missing } } };
    json(response, 400, { jsonrpc: '2.0', id: JSON.parse(body).id, error });
  });
  url = (await open({ upstreams: { plain: { url: server.url }, strict: { url: strict.url } } })).url;
});
afterAll(cleanUp);

const BAD: { readonly [uri: string]: object } = {
  'not-a-valid-uri': {
    code: -32602,
    message: 'Resource URI not-a-valid-uri is invalid',
    data: { reason: 'invalid_uri' },
  },
  nowhere: { code: -32603, message: 'Invalid URL' },
  'data://r': { code: -32603, message: 'Invalid URL' },
};

async function asked(method: string, params: object, dialect = 'erlmcp') {
  return (await post(`${url}/plain/mcp`, call(method, params), { 'mayday-dialect': dialect })).message.error;
}

it.each([
  ['logging/setLevel', { level: 'debug' }, 'logging'],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } },
    'completions',
  ],
  ['prompts/list', {}, 'prompts'],
  ['resources/list', {}, 'resources'],
  ['resources/subscribe', { uri: 'data://r' }, 'resources.subscribe'],
  ['tasks/get', { taskId: 'f47ac10b-58cc-4372-a567-0e02b2c3d479' }, 'tasks'],
])('ER-27 %s is said of the capability that is not declared', async (method, params, capability) => {
  const error = await asked(method, params);
  expect(error).toMatchObject({ code: -32004, message: 'Capability not supported', data: { capability } });
});

it('ER-21 a method that stands on no capability is not found', async () => {
  expect(await asked('no/such', {})).toMatchObject({ code: -32601, data: { method: 'no/such' } });
});

it.each(['closient', 'onx', 'qaqnuz', 'platica', 'mayday'])(
  'an undeclared method stays -32601 where the document has no code for it: %s',
  async (dialect) => {
    expect(await asked('logging/setLevel', { level: 'debug' }, dialect)).toMatchObject({ code: -32601 });
  },
);

it.each(['not-a-valid-uri', 'nowhere'])('ER-40 %s is no address, whatever SDK says so', async (uri) => {
  const error = await asked('resources/read', { uri });
  expect(error).toMatchObject({
    code: -32022,
    message: 'Invalid URI',
    data: { uri, reason: 'missing_scheme' },
  });
});

it.each([
  ['erlmcp', -32602, 'Invalid params'],
  ['onx', -32602, 'Invalid params'],
  ['platica', -32602, expect.stringContaining('io.modelcontextprotocol/protocolVersion')],
])('ER-22 PL-18 EM-24 a stateless request without its envelope, in %s', async (dialect, code, message) => {
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const answer = await post(`${url}/strict/mcp`, body, { ...headers, 'mayday-dialect': dialect });
  expect([answer.status, answer.message]).toMatchObject([400, { id: 1, error: { code, message } }]);
});

it('an address that is one is not blamed for what a server says', async () => {
  expect(await asked('resources/read', { uri: 'data://r' })).not.toMatchObject({ code: -32022 });
});
