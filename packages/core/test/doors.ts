/** What doors of the world send with a 429, as they send it. */

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

/** What it sends with a 429. */
export type Door = readonly [name: string, headers: Record<string, string>, body: string];

const PROXIES: readonly Door[] = [
  [
    'nginx',
    { server: 'nginx/1.25.3', date: 'Thu, 19 Nov 2026 10:00:00 GMT', connection: 'keep-alive', ...HTML },
    '<html>\r\n<head><title>429 Too Many Requests</title></head>\r\n<body>\r\n<center><h1>429 Too Many Requests</h1></center>\r\n<hr><center>nginx/1.25.3</center>\r\n</body>\r\n</html>\r\n',
  ],
  [
    'OpenResty',
    { server: 'openresty', ...HTML },
    '<html><head><title>429 Too Many Requests</title></head><body><center><h1>429 Too Many Requests</h1></center><hr><center>openresty</center></body></html>',
  ],
  [
    'HAProxy',
    { 'cache-control': 'no-cache', 'content-type': 'text/html', 'set-cookie': 'SERVERID=s1; path=/' },
    '<html><body><h1>429 Too Many Requests</h1>\nYou have sent too many requests in a given amount of time.\n</body></html>\n',
  ],
  [
    'Apache',
    { server: 'Apache/2.4.57 (Debian)', 'content-type': 'text/html; charset=iso-8859-1' },
    '<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>429 Too Many Requests</title>\n</head><body>\n<h1>Too Many Requests</h1>\n<p>The user has sent too many requests\nin a given amount of time.</p>\n<hr>\n<address>Apache/2.4.57 (Debian) Server at shop.example Port 443</address>\n</body></html>\n',
  ],
  ['Envoy, local', { server: 'envoy', 'x-envoy-ratelimited': 'true', ...TEXT }, 'local_rate_limited'],
  [
    'Envoy, by a service',
    {
      server: 'istio-envoy',
      'x-ratelimit-limit': '10, 10;w=60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1',
      'x-envoy-upstream-service-time': '2',
    },
    '',
  ],
  [
    'Istio',
    {
      'x-envoy-decorator-operation': 'mcp.default.svc.cluster.local:80/*',
      'x-request-id': 'f6a1c7a4-1b2c-4d3e-9f00-112233445566',
    },
    'local_rate_limited',
  ],
  ['Istio, local', { server: 'istio-envoy', 'x-local-rate-limit': 'true', ...TEXT }, 'local_rate_limited'],
  [
    'Traefik',
    { 'x-retry-in': '1s', 'retry-after': '1', 'x-content-type-options': 'nosniff', ...TEXT },
    'Too Many Requests',
  ],
  ['Traefik, bursts', { 'x-retry-in': '120.5ms' }, 'No bursty traffic allowed'],
  ['Caddy', { server: 'Caddy', 'retry-after': '1', 'alt-svc': 'h3=":443"; ma=2592000' }, ''],
  ['LiteSpeed', { server: 'LiteSpeed', 'x-turbo-charged-by': 'LiteSpeed' }, '429 Too Many Requests'],
  ['Varnish', { 'x-varnish': '32770', via: '1.1 varnish (Varnish/7.1)', age: '0' }, 'Too Many Requests'],
  [
    'Varnish, its page',
    { server: 'Varnish', 'x-varnish': '32770', 'retry-after': '1', ...HTML },
    '<!DOCTYPE html>\n<html>\n  <head>\n    <title>429 Too Many Requests</title>\n  </head>\n  <body>\n    <h1>Error 429 Too Many Requests</h1>\n    <p>Too Many Requests</p>\n    <h3>Guru Meditation:</h3>\n    <p>XID: 32770</p>\n    <hr>\n    <p>Varnish cache server</p>\n  </body>\n</html>\n',
  ],
  ['Squid', { via: '1.1 proxy.example (squid/5.7)', 'x-cache': 'MISS from proxy.example' }, ''],
];

