/** What is told of an endpoint of MCP under a status, and what that proves. */
import { expect, it } from 'vitest';
import { ABSENT_AT_MCP, PAGE } from '../test/absent-endpoints.ts';
import { endpointGone } from './entries/http.ts';
import { read } from './index.ts';

const PROBLEM = 'application/problem+json';

function told(
  status: number,
  body: string,
  {
    headers = {},
    isNamed = false,
    askedAt = 'https://shop.ngrok.app/mcp',
  }: { headers?: { readonly [name: string]: string }; isNamed?: boolean; askedAt?: string | undefined } = {},
) {
  const reading = read({ http: { status, headers, body } });
  if (!reading.failure) throw new TypeError('Expected a failure');
  const { fault, dialect } = reading;
  return endpointGone({ status, headers, body, fault, dialect, isNamed, askedAt, origin: 'server' });
}

it.each([
  [404, 'unavailable', 'dependency', 'backoff'],
  [405, 'misconfigured', 'terminal', 'never'],
  [410, 'unavailable', 'dependency', 'backoff'],
])('HTTP %i is %s, and words and fields say one thing', (status, kind, reaction, when) => {
  expect(told(status, '')).toMatchObject({ kind, reaction, retry: { when } });
});

it.each([
  '{"type":"about:blank","title":"Not Found","status":404,"detail":"No route matches this path"}',
  '{"type":"https://tools.ietf.org/html/rfc9110#section-15.5.5","title":"Not Found","status":404,"traceId":"00-84c1-01"}',
  '{"type":"about:blank","title":"Not Found","status":404,"detail":"No static resource mcp.","instance":"/mcp"}',
])('a problem document of a router is about the endpoint: %s', (body) => {
  expect(told(404, body, { headers: { 'content-type': PROBLEM } })).toMatchObject({
    kind: 'unavailable',
    executed: 'no',
  });
});

it.each([
  ['members of a fault', '{"title":"Not found","status":404,"kind":"not_found","reaction":"terminal"}', {}],
  ['a code of its own', '{"title":"Not Found","status":404,"code":"ORDER_NOT_FOUND"}', {}],
  ['a server that is known to speak so', '{"title":"Not Found","status":404}', { isNamed: true }],
  ['a message', '{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"Order o1 not found"}}', {}],
])('a document with %s keeps its word', (_, body, options) => {
  expect(told(404, body, { headers: { 'content-type': PROBLEM }, ...options })).toBeUndefined();
});

it.each(ABSENT_AT_MCP)('nobody has worked on what was answered %j', (body) => {
  expect(told(404, body)?.executed).toBe('no');
});

it.each([
  'Cannot POST /my%20house/mcp/',
  'Route POST:/my%20house/mcp not found',
  'No static resource my%20house/mcp.',
  '{"error":"Not Found","path":"/my%20house/mcp/"}',
  'Cannot POST /mcp',
])('nobody has worked on what was answered %j where that was asked', (body) => {
  for (const askedAt of ['https://a.example/my%20house/mcp', 'https://a.example/my house/mcp/?key=7'])
    expect(told(404, body, { askedAt })?.executed).toBe('no');
  expect(told(404, body, { askedAt: 'https://a.example/my%20houses/mcp2' })?.executed).toBe('maybe');
});

it.each([
  'Order o1 not found',
  'Not Found: order 991',
  'Not Found #991',
  'Cannot GET /receipts',
  'Cannot GET /mcp',
  'Cannot POST /charge',
  'Cannot POST /mcp/charge',
  'Cannot POST /mcp//',
  'Cannot POST /%2Fmcp%2Fcharge',
  'Cannot POST /mcp?paid=7',
  'Route POST:/mcp?paid=7 not found',
  'No static resource mcp/charge.',
  '{"error":"Not Found","path":"/mcp?paid=7"}',
  'Cannot POST /mcp-receipts',
  'Cannot GET /payment-accepted',
  'Route GET:/receipts not found',
  'The requested URL /receipts was not found on this server.',
  'Server not found',
  'Path not found',
  'URL not found',
  '✅ Not Found',
  'Not Found ✓',
  '{"error":"Not Found","trace":"paid"}',
  '{"timestamp":"2026-11-18T00:00:00","status":404,"error":"Not Found","path":"/receipts"}',
  '{"title":"Not Found","status":404,"type":"https://shop.example/problems/receipt-not-found"}',
  'Not Found: https://shop.example/receipts/paid',
  'Cannot POST /orders/7',
  'Resource not found',
  'Payment made; page not found',
  'amount is required',
  '{"message":"Not Found","order":null}',
  '{"message":"Not Found","message":"Booked"}',
  `Not Found${' '.repeat(5000)}`,
])('somebody may have worked on what was answered %j', (body) => {
  expect(told(404, body)?.executed ?? 'maybe').toBe('maybe');
});

const AT = 'https://shop.example/tenants/7/mcp';

