/** Whoever calls a tool by its joined name hears of it by that name, and what else there is by theirs. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { serveSessions } from '../../test/sdk-server.ts';
import {
  binOf,
  call,
  callTool,
  cleanUp,
  faultIn,
  INITIALIZE,
  open,
  type Posted,
  post,
} from '../../test/tools.ts';

afterEach(cleanUp);

function library(): McpServer {
  const server = new McpServer({ name: 'library', version: '1' });
  server.registerTool('add', { inputSchema: { title: z.string() } }, async () => {
    throw new Error('cannot add that, tool add is tired');
  });
  server.registerTool('ship', {}, async () => {
    throw new Error('Service unavailable: 503');
  });
  server.registerPrompt('summary', {}, async () => ({ messages: [] }));
  return server;
}

async function house(): Promise<(message: object) => Promise<Posted>> {
  const { url } = await serveSessions(library);
  const args = [binOf('@modelcontextprotocol/server-filesystem'), '/tmp'];
  const files = { command: process.execPath, args };
  const gateway = await open({ upstreams: { lib: { url }, files } });
  return (message) => post(`${gateway.url}/mcp`, message);
}

it.each(['before', 'after'])('suggests a tool %s the tools were listed', async (when) => {
  const ask = await house();
  if (when === 'after') await ask(call('tools/list'));
  const posted = await ask(callTool('files_read_text_fil'));
  expect(faultIn(posted)).toMatchObject({
    kind: 'not_found',
    subject: { type: 'tool', id: 'files_read_text_fil' },
    message: 'Tool files_read_text_fil not found',
    advice: 'Did you mean files_read_text_file? List the tools to see their names.',
  });
  expect(posted.text).not.toMatch(/[^_]read_text_fil\b/);
});

it('says what names begin with where the beginning is that of no server, and takes it for none', async () => {
  const ask = await house();
  await ask(call('tools/list'));
  expect(faultIn(await ask(callTool('file_read_text_file')))).toMatchObject({
    message: 'Unknown tool: file_read_text_file',
    advice: 'Names begin with the name of an upstream. List the tools to see their names.',
  });
});

it('suggests a prompt', async () => {
  const posted = await (await house())(call('prompts/get', { name: 'lib_sumary' }));
  expect(faultIn(posted)).toMatchObject({
    subject: { type: 'prompt', id: 'lib_sumary' },
    advice: 'Did you mean lib_summary? List the prompts to see their names.',
  });
  expect(posted.text).not.toMatch(/[^_]sumary\b/);
});

it('renames what is said to be the tool, and no other word', async () => {
  const ask = await house();
  expect((await ask(callTool('lib_add', {}))).text).toContain('Invalid arguments for tool lib_add');
  const { text } = await ask(callTool('lib_add', { title: 'x' }));
  expect(text).toContain('cannot add that, tool lib_add is tired');
});

it.each([
  ['joined', '/mcp', 'lib_ship'],
  ['renamed', '/other/mcp', 'put'],
  ['joined and renamed', '/mcp', 'other_put'],
])('tells of a tool that is left alone by the name of whoever calls it: %s', async (_, path, name) => {
  const { url } = await serveSessions(library);
  const breaker = { failures: 2, open_ms: 60_000 };
  const gateway = await open({
    upstreams: { lib: { url, breaker }, other: { url, breaker, tools: { rename: { ship: 'put' } } } },
  });
  const at = `${gateway.url}${path}`;
  const session = { 'mcp-session-id': (await post(at, INITIALIZE)).headers.get('mcp-session-id') ?? '' };
  const ask = () => post(at, callTool(name), session);
  for (let made = 0; made < 4; made++) await ask();
  const fault = faultIn(await ask());
  expect(fault).toMatchObject({
    subject: { type: 'tool', id: name },
    message: `Not sent: the tool ${name} has failed repeatedly and is left alone for now; the last time: Service unavailable: 503`,
  });
  expect(JSON.stringify(fault)).not.toMatch(/\btool ship\b/);
});
