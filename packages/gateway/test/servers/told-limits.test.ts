/** Whoever waited in vain is told, with the operator, by which setting and for how long: that is the one to change. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, later, open, post } from '../tools.ts';

afterEach(cleanUp);

const DOCUMENT = {
  openapi: '3.0.0',
  info: { title: 'api', version: '1' },
  paths: { '/go': { post: { operationId: 'go', responses: { 200: { description: 'fine' } } } } },
};

/** Never answers, except for its document. */
async function silent(): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/document')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(DOCUMENT));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers `initialize` and lists, and no call. `reports`: with progress. */
const SERVER = `
const told = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
const results = { initialize: told, 'tools/list': { tools: [{ name: 'go', inputSchema: { type: 'object' } }] } };
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = results[method];
  if (id !== undefined && result !== undefined) return say({ id, result });
  const progressToken = params?._meta?.progressToken;
  if (progressToken !== undefined)
    setInterval(() => say({ method: 'notifications/progress', params: { progressToken, progress: 1 } }), 100);
});
`;
const HANGS = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
const RUNS = { command: process.execPath, args: ['-e', SERVER] };
const BY_MAX = { timeout_ms: 300, open_timeout_ms: 50_000, max_time_ms: 3000 };
const BY_CALL = { timeout_ms: 3000, max_time_ms: 60_000 };

it.each(['/one/mcp', '/mcp'])('at %s', { timeout: 30_000 }, async (path) => {
  const url = await silent();
  const api = { openapi: `${url}/document`, base_url: url };
  const gateway = await open({
    upstreams: {
      one: { ...HANGS, ...BY_MAX },
      running: { ...RUNS, ...BY_CALL },
      working: { ...RUNS, ...BY_MAX, timeout_ms: 2500 },
      web: { url, open_timeout_ms: 50_000, timeout_ms: 60_000, max_time_ms: 3000 },
      api: { ...api, timeout_ms: 60_000, max_time_ms: 3000 },
      late: { ...api, ...BY_CALL },
    },
  });
  const told = async (name: string, meta?: object): Promise<unknown> => {
    const [at, tool] = path === '/mcp' ? [path, `${name}_go`] : [`/${name}/mcp`, 'go'];
    const fault = faultIn(await post(gateway.url + at, call('tools/call', { name: tool, ...meta })));
    const details = (fault?.['details'] ?? {}) as { timeout_ms?: number; setting?: string };
    const logged = gateway.logs.filter((line) => line.includes(`upstream=${name} `)).join();
    const ms = /within 3 s \(`(\w+)`\)/;
    return [
      details.timeout_ms,
      details.setting,
      ms.exec(String(fault?.['message']))?.[1],
      ms.exec(logged)?.[1],
    ];
  };
  const names = ['one', 'web', 'api', 'running', 'late'];
  const all = [...names.map((name) => told(name)), told('working', { _meta: { progressToken: 'mine' } })];
  const max = [3000, 'max_time_ms', 'max_time_ms', 'max_time_ms'];
  const own = [3000, 'timeout_ms', 'timeout_ms', 'timeout_ms'];
  expect(await Promise.all(all)).toEqual([max, max, max, own, own, max]);
});

it('advises to change the setting that has ended it', { timeout: 30_000 }, async () => {
  const gateway = await open({ upstreams: { one: { ...HANGS, ...BY_MAX } } });
  const fault = faultIn(await post(`${gateway.url}/one/mcp`, callTool('go')));
  expect(fault).toMatchObject({ advice: expect.stringContaining('give it more time with `max_time_ms`') });
});
