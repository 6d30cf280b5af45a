import { expect, it } from 'vitest';
import { isMoveAlone } from './moved.ts';

it.each([
  ['nothing', ''],
  [
    'nginx',
    '<html>\r\n<head><title>308 Permanent Redirect</title></head>\r\n<body>\r\n<center><h1>308 Permanent Redirect</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n',
  ],
  ['Express', 'Temporary Redirect. Redirecting to /mcp/'],
  ['Go', '<a href="/mcp/">Temporary Redirect</a>.\n'],
  [
    'Apache',
    '<p>The document has moved <a href="https://example.com/mcp">here</a>.</p><hr><address>Apache Server Port 443</address>',
  ],
  [
    'Werkzeug',
    '<p>You should be redirected automatically to the target URL: <a href="/mcp">/mcp</a>. If not, click the link.</p>',
  ],
  ['JSON', '{"message":"Moved Permanently","location":"https://example.com/mcp"}'],
])('follows what %s sends', (_who, body) => {
  const headers = new Headers({ location: '/mcp/', server: 'nginx', 'content-type': 'text/html' });
  expect(isMoveAlone({ headers, body })).toBe(true);
});

it.each<[string, Record<string, string>, string]>([
  ['words of work', {}, 'paid'],
  ['a receipt', {}, '{"receipt":991}'],
  ['the name of what was made', { 'x-order-id': '7' }, ''],
  ['a long page', {}, ' '.repeat(5000)],
  ['another script', {}, '支払い済み'],
])('does not believe %s', (_what, more, body) => {
  expect(isMoveAlone({ headers: new Headers({ location: '/mcp/', ...more }), body })).toBe(false);
});

const askedAt = 'http://shop.example/mcp?key=1';
const moves = (location: string, body = ''): boolean =>
  isMoveAlone({ headers: new Headers({ location }), body, askedAt });

it.each([
  '/mcp/',
  '/',
  '/mcp/?key=1',
  '/mcp2',
  '/api/v2/mcp',
  '/acme/mcp',
  '/sse',
  '/v991/mcp',
  '/v2.1/mcp',
  '/api-2024/mcp',
  '/2025-06-18/mcp',
  '/us-east-1/mcp',
  '/eu2/mcp',
  '/node-12/mcp',
  '/web3/mcp',
  '/acme-shop/mcp',
  '/3f2a9c1d-0b7e-4f6a-9c4d-3e2f1a0b9c8d/mcp',
  '/12345678-abcd-4f6a-9c4d-3e2f1a0b9c8d/mcp',
  'https://shop.example/mcp',
  'https://eu.shop.example:8443/v1/mcp?key=1',
])('follows to %s', (location) => {
  expect(moves(location)).toBe(true);
  expect(moves(location.replace(/^\//, './'))).toBe(true);
  expect(moves(location, `<p>Redirecting to <a href="${location}">${location}</a></p>`)).toBe(true);
});

it.each([
  '/orders/991',
  '/orders/latest',
  '/receipts/pay_991',
  '/paid',
  '/mcp?paid=1',
  '/mcp?order=991&status=paid',
  '/mcp?key=1&paid=1',
  '/mcp#paid',
  '/mcp;paid=1',
  '/mcp/orders/991',
  '/orders/991/mcp',
  '/booked-991/mcp',
  '/booked-7/mcp',
  '/x/booked_991/mcp',
  '/booked991/mcp',
  '/booked.991/mcp',
  '/991-booked/mcp',
  '/order-7/mcp',
  '/tx-991/mcp',
  '/paid-4/v1/mcp',
  '/job-4711/mcp',
  'https://pay.example/receipt-12/mcp',
  '/orders%2F991/mcp',
  'https://pay_991@shop.example/mcp',
  'https://pay.example/receipts/991',
  '//pay.example/receipt',
  'http://[',
])('does not follow to %s, nor where it stands in the page', (location) => {
  expect(moves(location)).toBe(false);
  expect(moves('/mcp/', `<a href="${location}">Temporary Redirect</a>`)).toBe(false);
});

it.each(['', 'Temporary Redirect', 'Permanent Redirect', 'Moved'])(
  'follows under the words "%s"',
  (statusText) => {
    expect(isMoveAlone({ headers: new Headers({ location: '/mcp/' }), statusText, body: '' })).toBe(true);
  },
);

it.each(['Order 41 Created', 'Order 41', '41', 'Created', 'Payment booked'])(
  'does not follow under the words "%s"',
  (statusText) => {
    expect(isMoveAlone({ headers: new Headers({ location: '/mcp/' }), statusText, body: '' })).toBe(false);
  },
);

it.each<[string, Record<string, string>, string]>([
  ['a sign that affirms', {}, '✅'],
  ['a comment in the page', {}, '<!-- order 41 booked --><a href="/mcp/">Moved</a>'],
  ['an attribute of its markup', {}, '<meta name="order" content="41"><a href="/mcp/">Moved</a>'],
  ['work in the value of a header', { 'x-request-id': 'order-41-created' }, ''],
  ['a packed page', { 'content-encoding': 'gzip' }, ''],
])('does not follow beside %s', (_what, more, body) => {
  expect(isMoveAlone({ headers: new Headers({ location: '/mcp/', ...more }), body })).toBe(false);
});
