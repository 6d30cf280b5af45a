/** An API that leads to another place, where nobody is. */
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const DOCUMENT = fileURLToPath(new URL('../shop.openapi.yaml', import.meta.url));
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1';

it('is not taken from anybody because that place cannot be reached', async () => {
  const { url } = await upstream((_body, response, request) => {
    if (request.method === 'GET') response.writeHead(302, { location: `${NOWHERE}/files/7` }).end();
    else json(response, 201, { id: 'A-17' });
  });
  const gateway = await open({
    upstreams: { shop: { openapi: DOCUMENT, base_url: url, origins: [NOWHERE], retry: { attempts: 1 } } },
  });
  const at = `${gateway.url}/shop/mcp`;
  for (const id of [1, 2, 3, 4, 5, 6, 7, 8]) {
    const told = await post(at, callTool('getOrder', { id: 'A-17' }, id));
    expect(JSON.stringify(told.message)).toContain('"kind":"unavailable"');
  }
  const order = { body: { item: 'x', quantity: 1 } };
  const bought = await post(at, callTool('createOrder', order, 9));
  expect(JSON.stringify(bought.message)).toContain('A-17');
  expect(gateway.logs.join('\n')).not.toContain('because it does not answer');
});
