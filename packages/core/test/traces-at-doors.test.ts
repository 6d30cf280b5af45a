/** Traces of work in what looks like a door's refusal. Whoever repeats such a call may do it twice. */
import { describe, expect, it } from 'vitest';
import { read } from '../src/index.ts';

function executed(headers: Record<string, string>, body = '', status = 429): string {
  const reading = read({ http: { status, headers, body } }, { now: 0 });
  return reading.failure ? reading.fault.executed : 'success';
}

describe('a hop behind has answered, or was sent the request', () => {
  it.each([
    'gw; received-status=201',
    'gw; received-status=200; error=proxy_internal_response',
    'gw; received-status=404',
    'gw; received-status=500',
    'gw; error=http_response_incomplete',
    'gw; error=http_response_timeout',
    'gw; error=http_response_body_size',
    'gw; error=http_upgrade_failed',
    'gw; error=http_protocol_error',
    'gw; error=connection_terminated',
    'gw; error=connection_read_timeout',
    'gw; error=connection_write_timeout',
    'gw; error=tls_protocol_error',
    'gw; error=proxy_internal_error',
    'edge; error=http_request_denied, gw; received-status=201',
    'gw; error=destination_unavailable; details="mail is gone, shop is not"',
    'gw; error="connection_terminated"',
    'gw; Error=connection_terminated',
    'gw; order=991',
  ])('proxy-status: %s', (value) => {
    for (const status of [429, 401, 404])
      expect(executed({ 'proxy-status': value }, '', status), `${status}`).toBe('maybe');
  });

  it.each([
    'gw; error=dns_error; rcode="NXDOMAIN"; info-code=22',
    'gw; error=dns_timeout',
    'gw; error=destination_not_found',
    'gw; error=destination_unavailable',
    'gw; error=destination_ip_prohibited',
    'gw; error=destination_ip_unroutable',
    'gw; error=connection_refused',
    'gw; error=connection_timeout',
    'gw; error=connection_limit_reached',
    'gw; error=tls_certificate_error',
    'gw; error=http_request_error; status-code=429; status-phrase="Too Many Requests"',
    'gw; error=http_request_denied',
    'gw; error=proxy_internal_response',
    '"a gateway"; received-status=429',
    'gw',
  ])('none has with proxy-status: %s', (value) => {
    expect(executed({ 'proxy-status': value })).toBe('no');
  });

  it.each([
    { 'cache-status': 'gw; fwd=miss; fwd-status=201' },
    { 'x-original-status': '201' },
    { 'x-origin-status': '500' },
    { 'x-upstream-status': '409' },
    { 'x-krakend-completed': 'true' },
  ])('%o', (headers) => {
    expect(executed(headers)).toBe('maybe');
  });
});

describe('a mark of success beside words of a limit', () => {
  it.each([
    '{"code":0,"message":"Too many requests"}',
    '{"code":"0","message":"Too many requests"}',
    '{"code":"OK","message":"Too many requests"}',
    '{"code":200,"message":"Too many requests"}',
    '{"errcode":0,"errmsg":"Too many requests"}',
    '{"error_code":0,"message":"Too many requests"}',
    '{"errorCode":0,"message":"Too many requests"}',
    '{"error_code":"0","message":"Too many requests"}',
    '{"err":0,"message":"Too many requests"}',
    '{"err":null,"message":"Too many requests"}',
    '{"errno":0,"message":"Too many requests"}',
    '{"ret":0,"msg":"Too many requests"}',
    '{"error":false,"message":"Too many requests"}',
    '{"error":"false","message":"Too many requests"}',
    '{"error":null,"message":"Too many requests"}',
    '{"error":{},"message":"Too many requests"}',
    '{"error":"","message":"Too many requests"}',
    '{"error":0,"message":"Too many requests"}',
    '{"error":"none","message":"Too many requests"}',
    '{"errors":[],"message":"Too many requests"}',
    '{"errors":null,"message":"Too many requests"}',
    '{"is_error":false,"message":"Too many requests"}',
    '{"hasErrors":false,"message":"Too many requests"}',
    '{"failed":false,"message":"Too many requests"}',
    '{"failure":false,"message":"Too many requests"}',
    '{"exception":null,"message":"Too many requests"}',
    '{"limited":false,"message":"Too many requests"}',
    '{"allowed":true,"message":"Too many requests"}',
    '{"status":"ok","message":"Too many requests"}',
    '{"status":"completed","message":"Too many requests"}',
    '{"success":true,"message":"Too many requests"}',
    '{"ok":1,"message":"Too many requests"}',
    '{"details":{"error":false},"message":"Too many requests"}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Too many requests","data":{"error":false}}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Too many requests","data":{"code":0}}}',
    '{"executed":1,"message":"Too many requests"}',
    '{"used":1,"processed":1,"message":"Too many requests"}',
  ])('%s', (body) => {
    expect(executed({ 'content-type': 'application/json' }, body)).toBe('maybe');
  });

  it.each([
    '{"code":0,"message":"Bad Request"}',
    '{"error":null,"message":"Bad Request"}',
    '{"error":false,"message":"amount is required"}',
  ])('is one under 400, too: %s', (body) => {
    expect(executed({ 'content-type': 'application/json' }, body, 400)).toBe('maybe');
  });
});

