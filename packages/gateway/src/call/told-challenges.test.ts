/** A client that sees a challenge signs in and sends the call again: what may have been executed is told in another way. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, faultIn, open, post, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const CHALLENGE = 'Bearer error="invalid_token", resource_metadata="https://auth.example.com/meta"';

async function refusing(status: number, body: string, headers: object = {}): Promise<string> {
  const { url } = await upstream((_asked, response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'www-authenticate': CHALLENGE,
      ...headers,
    });
    response.end(body);
  });
  const gateway = await open({ upstreams: { bank: { url } } });
  return `${gateway.url}/bank/mcp`;
}

it.each([
  [401, 'payment captured, then the token expired', {}],
  [401, '', { 'x-order-id': '77' }],
  [401, '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}', {}],
  [
    401,
    '{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"paid; mail 401"}]}}',
    {},
  ],
  [403, 'booked, but the mail needs another scope', {}],
  [401, '', { 'www-authenticate': 'Bearer error="invalid_token", error_description="payment captured"' }],
])('is no challenge after work: %i %s %o', async (status, body, headers) => {
  const told = await post(await refusing(status, body, headers), callTool('pay'));
  expect(told.status).toBe(200);
  expect(told.headers.get('www-authenticate')).toBeNull();
  expect(faultIn(told)).toMatchObject({ executed: 'maybe' });
});

it.each([
  [401, '', 'tools/call'],
  [401, '{"error":"invalid_token","error_description":"The access token expired"}', 'tools/call'],
  [403, '', 'tools/call'],
  [401, 'something happened on the way', 'resources/read'],
])('is one before it, or of what changes nothing: %i %s %s', async (status, body, method) => {
  const told = await post(await refusing(status, body), call(method, { name: 'pay', uri: 'a://b' }));
  expect(told.status).toBe(status);
  expect(told.headers.get('www-authenticate')).toContain('resource_metadata');
});
