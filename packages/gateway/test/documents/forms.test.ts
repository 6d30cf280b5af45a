/** What the gateway says on its own account, in the form that each document has for it. */
import { request as rawRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { call, callTool, cleanUp, idIn, json, open, post, STDIO_SERVER, upstream } from '../tools.ts';

afterEach(cleanUp);

const SERVER = { upstreams: { a: STDIO_SERVER } };
const asking = (dialect: string): { [name: string]: string } => ({ 'mayday-dialect': dialect });

describe('a tool that no upstream has', () => {
  it.each([
    ['erlmcp', { code: -32002, message: 'Tool not found', data: { tool: 'nope' } }],
    ['onx', { code: -32602, message: 'Invalid params', data: { field: 'name', reason: 'unknown_tool' } }],
    ['platica', { code: -32602, message: 'Unknown tool: nope' }],
  ])('%s', async (dialect, error) => {
    const { url } = await open(SERVER);
    const { status, message } = await post(`${url}/mcp`, callTool('nope'), asking(dialect));
    expect([status, message]).toEqual([200, { jsonrpc: '2.0', id: 1, error }]);
  });

  it('qaqnuz', async () => {
    const { url } = await open(SERVER);
    const { message } = await post(`${url}/mcp`, callTool('nope'), asking('qaqnuz'));
    const content = [{ type: 'text', text: 'This tool is not available for your key.' }];
    expect(message.result).toMatchObject({ isError: true, content });
  });
});

describe('a body that is no JSON', () => {
  it.each([
    ['closient', -32100, 'Bad Request'],
    ['onx', -32700, 'Parse error'],
    ['erlmcp', -32700, 'Parse error'],
    ['qaqnuz', -32700, 'The body is not valid JSON'],
    ['platica', -32602, 'The body is not valid JSON'],
  ])('%s: an error with id null', async (dialect, code, message) => {
    const { url } = await open(SERVER);
    for (const path of ['/a/mcp', '/mcp']) {
      const answer = await post(`${url}${path}`, '{"jsonrpc": "2.0", "id": 1,', asking(dialect));
      expect(answer.status).toBe(400);
      expect(answer.message).toMatchObject({ jsonrpc: '2.0', id: null, error: { code, message } });
      expect(answer.message).not.toHaveProperty('result');
    }
  });
});

it('erlmcp: a name that is no text is told as a parameter', async () => {
  const { url } = await open(SERVER);
  const { message } = await post(`${url}/a/mcp`, call('tools/call', { name: 7 }), asking('erlmcp'));
  const data = { details: 'name: Expected a text' };
  expect(message.error).toEqual({ code: -32602, message: 'Invalid params', data });
});

describe('who is not let in', () => {
  it.each([
    ['closient', -32002],
    ['onx', -32600],
    ['erlmcp', -32056],
    ['qaqnuz', -32600],
    ['platica', -32602],
  ])('%s: a Host that is not served', async (dialect, code) => {
    const { url } = await open({ ...SERVER, dialect });
    const answer = await knock(`${url}/a/mcp`, { host: 'evil.example' });
    expect(answer).toMatchObject({ status: 403, body: { jsonrpc: '2.0', id: null, error: { code } } });
  });

  it.each([
    ['erlmcp', 'POST, GET, DELETE', { code: -32600, message: 'Invalid Request' }],
    ['onx', 'POST, GET, DELETE', { code: -32600, message: 'Invalid request' }],
    ['platica', 'POST', { code: -32000 }],
  ])('%s: a method of HTTP that is not served', async (dialect, allowed, error) => {
    const { url } = await open(SERVER);
    const answer = await fetch(`${url}/a/mcp`, { method: 'PUT', headers: asking(dialect) });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
    expect(await answer.json()).toMatchObject({ id: null, error });
  });

  it('erlmcp: more than is taken', async () => {
    const { url } = await open({ ...SERVER, limits: { body_bytes: 2000 } });
    const large = call('echo', { say: 'x'.repeat(5000) });
    const { status, message } = await post(`${url}/a/mcp`, large, asking('erlmcp'));
    const data = { actual_size: JSON.stringify(large).length, max_size: 2000, unit: 'bytes' };
    const error = { code: -32012, message: 'Message size exceeds maximum allowed', data };
    expect([status, message.error]).toEqual([413, error]);
  });

  it('platica: nobody without a key', async () => {
    const keys = [{ name: 'me', key: 'a-long-secret' }];
    const { url } = await open({ ...SERVER, keys, dialect: 'platica' });
    const { status, message, headers } = await post(`${url}/a/mcp`, call('echo'));
    expect([status, message.error?.code]).toEqual([401, -32001]);
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it('problem: a document under the status of the door', async () => {
    const { url } = await open(SERVER);
    const answer = await fetch(`${url}/nowhere`, { headers: asking('problem') });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(await answer.json()).toMatchObject({ status: 404 });
  });

  it('the dialect of a key comes before that of its upstream', async () => {
    const keys = [{ name: 'me', key: 'a-long-secret', dialect: 'onx', upstreams: ['a'] }];
    const { url } = await open({ ...SERVER, keys, dialect: 'platica' });
    const { status, message } = await post(`${url}/mcp`, call('echo'), {
      authorization: 'Bearer a-long-secret',
    });
    expect([status, message.error]).toEqual([
      403,
      {
        code: -32600,
        message: 'Invalid request',
        data: {
          reason: 'forbidden',
          'dev.mayday/error': { kind: 'forbidden', message: 'This key is not for this endpoint; try /a/mcp' },
        },
      },
    ]);
  });

  it('operators’ endpoints speak the gateway’s own', async () => {
    const keys = [{ name: 'me', key: 'a-long-secret' }];
    const { url } = await open({ ...SERVER, keys, dialect: 'erlmcp' });
    const answer = await fetch(`${url}/-/status`);
    expect(await answer.json()).toMatchObject({ error: { data: { kind: 'unauthenticated' } } });
  });
});

it.each(['closient', 'qaqnuz'])(
  '%s: what fails outside of tools is an error, never a result',
  async (dialect) => {
    const { url } = await upstream((body, response) =>
      json(response, 200, {
        jsonrpc: '2.0',
        id: idIn(body),
        error: { code: -32002, message: 'Resource not found' },
      }),
    );
    const gateway = await open({ upstreams: { a: { url } } });
    const asked = call('resources/read', { uri: 'note://x' });
    const { message } = await post(`${gateway.url}/a/mcp`, asked, asking(dialect));
    expect(message).not.toHaveProperty('result');
    expect(message.error?.code).toBeLessThan(-32000);
  },
);

/** `fetch` sets the Host itself. */
function knock(url: string, headers: { [name: string]: string }): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve) => {
    const request = rawRequest(url, { method: 'POST', headers });
    request.on('response', async (response) => {
      const chunks: Buffer[] = await response.toArray();
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      resolve({ status: response.statusCode ?? 0, body });
    });
    request.end('{}');
  });
}
