/** Ids and values of headers in what looks like a door's refusal: of a request they say nothing, of another thing too much. */
import { describe, expect, it } from 'vitest';
import { read } from '../src/index.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

function executed(headers: Record<string, string>, body = '', status = 429): string {
  const reading = read({ http: { status, headers, body } }, { now: 0 });
  return reading.failure ? reading.fault.executed : 'success';
}

/** What is called by a prefix and a number, as payment services and shops do. */
const OF_THINGS = [
  'tx-991',
  'txn_991',
  'txn991',
  'TRX:991',
  'pay_991',
  'pay_3MtwBwLkdIwHu7ix28a3tqPa',
  'pi_3MtwBw',
  'ch_3Nf2',
  'cs_test_a1b2c3',
  'inv-2026-001',
  'INV/2026/001',
  'ord-991',
  'PO-991',
  'bk.991',
  'receipt_7',
  'job-12',
  'mail-7',
  'user_9',
  'acc_991',
  'fee-991',
];

/** What doors give their requests. */
const OF_REQUESTS = [
  '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  'deadbeef-7425-40de-944b-e07fc1f90ae7',
  'abcdef0123456789abcdef0123456789',
  '01HF1234567890ABCDEFGHJKMN',
  '01HF1234567890ABCDEFGHJKMN-fra',
  'fra1::abcde-1700000000000-0123456789ab',
  'req_8f3a',
  'req-1',
  'request-17',
  'trace-4bf9',
  'Root=1-67891233-abcdef012345678912345678',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00',
  'AbCdEfGhIjKlMnO=',
  'ab_dEfGhIjKl1nO=',
  'kR3qv-7f_2m1xPz0aYb9cQ==',
  'C0F1:2A3B:1C2D:3E4F:5A6B7C8D',
  'ABCD:2A3B:1C2D:3E4F:5A6B7C8D',
  '18.45a13217.1700000000.1a2b3c4',
  'b7-41',
  'a1b2',
  '32770',
];

describe.each([
  'x-request-id',
  'x-correlation-id',
  'x-trace-id',
  'x-amzn-requestid',
  'x-nf-request-id',
  'x-azure-ref',
])('%s', (name) => {
  it.each(OF_THINGS)('names another thing: %s', (id) => {
    expect(executed({ [name]: id })).toBe('maybe');
    expect(executed({ [name]: id }, '', 401)).toBe('maybe');
  });

  it.each(OF_REQUESTS)('is of the request: %s', (id) => {
    expect(executed({ [name]: id })).toBe('no');
  });
});

describe('an id in what is said', () => {
  it.each(OF_THINGS)('names another thing: %s', (id) => {
    for (const name of ['request_id', 'requestId', 'trace_id', 'correlationId', 'ray_id'])
      expect(executed(JSON_TYPE, JSON.stringify({ message: 'Too many requests', [name]: id })), name).toBe(
        'maybe',
      );
    expect(executed(JSON_TYPE, JSON.stringify({ message: 'amount is required', request_id: id }), 400)).toBe(
      'maybe',
    );
    const error = { code: -32000, message: 'Too many requests', data: { requestId: id } };
    expect(executed(JSON_TYPE, JSON.stringify({ jsonrpc: '2.0', id: 1, error }))).toBe('maybe');
    expect(executed({}, `Too many requests (request id: ${id})`)).toBe('maybe');
  });

  it.each(OF_REQUESTS)('is of the request: %s', (id) => {
    expect(executed(JSON_TYPE, JSON.stringify({ message: 'amount is required', request_id: id }), 400)).toBe(
      'no',
    );
  });

  it.each(['req_8f3a', 'abcdef0123456789', '7c9e6679-7425-40de-944b-e07fc1f90ae7'])(
    'is of the request that was one too many: %s',
    (id) => {
      expect(executed(JSON_TYPE, JSON.stringify({ message: 'Too many requests', request_id: id }))).toBe(
        'no',
      );
    },
  );

  it.each(['req_8f3a', 'abcdef0123456789', '7c9e6679-7425-40de-944b-e07fc1f90ae7'])(
    'is in words: %s',
    (id) => {
      expect(executed({}, `Too many requests (request id: ${id})`)).toBe('no');
    },
  );
});

describe('a thing is named in any header', () => {
  it.each([
    { via: '1.1 tx-991' },
    { server: 'pay_991' },
    { 'x-powered-by': 'txn 991' },
    { 'x-served-by': 'inv-2026-001' },
    { 'x-amz-cf-pop': 'tx-991' },
    { 'x-amzn-trace-id': 'Root=1-5;tx=991' },
    { 'request-context': 'appId=tx-991' },
    { b3: 'tx-991' },
    { 'x-cloud-trace-context': 'pay_991' },
    { etag: 'W/"tx-991"' },
    { 'set-cookie': 'AWSALB=pay_991; Path=/' },
    { 'x-datadome': 'ch_3Nf2' },
    { 'x-upstream': 'pmt-991' },
    { 'x-varnish': 'tx 991' },
  ])('%o', (headers) => {
    expect(executed(headers)).toBe('maybe');
  });

  it.each([
    { via: '1.1 ch-gva-2' },
    { 'x-served-by': 'cache-ord1739-ORD, cache-chi-kigq8000122-CHI' },
    { 'x-amz-cf-pop': 'ORD51-C1' },
    { 'cf-ray': '8a1b2c3d4e5f6a7b-ORD' },
    { 'permissions-policy': 'payment=(), camera=()' },
  ])('none is in %o', (headers) => {
    expect(executed(headers)).toBe('no');
  });
});

