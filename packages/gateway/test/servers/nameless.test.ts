/** Processes that answer without saying what: what was said is told, and ends nobody else's call. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, INITIALIZE, open, post } from '../tools.ts';

afterEach(cleanUp);

/** `bare` is answered by an error that names nothing. */
const BARE = `
  const say = (said) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...said }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const { protocolVersion, name } = params ?? {};
    const tools = [{ name: 'bare', inputSchema: { type: 'object' } }];
    if (method === 'initialize') say({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'b', version: '1' } } });
    else if (method === 'tools/list') say({ id, result: { tools } });
    else if (name !== undefined) say({ id: null, error: { code: -32700, message: 'Parse error: no seat left, password=hunter2hunter2' } });
  });
`;

it.each(['/s/mcp', '/mcp'])(
  'tells when a call is given up what may have been its answer (%s)',
  async (path) => {
    const gateway = await open({
      upstreams: { s: { command: process.execPath, args: ['-e', BARE], timeout_ms: 700, breaker: false } },
    });
    const url = gateway.url + path;
    const session = {
      'mcp-session-id': (await post(url, INITIALIZE)).headers.get('mcp-session-id') ?? '',
    };
    await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    const bare = callTool(path === '/mcp' ? 's_bare' : 'bare');
    expect(faultIn(await post(url, bare, session))).toMatchObject({
      kind: 'timeout',
      executed: 'maybe',
      // The words are in the arguments of the process too, and are hidden as such first.
      message: expect.stringMatching(
        /^The server did not answer within 700 ms \(`timeout_ms`\); while the call waited, the server said without naming a request: Parse error: no seat left, password=\[hidden\]$/,
      ),
    });
    expect(faultIn(await post(url, bare, session))).toMatchObject({
      executed: 'maybe',
      native: { code: -32700 },
    });
  },
);