it.each([
  [AT, 'Cannot POST /tenants/7/mcp'],
  [`${AT}/`, 'Cannot POST /tenants/7/mcp'],
  [`${AT}?key=1`, 'Cannot POST /tenants/7/mcp/'],
  // A proxy takes away what leads to the server.
  [AT, 'Cannot POST /7/mcp'],
  [AT, '{"statusCode":404,"message":"Cannot POST /mcp","error":"Not Found"}'],
  [AT, '{"timestamp":"2026-11-18T00:00:00","status":404,"error":"Not Found","path":"/tenants/7/mcp"}'],
  [AT, '{"type":"about:blank","title":"Not Found","status":404,"detail":"No static resource 7/mcp."}'],
  ['https://shop.example/my%20house/mcp', 'Cannot POST /my%20house/mcp/'],
  ['https://shop.example/my%20house/mcp/', 'Route POST:/my%20house/mcp not found'],
  ['https://shop.example/%6Dy%20house/mcp', 'No static resource my%20house/mcp.'],
  ['https://shop.example/my%20house/mcp?key=1', '{"error":"Not Found","path":"/my%20house/mcp/"}'],
  ['https://shop.example/v1/m%63p/?tenant=7', 'Cannot POST /v1/m%63p/'],
  ['https://shop.example/v1/m%63p/?tenant=7', 'Cannot POST /v1/m%63p/?tenant=7'],
  ['https://shop.example/v1/mcp', 'Route POST:/v1/%6Dcp not found'],
  ['https://shop.example/v1/mcp?tenant=7', 'Route POST:/v1/mcp?tenant=7 not found'],
  ['https://shop.example/v1/mcp?tenant=7', '{"error":"Not Found","path":"/v1/mc%70?tenant=7"}'],
])('asked at %s, %j names that address', (askedAt, body) => {
  expect(told(404, body, { askedAt })?.executed).toBe('no');
});

it.each([
  [AT, 'Cannot POST /mail/mcp'],
  [AT, 'Cannot POST /ants/7/mcp'],
  [AT, 'Cannot POST /api/tenants/7/mcp'],
  [AT, '{"statusCode":404,"message":"Cannot POST /mail/mcp","error":"Not Found"}'],
  [AT, '{"timestamp":"2026-11-18T00:00:00","status":404,"error":"Not Found","path":"/mail/mcp"}'],
  [AT, '{"error":"Not Found","path":"/mail/mcp"}'],
  [AT, '{"message":"Route POST:/mail/mcp not found","error":"Not Found","statusCode":404}'],
  [AT, '{"type":"about:blank","title":"Not Found","status":404,"detail":"No static resource mail/mcp."}'],
  [AT, '{"type":"about:blank","title":"Not Found","status":404,"instance":"/mail/mcp"}'],
  [AT, 'The endpoint mail.ngrok.app is offline. ERR_NGROK_3200'],
  ['https://shop.example/', 'Cannot POST /mcp'],
  [AT, 'Cannot PUT /tenants/7/mcp'],
  [AT, 'Cannot PUT /orders/7'],
  [AT, 'Cannot PATCH /orders/7'],
  [AT, '{"statusCode":404,"message":"Cannot PUT /orders/7","error":"Not Found"}'],
  [AT, 'Cannot POST /update/unsupported'],
  [AT, 'Route PUT:/orders/7 not found'],
  [`${AT}?tenant=7`, 'Cannot POST /tenants/7/mcp?tenant=8'],
  [`${AT}?tenant=7`, 'Cannot POST /tenants/7/mcp?tenant=7&paid=1'],
  [`${AT}?tenant=7`, '{"error":"Not Found","path":"/tenants/7/mcp?tenant=8"}'],
  ['no address', 'Cannot POST /mcp'],
  ['https://shop.example/my%20house/mcp', 'Cannot POST /your%20house/mcp'],
  ['https://shop.example/a%2Fmcp', 'Cannot POST /a/mcp'],
  ['https://shop.example/%zz/mcp', 'Cannot POST /%20/mcp'],
])('asked at %s, %j names that of somebody else, whom the server may have asked', (askedAt, body) => {
  expect(told(404, body, { askedAt })?.executed).toBe('maybe');
});

it.each(['PUT', 'PATCH', 'DELETE', 'GET', 'HEAD'])(
  'a page about %s is about what nobody has posted',
  (method) => {
    for (const status of [404, 405])
      for (const body of [`Cannot ${method} /orders/7`, `Route ${method}:/mcp not found`]) {
        const reading = read({ http: { status, headers: {}, body } });
        expect(reading).toMatchObject({ failure: true, fault: { executed: 'maybe' } });
      }
  },
);

it('whoever does not know where was asked knows no address', () => {
  const reading = read({ http: { status: 404, headers: {}, body: 'Cannot POST /mcp' } });
  if (!reading.failure) throw new TypeError('Expected a failure');
  const said = { status: 404, headers: {}, ...reading, origin: 'server' } as const;
  expect(endpointGone({ ...said, body: 'Cannot POST /mcp' })?.executed).toBe('maybe');
  expect(endpointGone({ ...said, body: 'Not Found' })?.executed).toBe('no');
});

it('proves nothing under 410, beside a header that tells of work, or where nobody saw the headers', () => {
  expect(told(410, 'Gone')?.executed).toBe('maybe');
  expect(told(404, 'Not Found', { headers: { 'x-order-id': '7' } })?.executed).toBe('maybe');
  const reading = read({ http: { status: 404, headers: { 'x-order-id': '7' }, body: '' } });
  const fault = reading.failure ? reading.fault : undefined;
  expect(fault?.executed).toBe('maybe');
});

it.each([
  ['Cannot POST /mcp', 'The endpoint of the server is not there (HTTP 404: Cannot POST /mcp)'],
  [PAGE, 'The endpoint of the server is not there (HTTP 404: 404 Not Found nginx/1.24.0)'],
  ['', 'The endpoint of the server is not there (HTTP 404)'],
])('%j is told in one line', (body, message) => {
  expect(told(404, body)?.message).toBe(message);
});

it.each(['{"error":"Customer not found"}', 'Order o1 not found', '{"message":"Account 7 does not exist"}'])(
  'somebody is there who says %s',
  (body) => {
    expect(told(404, body)).toBeUndefined();
  },
);

it.each([
  'Tunnel abc.ngrok.app not found',
  'No such app',
  'Site not found',
  'Project not found',
  'Service not found',
])('nobody is there where a platform says %s', (body) => {
  expect(told(404, body)?.message).toBe(`The endpoint of the server is not there (HTTP 404: ${body})`);
});