const GATEWAYS: readonly Door[] = [
  [
    'Kong',
    {
      server: 'kong/3.4.0',
      'x-ratelimit-limit-minute': '5',
      'x-ratelimit-remaining-minute': '0',
      'ratelimit-reset': '1',
      'retry-after': '1',
      'x-kong-response-latency': '1',
      'x-kong-request-id': 'abcdef0123456789abcdef0123456789',
      ...JSON_TYPE,
    },
    '{"message":"API rate limit exceeded","request_id":"abcdef0123456789abcdef0123456789"}',
  ],
  [
    'Tyk',
    { 'x-generator': 'tyk.io', 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0', ...JSON_TYPE },
    '{\n    "error": "Rate limit exceeded"\n}',
  ],
  ['KrakenD', { 'x-krakend': 'Version 2.5.0', 'x-krakend-completed': 'false' }, ''],
  [
    'APISIX',
    { server: 'APISIX/3.8.0', 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0', ...HTML },
    '<html>\r\n<head><title>429 Too Many Requests</title></head>\r\n<body>\r\n<center><h1>429 Too Many Requests</h1></center>\r\n<hr><center>openresty</center>\r\n<p><em>Powered by <a href="https://apisix.apache.org/">APISIX</a>.</em></p></body>\r\n</html>\r\n',
  ],
  [
    'Apigee, spike arrest',
    JSON_TYPE,
    '{"fault":{"faultstring":"Spike arrest violation. Allowed rate : MessageRate{messagesPerPeriod=5, periodInMicroseconds=60000000, maxBurstMessageCount=1.0}","detail":{"errorcode":"policies.ratelimit.SpikeArrestViolation"}}}',
  ],
  [
    'Apigee, quota',
    JSON_TYPE,
    '{"fault":{"faultstring":"Rate limit quota violation. Quota limit  exceeded. Identifier : _default","detail":{"errorcode":"policies.ratelimit.QuotaViolation"}}}',
  ],
  [
    'Zuplo',
    { 'zp-rid': '5e3c1b2a-1111-4222-8333-444455556666', 'content-type': 'application/problem+json' },
    '{"type":"https://httpproblems.com/http-status/429","title":"Too Many Requests","status":429}',
  ],
  [
    'Zuplo, its whole document',
    { 'content-type': 'application/problem+json', 'retry-after': '1' },
    '{"type":"https://httpproblems.com/http-status/429","title":"Too Many Requests","status":429,"instance":"/mcp","trace":{"timestamp":"2026-11-19T12:00:00.000Z","requestId":"b1d6ffa0-2d1c-4a9b-8a7b-7a1d2d6e9c11","buildId":"a2f9b1d3-2d1c-4a9b-8a7b-7a1d2d6e9c11","rayId":"78b39d8e38ebe4f5"}}',
  ],
  [
    'Kong, all of its counts',
    {
      server: 'kong/3.9.0',
      'ratelimit-limit': '5',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '42',
      'x-ratelimit-limit-hour': '5',
      'x-ratelimit-remaining-hour': '0',
      'retry-after': '42',
      ...JSON_TYPE,
    },
    '{"message":"API rate limit exceeded"}',
  ],
  [
    'Gravitee',
    {
      'x-rate-limit-limit': '10',
      'x-rate-limit-remaining': '0',
      'x-rate-limit-reset': '1795082400000',
      ...JSON_TYPE,
    },
    '{"message":"Rate limit exceeded! You reached the limit of 10 requests per 1 seconds","http_status_code":429}',
  ],
  [
    'MuleSoft',
    { 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9954', ...JSON_TYPE },
    '{"error":"Quota has been exceeded"}',
  ],
  [
    'Spring Cloud Gateway',
    {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-requested-tokens': '1',
      'x-ratelimit-burst-capacity': '20',
      'x-ratelimit-replenish-rate': '10',
    },
    '',
  ],
];

const CLOUDS: readonly Door[] = [
  [
    'Cloudflare',
    {
      server: 'cloudflare',
      'cf-ray': '8a1b2c3d4e5f6a7b-FRA',
      'cf-cache-status': 'DYNAMIC',
      'retry-after': '1',
      'set-cookie':
        '__cf_bm=abcDEF123-1700000000-1.0.1.1-xyz; path=/; expires=Thu, 19-Nov-26 10:30:00 GMT; domain=.example.com; HttpOnly; Secure; SameSite=None',
      'strict-transport-security': 'max-age=15552000; includeSubDomains; preload',
      'x-content-type-options': 'nosniff',
      'alt-svc': 'h3=":443"; ma=86400',
      'report-to':
        '{"endpoints":[{"url":"https:\\/\\/a.nel.cloudflare.com\\/report\\/v4?s=abc"}],"group":"cf-nel","max_age":604800}',
      nel: '{"success_fraction":0,"report_to":"cf-nel","max_age":604800}',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'SAMEORIGIN',
      'cache-control': 'private, max-age=0, no-store, no-cache, must-revalidate, post-check=0, pre-check=0',
      expires: 'Thu, 01 Jan 1970 00:00:01 GMT',
      vary: 'Accept-Encoding',
      'server-timing': 'cfL4;desc="?proto=TCP&rtt=1234&min_rtt=1200&rtt_var=400&sent=5&recv=7"',
      ...TEXT,
    },
    'error code: 1015',
  ],
  [
    'Cloudflare, its counts',
    {
      server: 'cloudflare',
      'cf-ray': '8a1b2c3d4e5f6a7b-FRA',
      'cf-mitigated': 'challenge',
      ratelimit: '"default";r=0;t=1',
      'ratelimit-policy': '"default";q=1200;w=300',
    },
    'error code: 1015',
  ],
  ['Cloudflare, its status', { 'proxy-status': 'Cloudflare; error=http_request_denied' }, ''],
  [
    'Amazon API Gateway',
    {
      'x-amzn-requestid': '5e2e0f0a-1111-2222-3333-444455556666',
      'x-amzn-errortype': 'TooManyRequestsException',
      'x-amz-apigw-id': 'AbCdEfGhIjKlMnO=',
      ...JSON_TYPE,
    },
    '{"message":"Too Many Requests"}',
  ],
  [
    'Amazon API Gateway, a plan',
    { 'x-amzn-errortype': 'LimitExceededException', ...JSON_TYPE },
    '{"message":"Limit Exceeded"}',
  ],
  [
    'Amazon ALB',
    {
      server: 'awselb/2.0',
      'set-cookie': 'AWSALB=abc/def+1; Expires=Thu, 26 Nov 2026 10:00:00 GMT; Path=/',
      'x-amzn-trace-id': 'Root=1-67891233-abcdef012345678912345678',
      ...TEXT,
    },
    'Too Many Requests',
  ],
  [
    'Amazon CloudFront and WAF',
    {
      server: 'CloudFront',
      via: '1.1 0f0a3b2c1d.cloudfront.net (CloudFront)',
      'x-cache': 'Error from cloudfront',
      'x-amz-cf-pop': 'FRA60-P1',
      'x-amz-cf-id': 'kR3qv-7f_2m1xPz0aYb9cQ==',
    },
    '',
  ],
  [
    'Google Frontend',
    {
      server: 'Google Frontend',
      via: '1.1 google',
      'x-cloud-trace-context': '105445aa7843bc8bf206b12000100000/1;o=1',
      'alt-svc': 'h3=":443"; ma=2592000,h3-29=":443"; ma=2592000',
      ...HTML,
    },
    'Rate exceeded.',
  ],
  [
    'Google Frontend, its page',
    { server: 'Google Frontend', 'content-type': 'text/html; charset=UTF-8' },
    '\n<html><head>\n<meta http-equiv="content-type" content="text/html;charset=utf-8">\n<title>429 Too Many Requests</title>\n</head>\n<body text=#000000 bgcolor=#ffffff>\n<h1>Error: Too Many Requests</h1>\n<h2>Rate exceeded.</h2>\n<h2></h2>\n</body></html>\n',
  ],
  [
    'Google Cloud Armor',
    { via: '1.1 google', 'set-cookie': 'GCLB=CPaS; path=/; HttpOnly', ...HTML },
    '<!doctype html><meta charset="utf-8"><meta name=viewport content="width=device-width, initial-scale=1"><title>429</title>429 Too Many Requests',
  ],
  [
    'Azure API Management',
    { 'retry-after': '1', 'request-context': 'appId=cid-v1:1b2c', ...JSON_TYPE },
    '{ "statusCode": 429, "message": "Rate limit is exceeded. Try again in 1 seconds." }',
  ],
  [
    'Azure Front Door',
    { 'x-azure-ref': '20261119T100000Z-17b9c6d', 'x-cache': 'CONFIG_NOCACHE', ...HTML },
    '<h2>429 Too Many Requests</h2>',
  ],
  ['Azure, the older edge', { 'x-msedge-ref': 'Ref A: 3F0C Ref B: FRA31 Ref C: 2026-11-19T10:00:00Z' }, ''],
  [
    'Azure App Service',
    { 'set-cookie': 'ARRAffinity=abc;Path=/;HttpOnly;Secure;Domain=x.azurewebsites.net' },
    '',
  ],
  ['Azure, a wait', { 'x-ms-retry-after-ms': '100', 'x-ms-request-id': 'a1b2c3' }, ''],
  [
    'Fastly',
    {
      via: '1.1 varnish',
      'x-served-by': 'cache-fra-eddf8230034-FRA',
      'x-cache': 'MISS',
      'x-cache-hits': '0',
      'x-timer': 'S1700000000.123456,VS0,VE1',
      'retry-after': '1',
    },
    'Too Many Requests',
  ],
  [
    'Akamai',
    {
      server: 'AkamaiGHost',
      'mime-version': '1.0',
      'x-reference-error': '18.45a13217.1700000000.1a2b3c4',
      'akamai-grn': '0.45a13217.1700000000.1a2b3c4',
      'server-timing': 'ak_p; desc="1700000000_388997442_1234_5_6_7_0"; dur=1',
      expires: 'Thu, 19 Nov 2026 10:00:00 GMT',
      ...HTML,
    },
    '<HTML><HEAD><TITLE>Too Many Requests</TITLE></HEAD><BODY><H1>Too Many Requests</H1></BODY></HTML>',
  ],
  [
    'Imperva',
    {
      'set-cookie': 'visid_incap_123=abc; path=/, nlbi_123=abc; path=/, incap_ses_1_123=abc; path=/',
      'x-cdn': 'Imperva',
      'x-iinfo': '11-1234567-1234568 NNNN CT(1 2 0) RT(1700000000000 0) q(0 0 0 -1) r(1 1) U6',
    },
    '',
  ],
  [
    'F5',
    { 'set-cookie': 'TS01abcd=0123456789abcdef; Path=/, BIGipServerpool=1677787402.36895.0000; path=/' },
    '',
  ],
  ['FortiWeb', { 'set-cookie': 'cookiesession1=678B3E2A0123; Path=/; HttpOnly' }, ''],
  ['DataDome', { 'x-datadome': 'protected', 'set-cookie': 'datadome=abc~1; Max-Age=31536000; Path=/' }, ''],
  ['Sucuri', { server: 'Sucuri/Cloudproxy', 'x-sucuri-id': '14011', 'x-sucuri-cache': 'BYPASS' }, ''],
];

const HOSTS: readonly Door[] = [
  [
    'Vercel',
    {
      server: 'Vercel',
      'x-vercel-id': 'fra1::abcde-1700000000000-0123456789ab',
      'x-vercel-mitigated': 'deny',
      'x-matched-path': '/mcp',
      'cache-control': 'private, no-store, max-age=0',
      ...TEXT,
    },
    'Too Many Requests',
  ],
  ['Netlify', { server: 'Netlify', 'x-nf-request-id': '01HF1234567890ABCDEFGHJKMN' }, ''],
  [
    'Fly',
    {
      server: 'Fly/abc (2026-11-01)',
      via: '1.1 fly.io',
      'fly-request-id': '01HF1234567890ABCDEFGHJKMN-fra',
    },
    '',
  ],
  ['Render', { 'x-render-origin-server': 'Render', 'rndr-id': 'abc-123' }, 'Too Many Requests'],
  [
    'Heroku',
    {
      server: 'Heroku',
      via: '1.1 heroku-router',
      nel: '{"report_to":"heroku-nel","response_headers":["Via"],"max_age":3600,"success_fraction":0.01,"failure_fraction":0.1}',
      'reporting-endpoints': 'heroku-nel="https://nel.heroku.com/reports?s=abc%3D&sid=1"',
    },
    '',
  ],
  [
    'Railway',
    { server: 'railway-edge', 'x-railway-request-id': 'abc', 'x-railway-edge': 'railway/europe-west4' },
    '',
  ],
  ['ingress', { 'set-cookie': 'INGRESSCOOKIE=1700000000.1.2.3|abc; Path=/; HttpOnly' }, ''],
  ['Datadog', { 'x-datadog-trace-id': '1234567890123456789', 'x-datadog-parent-id': '42' }, ''],
  ['Google Cloud, a timing', { 'server-timing': 'intid;desc=8f0c2b7d1e4a' }, ''],
  [
    'priorities and features',
    { priority: 'u=1,i', 'feature-policy': "camera 'none'; microphone 'none'" },
    '',
  ],
];

const FRAMEWORKS: readonly Door[] = [
  [
    'express-rate-limit 6',
    {
      'x-powered-by': 'Express',
      'ratelimit-policy': '100;w=900',
      'ratelimit-limit': '100',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
      etag: 'W/"2a-Kp1Pv8Tb4h8Ue0VwEgGqHnFA1sM"',
      ...HTML,
    },
    'Too many requests, please try again later.',
  ],
  [
    'express-rate-limit 8',
    {
      ratelimit: '"100-in-15min"; r=0; t=1',
      'ratelimit-policy': '"100-in-15min"; q=100; w=900; pk=:ZjdiM2E5YjU4NTM2:',
      ...JSON_TYPE,
    },
    '{"error":"Too many requests from this IP, please try again later."}',
  ],
  [
    'Fastify',
    { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1', ...JSON_TYPE },
    '{"statusCode":429,"error":"Too Many Requests","message":"Rate limit exceeded, retry in 1 second"}',
  ],
  [
    'express-rate-limit, its first headers',
    {
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1795082400',
      'retry-after': '60',
    },
    'Too many requests, please try again later.',
  ],
  [
    'express-rate-limit 7',
    {
      ratelimit: 'limit=5, remaining=0, reset=60',
      'ratelimit-policy': '5;w=60',
      'retry-after': '60',
      ...HTML,
    },
    'Too many requests, please try again later.',
  ],
  [
    'NestJS, a throttler by its name',
    {
      'x-powered-by': 'Express',
      'x-ratelimit-limit-short': '3',
      'x-ratelimit-remaining-short': '0',
      'x-ratelimit-reset-short': '1',
      'retry-after-short': '1',
      ...JSON_TYPE,
    },
    '{"statusCode":429,"message":"ThrottlerException: Too Many Requests"}',
  ],
  [
    'NestJS, several throttlers',
    { 'x-ratelimit-limit-medium': '20', 'x-ratelimit-remaining-long': '99', 'retry-after-medium': '10' },
    '{"statusCode":429,"message":"ThrottlerException: Too Many Requests"}',
  ],
  ['NestJS', JSON_TYPE, '{"statusCode":429,"message":"ThrottlerException: Too Many Requests"}'],
  ['Hono', TEXT, 'Too many requests, please try again later.'],
  ['Koa', TEXT, 'Rate limit exceeded, retry in 1 minute.'],
  [
    'Flask-Limiter',
    { server: 'gunicorn', ...HTML },
    '<!doctype html>\n<html lang=en>\n<title>429 Too Many Requests</title>\n<h1>Too Many Requests</h1>\n<p>5 per 1 minute</p>\n',
  ],
  ['slowapi', { server: 'uvicorn', ...JSON_TYPE }, '{"error":"Rate limit exceeded: 5 per 1 minute"}'],
  [
    'Django REST framework',
    { allow: 'POST, OPTIONS', vary: 'Accept, Cookie', 'retry-after': '1', ...JSON_TYPE },
    '{"detail":"Request was throttled. Expected available in 1 second."}',
  ],
  [
    'Django REST framework, many seconds',
    { ...JSON_TYPE },
    '{"detail":"Request was throttled. Expected available in 86399 seconds."}',
  ],
  [
    'GitLab',
    {
      'ratelimit-limit': '60',
      'ratelimit-name': 'throttle_authenticated_api',
      'ratelimit-observed': '67',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1795082400',
      'ratelimit-resettime': 'Thu, 19 Nov 2026 10:00:00 GMT',
      'retry-after': '30',
      ...TEXT,
    },
    'Retry later\n',
  ],
  ['Rack::Attack', { 'retry-after': '1', 'x-runtime': '0.001', ...TEXT }, 'Retry later\n'],
  [
    'Laravel',
    {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'set-cookie':
        'XSRF-TOKEN=eyJpdiI6; expires=Thu, 19-Nov-2026 12:00:00 GMT; Max-Age=7200; path=/; samesite=lax',
      ...JSON_TYPE,
    },
    '{"message":"Too Many Attempts."}',
  ],
  [
    'Laravel, all of its counts',
    {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'retry-after': '59',
      'x-ratelimit-reset': '1795082400',
    },
    '{"message":"Too Many Attempts."}',
  ],
  ['Rails', { 'x-request-id': '0f1e2d3c-4b5a-4968-8776-655443322110', 'x-runtime': '0.004', ...HTML }, ''],
  [
    'Flask-Limiter, its counts',
    {
      'x-ratelimit-limit': '5',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1795082400',
      'retry-after': '59',
    },
    '<!doctype html>\n<html lang=en>\n<title>429 Too Many Requests</title>\n<h1>Too Many Requests</h1>\n<p>5 per 1 minute</p>\n',
  ],
  [
    'fastapi-limiter',
    { server: 'uvicorn', 'retry-after': '1', ...JSON_TYPE },
    '{"detail":"Too Many Requests"}',
  ],
  [
    'httprate',
    {
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-increment': '1',
      'x-ratelimit-reset': '1795082400',
      'retry-after': '60',
      'x-content-type-options': 'nosniff',
      ...TEXT,
    },
    'Too Many Requests\n',
  ],
  [
    'go-limiter',
    {
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': 'Thu, 19 Nov 2026 10:00:00 UTC',
      'retry-after': 'Thu, 19 Nov 2026 10:00:00 UTC',
      ...TEXT,
    },
    'Too Many Requests\n',
  ],
  [
    'rate-limiter-flexible, as its README has it',
    {
      'retry-after': '1',
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': 'Thu Nov 19 2026 18:00:01 GMT+0000 (Coordinated Universal Time)',
      ...TEXT,
    },
    'Too Many Requests',
  ],
  [
    'ulule/limiter',
    { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795082400', ...TEXT },
    'Limit exceeded',
  ],
  [
    'Symfony, its wait',
    { 'x-ratelimit-retry-after': '12', 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0' },
    '',
  ],
  [
    'Spring',
    JSON_TYPE,
    '{"timestamp":"2026-11-19T10:00:00.000+00:00","status":429,"error":"Too Many Requests","path":"/mcp"}',
  ],
  ['Bucket4j', { 'x-rate-limit-retry-after-seconds': '1', ...JSON_TYPE }, '{"message":"Too many requests!"}'],
  [
    'ASP.NET',
    { 'content-type': 'application/problem+json' },
    '{"type":"https://tools.ietf.org/html/rfc6585#section-4","title":"Too Many Requests","status":429,"traceId":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00"}',
  ],
  ['AspNetCoreRateLimit', TEXT, 'API calls quota exceeded! maximum admitted 2 per 1s.'],
  ['tower-governor', { 'retry-after': '1', 'x-ratelimit-after': '1' }, 'Too Many Requests! Wait for 1s'],
  [
    'tower-governor, with its counts',
    {
      'retry-after': '1',
      'x-ratelimit-after': '1',
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-whitelisted': 'false',
      ...TEXT,
    },
    'Too Many Requests! Wait for 1s',
  ],
  [
    'actix-governor',
    {
      'retry-after': '1',
      'x-ratelimit-after': '1',
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      ...TEXT,
    },
    'Too many requests, retry in 1s',
  ],
  ['Tollbooth', TEXT, 'You have reached maximum request limit.'],
  [
    'Tollbooth, whom it turns away',
    {
      'x-rate-limit-limit': '1.00',
      'x-rate-limit-duration': '1',
      'x-rate-limit-request-remote-addr': '127.0.0.1:5000',
      'x-rate-limit-request-forwarded-for': '203.0.113.7, 10.0.0.1',
      ...TEXT,
    },
    'You have reached maximum request limit.',
  ],
  [
    'Tollbooth, of the newer network',
    { 'x-rate-limit-request-remote-addr': '[2001:db8::7]:5000', 'x-rate-limit-request-forwarded-for': '' },
    'You have reached maximum request limit.',
  ],
  [
    'Symfony',
    { 'x-ratelimit-remaining': '0', 'content-type': 'application/problem+json' },
    '{"type":"https://tools.ietf.org/html/rfc2616#section-10","title":"An error occurred","status":429,"detail":"Too Many Requests"}',
  ],
  ['Echo', JSON_TYPE, '{"message":"rate limit exceeded"}'],
  [
    'an MCP server',
    JSON_TYPE,
    '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Too many requests"},"id":null}',
  ],
  ['a code and no data', JSON_TYPE, '{"code":429,"message":"Too many requests","data":null}'],
  ['an error that is so', JSON_TYPE, '{"error":true,"message":"Too many requests"}'],
  ['a success that is none', JSON_TYPE, '{"success":false,"message":"Too many requests"}'],
  [
    'Helmet',
    {
      'content-security-policy': "default-src 'self';base-uri 'self'",
      'cross-origin-opener-policy': 'same-origin',
      'origin-agent-cluster': '?1',
      'x-dns-prefetch-control': 'off',
      'x-download-options': 'noopen',
      'x-permitted-cross-domain-policies': 'none',
      'x-xss-protection': '0',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'Mcp-Session-Id, Retry-After',
    },
    'Too Many Requests',
  ],
];

/** All of them, by what they are. */
export const DOORS: readonly (readonly [what: string, doors: readonly Door[]])[] = [
  ['a proxy', PROXIES],
  ['a gateway', GATEWAYS],
  ['a cloud', CLOUDS],
  ['a host', HOSTS],
  ['a framework', FRAMEWORKS],
];
