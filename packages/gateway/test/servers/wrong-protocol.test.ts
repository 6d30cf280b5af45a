/** A server that answers what opens a conversation in JSON, and not in JSON-RPC 2.0: clients would wait for ever. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, INITIALIZE, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const PROGRAM = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ id, result: { ok: true } }));
})`;

async function overHttp(): Promise<object> {
  const { url } = await upstream((body, response) => {
    const { id } = JSON.parse(body || '{}') as { id?: unknown };
    json(response, 200, { id, result: { ok: true } });
  });
  return { url };
}

it.each([
  ['a process, in a session of its own', '/odd/mcp', 'opening'],
  ['a process, without a session', '/odd/mcp', 'call'],
  ['a process, at the joined endpoint', '/mcp', 'joined'],
  ['over HTTP, in a session of its own', '/odd/mcp', 'opening'],
  ['over HTTP, at the joined endpoint', '/mcp', 'joined'],
])('%s', async (name, path, asked) => {
  const odd = name.startsWith('over HTTP')
    ? await overHttp()
    : { command: process.execPath, args: ['-e', PROGRAM] };
  const gateway = await open({ upstreams: { odd: odd as never } });
  const url = `${gateway.url}${path}`;
  const opened = asked === 'call' ? undefined : await post(url, INITIALIZE);
  const session = { 'mcp-session-id': opened?.headers.get('mcp-session-id') ?? '' };
  const tool = callTool(path === '/mcp' ? 'odd_go' : 'go');
  const answer = asked === 'opening' ? opened : await post(url, tool, opened && session);
  expect(answer && faultIn(answer)).toMatchObject({
    kind: 'misconfigured',
    executed: 'no',
    message: expect.stringMatching(/answered `initialize` with what is no JSON-RPC 2\.0: .*"ok"/),
    advice: name.startsWith('over HTTP')
      ? 'It does not speak MCP as it is addressed: correct its `url`, or update it.'
      : 'It does not speak MCP as it was started: correct its command, or update it.',
  });
});
