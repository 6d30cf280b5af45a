/** What the revision of a call does not have is a method that is not there, whatever task it names; its server is not asked. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function bank() {
  const asked: string[] = [];
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{}');
    asked.push(method);
    json(response, 200, { jsonrpc: '2.0', id, result: { resultType: 'complete', tools: [], tasks: [] } });
  });
  const gateway = await open({ upstreams: { bank: { url } } });
  return { url: gateway.url, asked };
}

const ID = 'f47ac10b-58cc-4372-a567-0e02b2c3d479';

it.each([
  ['/bank/mcp', 'tasks/result', { taskId: 't' }],
  ['/bank/mcp', 'tasks/result', { taskId: ID }],
  ['/bank/mcp', 'tasks/result', {}],
  ['/bank/mcp', 'tasks/list', {}],
  ['/mcp', 'tasks/result', { taskId: 't' }],
  ['/mcp', 'tasks/result', { taskId: ID }],
  ['/mcp', 'tasks/result', {}],
  ['/mcp', 'tasks/list', {}],
  ['/mcp', 'resources/subscribe', { uri: 'a://b' }],
])('2026-07-28 at %s has no %s %j', async (path, method, params) => {
  const { url, asked } = await bank();
  const name = 'taskId' in params ? { 'mcp-name': params.taskId } : {};
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name };
  const { status, message } = await post(
    `${url}${path}`,
    call(method, { ...params, _meta: META }),
    headers as { [name: string]: string },
  );
  expect([status, message.error?.code]).toEqual([404, -32601]);
  expect(message.error?.data).toMatchObject({ kind: 'unsupported', executed: 'no' });
  expect(asked).not.toContain(method);
});

it.each([
  ['/bank/mcp', 'tasks/update', { taskId: 't' }],
  ['/bank/mcp', 'subscriptions/listen', { notifications: { taskIds: ['t'] } }],
  ['/mcp', 'tasks/update', { taskId: ID }],
  ['/mcp', 'tasks/update', {}],
  ['/mcp', 'subscriptions/listen', { notifications: { taskIds: ['t'] } }],
])('2025-11-25 at %s has no %s %j', async (path, method, params) => {
  const { url, asked } = await bank();
  const { message } = await post(`${url}${path}`, call(method, params));
  expect(message.error?.code).toBe(-32601);
  expect(message.error?.data).toMatchObject({ kind: 'unsupported', executed: 'no' });
  expect(asked).not.toContain(method);
});