describe('a header that names a thing', () => {
  it.each([
    { date: 'order 991' },
    { expires: 'order 991' },
    { expires: 'soon' },
    { 'last-modified': 'booking-41' },
    { sunset: 'reservation 7' },
    { 'cache-control': 'order=991' },
    { 'cache-control': 'private="order 991"' },
    { 'cache-control': 'no-store, made-for=7' },
    { pragma: 'order-991' },
    { 'cdn-cache-control': 'no-store, tr=991' },
    { 'keep-alive': 'timeout=5, order=991' },
    { 'keep-alive': 'tx=1' },
    { 'cf-ray': 'order 991' },
    { 'cf-ray': 'tx-991' },
    { connection: 'X-Order-991' },
    { 'content-type': 'text/html; boundary=order991' },
    { 'content-type': 'text/html; boundary=tx77' },
    { 'content-type': 'text/plain; charset=tx-77' },
    { 'content-type': 'application/json; profile="order-991"' },
    { 'content-type': 'application/json; charset="utf-8; order=991"' },
    { nel: '{"order":991}' },
    { nel: 'order 991' },
    { 'report-to': '{"group":"order-991"}' },
    { 'report-to': '{"order":991}' },
    { 'report-to': '{"endpoints":[{"url":"https://example.com/r","tx":7}]}' },
    { 'reporting-endpoints': 'order-991="https://example.com"' },
    { 'alt-svc': 'order="991"' },
    { 'alt-svc': 'h3=":443"; tx=7' },
    { etag: '"order-991"' },
    { 'x-ratelimit-after': 'order 991' },
    { 'x-ratelimit-after': 'booking' },
    { 'x-ratelimit-increment': 'tx-991' },
    { 'x-ratelimit-whitelisted': 'order-991' },
    { 'x-ratelimit-limit-orders': '991' },
    { 'x-ratelimit-remaining-short': 'order 991' },
    { 'retry-after-booking': '41' },
    { 'retry-after-short': 'booking 41' },
    { 'ratelimit-name': 'mail' },
    { 'ratelimit-observed': 'order-41' },
    { 'ratelimit-resettime': 'order 41' },
    { 'x-ratelimit-reset': 'order 41' },
    { etag: 'W/"991"' },
    { etag: 'payment_77' },
    { 'x-powered-by': 'order 991' },
    { 'x-powered-by': 'Buchung 991' },
    { server: 'shop 991' },
    { via: '1.1 gw (order 991)' },
    { vary: 'X-Order-991' },
    { 'accept-ranges': 'orders' },
    { upgrade: 'order/991' },
    { 'x-frame-options': 'tx 7' },
    { 'x-content-type-options': 'order 991' },
    { 'referrer-policy': 'order 991' },
    { 'strict-transport-security': 'max-age=1; tx=991' },
    { 'content-security-policy': 'report-uri /orders/991' },
    { 'permissions-policy': 'order=(991)' },
    { 'access-control-allow-origin': 'https://orders.example/991' },
    { traceparent: 'order-991' },
    { 'x-amzn-trace-id': 'Root=1-5;order=991' },
    { 'x-amz-cf-id': 'order 991' },
    { 'x-request-id': 'order-991' },
    { 'x-correlation-id': 'Bestellung 991' },
    { 'x-served-by': 'order-991' },
    { 'x-kong-response-latency': 'order' },
    { 'x-runtime': 'tx 7' },
    { age: 'order 991' },
    { 'x-matched-path': '/orders/991' },
    { 'x-envoy-decorator-operation': 'shop:80/orders/991' },
    { 'x-nf-request-id': 'order 991' },
    { 'akamai-grn': 'order 991' },
    { 'x-iinfo': 'order 991' },
    { 'mime-version': 'order 991' },
    { priority: 'order=991' },
    { 'x-ms-retry-after-ms': 'order 991' },
    { 'x-krakend': 'order 991' },
    { 'x-datadome': 'order 991' },
    { 'x-sucuri-id': 'order-991' },
    { 'server-timing': 'intid;desc=order991' },
    { 'server-timing': 'intid;desc="mail is out"' },
    { 'transfer-encoding': 'order-991' },
    { 'content-encoding': 'order-991' },
    { 'set-cookie': 'AWSALB=order-991; Path=/' },
    { 'set-cookie': 'connect.sid=order:991' },
    { 'set-cookie': 'AWSALB=x; Domain=order-991.example' },
    { 'set-cookie': 'AWSALB=x; Tx=77' },
    { 'set-cookie': 'session=booked991' },
    { 'set-cookie': 'cookiesession1=order%20991' },
    { server: 'nginx für 7' },
  ])('%o', (headers) => {
    expect(executed(headers)).toBe('maybe');
    expect(executed(headers, '', 401)).toBe('maybe');
  });
});

