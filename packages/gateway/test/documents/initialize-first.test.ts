/** A document that serves nothing before the handshake, in front of a server that would. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, open, post, STDIO_SERVER, settingsOf } from '../tools.ts';

afterEach(cleanUp);

const INITIALIZE = call('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
});

it.each(['a/mcp', 'mcp'])(
  'ER-28 nothing is served at %s before `initialize` in erlmcp',
  async (path) => {
    const { url } = await open({ dialect: 'erlmcp', upstreams: { a: STDIO_SERVER } });
    for (const message of [callTool('echo'), call('tools/list')])
      expect((await post(`${url}/${path}`, message)).message.error).toMatchObject({
        code: -32005,
        message: 'Server not initialized',
        data: { phase: 'pre_initialization' },
      });
    expect((await post(`${url}/${path}`, call('ping'))).message.error?.code).not.toBe(-32005);
    const { headers } = await post(`${url}/${path}`, INITIALIZE);
    const session = { 'mcp-session-id': String(headers.get('mcp-session-id')) };
    expect((await post(`${url}/${path}`, call('tools/list'), session)).message.error?.code).not.toBe(-32005);
  },
  30_000,
);

it('ER-28 a reload that changes nothing but the dialect counts', async () => {
  const upstreams = { a: STDIO_SERVER };
  const gateway = await open({ upstreams });
  const codes = async () =>
    Promise.all(
      ['a/mcp', 'mcp'].map(
        async (path) => (await post(`${gateway.url}/${path}`, call('tools/list'))).message.error?.code,
      ),
    );
  expect(await codes()).not.toContain(-32005);
  gateway.reload(settingsOf({ upstreams, dialect: 'erlmcp' }));
  expect(await codes()).toEqual([-32005, -32005]);
  gateway.reload(settingsOf({ upstreams: { a: { ...STDIO_SERVER, dialect: 'mayday' } }, dialect: 'erlmcp' }));
  expect((await codes())[0]).not.toBe(-32005);
});

it('and is where they have not', async () => {
  const { url } = await open({ upstreams: { a: STDIO_SERVER } });
  const { message } = await post(`${url}/a/mcp`, call('tools/list'));
  expect(JSON.stringify(message)).not.toContain('Server not initialized');
});
