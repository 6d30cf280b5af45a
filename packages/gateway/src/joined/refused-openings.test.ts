/** A server among many that refuses to be opened: it is missing, and nothing of what it was to be asked was sent. */
import { afterEach, expect, it } from 'vitest';
import { namesIn, toolServer, toolsNamed } from '../../test/tool-server.ts';
import { call, callTool, cleanUp, faultIn, INITIALIZE, open, post } from '../../test/tools.ts';

afterEach(cleanUp);

/** Answers `initialize` with this error, and everything else as if it had been opened. */
function refusing(error: object): { command: string; args: string[] } {
  const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const what = method === 'initialize' ? { error: ${JSON.stringify(error)} } : { result: { content: [] } };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...what }));
  })`;
  return { command: process.execPath, args: ['-e', script] };
}

async function house(error: object, path: string) {
  const well = await toolServer(() => toolsNamed('go'));
  const gateway = await open({
    upstreams: { well: { url: well.url }, shut: refusing(error) },
    virtual: { desk: { tools: ['*/go'] } },
  });
  const url = `${gateway.url}${path}`;
  const { headers } = await post(url, INITIALIZE);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  const list = await post(url, call('tools/list'), session);
  const called = await post(url, callTool('shut_go'), session);
  return { list: list.message.result, called };
}

const OTHER = {
  code: -32022,
  message: 'Unsupported protocol version: 2025-11-25',
  data: { supported: ['2026-07-28'], requested: '2025-11-25' },
};

it.each(['/mcp', '/desk/mcp'])('of another revision, at %s', async (path) => {
  const { list, called } = await house(OTHER, path);
  expect(namesIn(list)).toEqual(['well_go']);
  expect(list?._meta).toEqual({ 'dev.mayday/unavailable': ['shut'] });
  expect(called.message.error).toBeUndefined();
  expect(faultIn(called)).toMatchObject({
    kind: 'misconfigured',
    executed: 'no',
    message: 'shut does not speak 2025-11-25, in which this session is',
  });
});

it.each(['/mcp', '/desk/mcp'])('for whoever is not logged in, at %s', async (path) => {
  const { list, called } = await house({ code: -32000, message: 'need login' }, path);
  expect(list?._meta).toEqual({ 'dev.mayday/unavailable': ['shut'] });
  expect(faultIn(called)).toMatchObject({ executed: 'no' });
  expect(called.text).toContain('need login');
  expect(called.text).not.toContain('may have happened');
});