describe('a page or a sentence that names a thing', () => {
  it.each([
    '<html lang="order-991"><body><h1>Too Many Requests</h1></body></html>',
    '<html lang=tx991><body><h1>Too Many Requests</h1></body></html>',
    '<html><body class="order-991"><h1>Too Many Requests</h1></body></html>',
    '<html><body><h1>Too Many Requests</h1><!-- order 991 --></body></html>',
    '<html><head><meta name=order content=991></head><body>Too Many Requests</body></html>',
    '<html><head><meta name=viewport content="order 991"></head><body>Too Many Requests</body></html>',
    '<html><body><h1>Too Many Requests</h1><a href="/orders/991">here</a></body></html>',
    '<html><body><h1>Too Many Requests</h1><p><em>Powered by <a href="https://shop.example/orders/991">Shop</a>.</em></p></body></html>',
    '<h1>Too Many Requests</h1><address>Apache/2.4.57 (Debian) Server at order-991 Port 443</address>',
    '<h1>Too Many Requests</h1><address>Shop Server at shop.example Port 991</address>',
    'You have sent too many requests in a given amount of time for order 7.',
    'You have sent too many mails in a given amount of time.',
    'You have sent it. Too many requests in a given amount of time.',
    'Your mail was sent. You have sent too many requests in a given amount of time.',
    'Request was throttled. Expected available in order 7.',
    'Request was throttled after payment. Expected available in 1 second.',
    '5 per 1 order',
    '5 mails per 1 minute',
    'error code: 1016',
    'error code: 991',
    'Too Many Attempts. The first one came through.',
    'No bursty traffic allowed; order kept',
    'MailException: Too Many Requests',
    'ThrottlerException: Too Many Requests to the bank',
    '{"message":"Too many requests","request_id":"order-991"}',
    '{"fault":{"faultstring":"Spike arrest violation. Order 991 stays","detail":{"errorcode":"policies.ratelimit.SpikeArrestViolation"}}}',
  ])('%s', (body) => {
    expect(executed({}, body)).toBe('maybe');
  });
});

