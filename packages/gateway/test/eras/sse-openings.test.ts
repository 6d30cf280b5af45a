/** Servers over the transport of 2024-11-05 that cannot be opened: whoever calls is told once, and why. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, INITIALIZE, later, open, post } from '../tools.ts';

afterEach(cleanUp);

interface Kind {
  /** What the stream says first. */
  readonly says: string;
  readonly onPost: (response: ServerResponse) => void;
}

async function serve({ says, onPost }: Kind): Promise<{ url: string; streams: () => number }> {
  let streams = 0;
  const server = createServer((request, response) => {
    if (request.method === 'POST') onPost(response);
    else {
      streams++;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(says);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, streams: () => streams };
}

const ADDRESS = 'event: endpoint\ndata: /messages\n\n';
const taken = (response: ServerResponse): unknown => response.writeHead(202).end();

it.each([
  [
    'names no address',
    ': hello\n\n',
    'The server did not name the address for messages within 1 s (`open_timeout_ms`)',
  ],
  [
    'does not answer',
    ADDRESS,
    'The server did not answer when it was opened, within 1 s (`open_timeout_ms`)',
  ],
])('one that %s is waited for once', async (_what, says, message) => {
  const { url, streams } = await serve({ says, onPost: taken });
  const silent = { url, transport: 'sse' as const, open_timeout_ms: 1000 };
  for (const [path, tool] of [
    ['/silent/mcp', 'pay'],
    ['/mcp', 'silent_pay'],
  ] as const) {
    const gateway = await open({ upstreams: { silent } });
    const before = streams();
    const fault = faultIn(await post(`${gateway.url}${path}`, callTool(tool)));
    expect(fault).toMatchObject({ kind: 'timeout', executed: 'no', details: { address: url } });
    expect(fault).toMatchObject({
      message: expect.stringContaining(message),
      advice: expect.stringContaining('open_timeout_ms'),
    });
    expect(streams() - before).toBe(1);
  }
});

const OPEN_MS = 1500;

it.each(['/mcp', '/desk/mcp'])('one that is silent is waited for once in a session at %s', async (path) => {
  const { url } = await serve({ says: ': hello\n\n', onPost: taken });
  const gateway = await open({
    upstreams: { silent: { url, transport: 'sse', open_timeout_ms: OPEN_MS } },
    virtual: { desk: { tools: ['silent/*'] } },
    joined: { part_timeout_ms: 100 },
  });
  const at = `${gateway.url}${path}`;
  for (const _session of ['first', 'second']) {
    const { headers } = await post(at, INITIALIZE);
    const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
    const asked = async (): Promise<number> => {
      const since = Date.now();
      const fault = faultIn(await post(at, callTool('silent_pay'), session));
      expect(fault).toMatchObject({ kind: 'timeout', executed: 'no', details: { address: url } });
      expect(fault).toMatchObject({ advice: expect.stringContaining('open_timeout_ms') });
      return Date.now() - since;
    };
    expect(await asked()).toBeLessThan(1.6 * OPEN_MS);
    // From then on at once, whatever is tried meanwhile.
    for (let i = 0; i < 2; i++) expect(await asked()).toBeLessThan(0.5 * OPEN_MS);
  }
});

it('one that does not take the opening is told of in its own words', async () => {
  const onPost = (response: ServerResponse): unknown => response.writeHead(400).end('no tenant named acme');
  const { url } = await serve({ says: ADDRESS, onPost });
  const gateway = await open({ upstreams: { refuses: { url, transport: 'sse', retry: { attempts: 1 } } } });
  const fault = faultIn(await post(`${gateway.url}/refuses/mcp`, callTool('pay')));
  expect(fault).toMatchObject({ executed: 'no', message: expect.stringContaining('no tenant named acme') });
});
