/** How deep messages may be nested: a limit for what callers send. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, INITIALIZE, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

it.each([
  ['/a/mcp', 'deep'],
  ['/mcp', 'a_deep'],
])('is a limit of requests, and answers cross as they came, at %s', async (path, tool) => {
  const { url } = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body) as {
      id?: unknown;
      method: string;
      params?: { name?: string };
    };
    const depth = params?.name === 'deeper' ? 1000 : 60;
    const serverInfo = { name: 'a', version: '1' };
    const opened = JSON.stringify({ protocolVersion: '2025-11-25', capabilities: {}, serverInfo });
    const result =
      method === 'initialize' ? opened : `{"content":[],"structuredContent":{"a":${nested(depth)}}}`;
    if (id === undefined) response.writeHead(202).end();
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
  });
  const gateway = await open({ upstreams: { a: { url } }, limits: { depth: 20 } });
  const at = gateway.url + path;
  expect((await post(at, INITIALIZE)).status).toBe(200);
  expect((await post(at, callTool(tool))).text).toContain(nested(60));
  expect((await post(at, callTool(`${tool}er`))).text).toContain(
    "The server's answer is nested deeper than the gateway's limit of 1000 levels",
  );
  const deep = JSON.stringify(callTool(tool, { a: 0 })).replace('"a":0', `"a":${nested(20)}`);
  expect((await post(at, deep)).status).toBe(400);
});