describe('what is nearly the form of a door', () => {
  const varnish = (xid: string, server = 'Varnish cache server'): string =>
    `<h1>Error 429 Too Many Requests</h1><h3>Guru Meditation:</h3><p>XID: ${xid}</p><hr><p>${server}</p>`;
  const zuplo = (more: object): string =>
    JSON.stringify({
      type: 'https://httpproblems.com/http-status/429',
      title: 'Too Many Requests',
      status: 429,
      instance: '/mcp',
      ...more,
    });
  const trace = {
    timestamp: '2026-11-19T12:00:00.000Z',
    requestId: 'b1d6ffa0-2d1c-4a9b-8a7b-7a1d2d6e9c11',
    buildId: 'a2f9b1d3-2d1c-4a9b-8a7b-7a1d2d6e9c11',
  };
  const symfony = (more: object): string =>
    JSON.stringify({
      type: 'https://tools.ietf.org/html/rfc2616#section-10',
      title: 'An error occurred',
      status: 429,
      detail: 'Too Many Requests',
      ...more,
    });

  it.each([
    varnish('order-991'),
    varnish('tx 991'),
    varnish('32770', 'Order 991'),
    `${varnish('32770')}<p>XID: 991</p>`,
    '<p>XID: 991</p>Too Many Requests',
    '<h3>Guru Meditation:</h3>Too Many Requests, order kept',
    zuplo({ instance: '/orders/991' }),
    zuplo({ instance: '/orders' }),
    zuplo({ instance: 991 }),
    zuplo({ trace: { ...trace, requestId: 'pay_991' } }),
    zuplo({ trace: { ...trace, buildId: 'order-991' } }),
    zuplo({ trace: { ...trace, timestamp: 'booked' } }),
    zuplo({ trace: { ...trace, rayId: 'tx-991' } }),
    zuplo({ trace: { ...trace, orderId: '991' } }),
    zuplo({ trace: 'order 991' }),
    zuplo({ trace, order: 991 }),
    zuplo({ type: 'https://shop.example/429', trace }),
    symfony({ title: 'An error occurred after the order' }),
    symfony({ detail: 'An error occurred' }),
    symfony({ detail: 'Order 991 is kept. Too Many Requests' }),
    symfony({ type: 'https://shop.example/errors' }),
    symfony({ order: 991 }),
    'An error occurred',
    '{"message":"An error occurred"}',
    '<body text=#000000 bgcolor=#991991><h1>Too Many Requests</h1></body>',
    '<body text=#991 bgcolor=#ffffff><h1>Too Many Requests</h1></body>',
    '<body text=#000000 bgcolor=#ffffff><h1>Too Many Requests</h1><h2>Order 991</h2></body>',
  ])('%s', (body) => {
    expect(executed({}, body)).toBe('maybe');
  });

  it.each([
    { 'x-local-rate-limit': 'false' },
    { 'x-local-rate-limit': 'order' },
    { 'x-local-rate-limit': '991' },
    { 'x-rate-limit-request-remote-addr': 'order-991' },
    { 'x-rate-limit-request-remote-addr': 'mail.example:5000' },
    { 'x-rate-limit-request-remote-addr': '991' },
    { 'x-rate-limit-request-forwarded-for': '10.0.0.1, tx-991' },
    { 'x-rate-limit-request-method': 'PAY' },
    { 'x-rate-limit-request-order': '10.0.0.1' },
  ])('%o', (headers) => {
    expect(executed(headers)).toBe('maybe');
  });
});

describe('words about work that came before', () => {
  const refused = (message: string): string => {
    const reading = read({ jsonrpc: '2.0', id: 1, error: { code: -32602, message } }, { now: 0 });
    return reading.failure ? reading.fault.executed : 'success';
  };

  it.each([
    'Unsupported currency after authorization',
    'Unsupported currency after authorizing',
    'Invalid receipt address after the payment',
    'Invalid email after charging',
    'Invalid email after booking',
    'Invalid email after submitting',
    'Invalid email after submission',
    'Invalid email after checkout',
    'Invalid email after reservation',
    'Invalid email following authorization',
    'Unsupported currency during settlement',
    'Unsupported currency upon capture',
    'Unsupported currency post-authorization',
    'Missing address once authorized',
    'Invalid memo while booking',
    'Unknown currency since the order',
    'Invalid address after withdrawal',
    'Invalid address after upload',
  ])('%s', (message) => {
    expect(refused(message)).toBe('maybe');
  });

  it.each([
    'Invalid params: authorization is required',
    'Missing required arguments: amount, order',
    'Unsupported currency',
    'checkout must be after checkin',
    'amount is required',
  ])('are not in: %s', (message) => {
    expect(refused(message)).toBe('no');
  });
});