describe('a value that has not the form of its header', () => {
  it.each([
    { digest: 'id=991' },
    { digest: 'sha-256=order' },
    { 'content-digest': 'sha-256=:pay:' },
    { 'content-md5': 'order' },
    { 'content-md5': 'tx77' },
    { 'x-proxy-cache': 'ORDER' },
    { 'x-cache': 'ORDER' },
    { 'x-cache': 'mail out' },
    { 'x-cache-status': 'SALE' },
    { 'cf-cache-status': 'ORDER' },
    { 'x-vercel-cache': 'receipt' },
    { 'content-language': 'order' },
    { allow: 'POST, ORDER' },
    { 'access-control-allow-methods': 'ORDER' },
    { 'content-disposition': 'attachment; filename=invoice.pdf' },
    { 'x-dns-prefetch-control': 'order' },
    { 'x-download-options': 'order' },
    { 'x-permitted-cross-domain-policies': 'order' },
    { 'x-xss-protection': 'order' },
    { 'origin-agent-cluster': 'order' },
    { 'cross-origin-opener-policy': 'order' },
    { 'cross-origin-resource-policy': 'order' },
    { 'x-accel-buffering': 'order' },
    { 'x-varnish': 'order' },
    { 'x-vercel-mitigated': 'order' },
    { 'x-b3-sampled': 'order' },
    { 'timing-allow-origin': 'order' },
    { 'x-aspnet-version': 'order' },
  ])('%o', (headers) => {
    expect(executed(headers)).toBe('maybe');
    expect(executed(headers, '', 401)).toBe('maybe');
  });

  it.each([
    { digest: 'sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=' },
    { digest: 'SHA-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=, md5=HUXZLQLMuI/KZ5KDcJPcOA==' },
    { 'content-digest': 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:' },
    { 'content-md5': 'HUXZLQLMuI/KZ5KDcJPcOA==' },
    { 'x-proxy-cache': 'MISS' },
    { 'x-cache': 'HIT, MISS' },
    { 'x-cache': 'TCP_MISS from a23-1-2-3.deploy.akamaitechnologies.com (AkamaiGHost/11.7.1) (-)' },
    { 'x-cache': 'Error from cloudfront' },
    { 'x-cache': 'RefreshHit from cloudfront' },
    { 'x-cache': 'LambdaGeneratedResponse from cloudfront' },
    { 'x-cache': 'TCP_REMOTE_HIT' },
    { 'x-cache': 'CONFIG_NOCACHE' },
    { 'x-cache-lookup': 'MISS from proxy.example:3128' },
    { 'x-cache-status': 'BYPASS' },
    { 'cf-cache-status': 'DYNAMIC' },
    { 'x-vercel-cache': 'PRERENDER' },
    { 'content-language': 'en-US, de' },
    { 'content-language': 'zh-Hant-TW' },
    { allow: 'POST, GET, OPTIONS' },
    { 'access-control-allow-methods': '*' },
    { 'access-control-allow-methods': 'GET,POST,DELETE' },
    { 'content-disposition': 'inline' },
    { 'content-disposition': 'attachment; filename="f.txt"' },
    { 'x-dns-prefetch-control': 'off' },
    { 'x-download-options': 'noopen' },
    { 'x-permitted-cross-domain-policies': 'none' },
    { 'x-xss-protection': '1; mode=block' },
    { 'x-xss-protection': '0' },
    { 'origin-agent-cluster': '?1' },
    { 'cross-origin-opener-policy': 'same-origin; report-to="coop"' },
    { 'cross-origin-embedder-policy': 'require-corp' },
    { 'cross-origin-resource-policy': 'cross-origin' },
    { 'x-accel-buffering': 'no' },
    { 'x-varnish': '32770 3' },
    { 'x-vercel-mitigated': 'challenge' },
    {
      'expect-ct': 'max-age=604800, report-uri="https://report-uri.cloudflare.com/cdn-cgi/beacon/expect-ct"',
    },
    { 'x-amz-cf-pop': 'FRA60-P1' },
    { 'x-ua-compatible': 'IE=edge,chrome=1' },
    { b3: '80f198ee56343ba864fe8b2a57d3eff7-e457b5a2e4d86bd1-1' },
    { 'x-cloud-trace-context': '105445aa7843bc8bf206b12000100000/1;o=1' },
    { 'x-b3-sampled': '1' },
    { 'timing-allow-origin': '*' },
    { 'x-aspnet-version': '4.0.30319' },
  ])('has it: %o', (headers) => {
    expect(executed(headers)).toBe('no');
  });
});
