/** How many failures in a row hold calls back is what the settings say, and not what is usual. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

it.each([1, 5, 9, 10, 11, 25, 40])('after %i of them', async (failures) => {
  let asked = 0;
  const { url } = await upstream((_said, response) => {
    asked += 1;
    response.writeHead(503).end();
  });
  const shop = { url, retry: { attempts: 1 }, breaker: { failures, open_ms: 60_000 } };
  const gateway = await open({ upstreams: { shop } });
  for (let i = 0; i < failures; i += 1)
    expect(faultIn(await post(`${gateway.url}/shop/mcp`, callTool('pay')))).not.toMatchObject({
      executed: 'no',
    });
  expect(faultIn(await post(`${gateway.url}/shop/mcp`, callTool('pay')))).toMatchObject({ executed: 'no' });
  expect(asked).toBe(failures);
});

it('half of more calls than that hold them back too', async () => {
  let asked = 0;
  const { url } = await upstream((said, response) => {
    asked += 1;
    const { id } = JSON.parse(said);
    if (asked % 2 === 0) response.writeHead(503).end();
    else
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }));
  });
  const shop = { url, retry: { attempts: 1 }, breaker: { failures: 15, open_ms: 60_000 } };
  const gateway = await open({ upstreams: { shop } });
  for (let i = 0; i < 16; i += 1) await post(`${gateway.url}/shop/mcp`, callTool('pay'));
  expect(faultIn(await post(`${gateway.url}/shop/mcp`, callTool('pay')))).toMatchObject({ executed: 'no' });
  expect(asked).toBe(16);
});
