/** The 429 of a service that a server asked, handed on with its body: the call had been let in, and may be done. */
import { describe, expect, it } from 'vitest';
import { type Executed, read } from '../src/index.ts';

function executed(
  body: string,
  headers: object = { 'content-type': 'application/json' },
): Executed | 'success' {
  const reading = read({ http: { status: 429, headers, body } }, { called: { type: 'tool', id: 'pay' } });
  return reading.failure ? reading.fault.executed : 'success';
}

const rpc = (message: string, data?: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32000, message, data } });

/** Bodies as the services send them. */
const VENDORS: readonly (readonly [string, string])[] = [
  [
    'Anthropic, tokens of a request',
    '{"type":"error","error":{"type":"rate_limit_error","message":"Number of request tokens has exceeded your per-minute rate limit"}}',
  ],
  [
    'Anthropic, tokens per minute',
    '{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization\'s rate limit of 50,000 input tokens per minute."},"request_id":"req_011"}',
  ],
  [
    'Anthropic, requests',
    '{"type":"error","error":{"type":"rate_limit_error","message":"Number of requests has exceeded your rate limit"}}',
  ],
  [
    'Groq',
    '{"error":{"message":"Rate limit reached for model in organization on tokens per minute (TPM)","type":"tokens","code":"rate_limit_exceeded"}}',
  ],
  [
    'OpenAI, tokens',
    '{"error":{"message":"Rate limit exceeded","type":"tokens","param":null,"code":"rate_limit_exceeded"}}',
  ],
  [
    'Gemini',
    '{"error":{"code":429,"message":"Resource exhausted. Please try again later.","status":"RESOURCE_EXHAUSTED"}}',
  ],
  [
    'Google, a quota',
    '{"error":{"code":429,"message":"Quota exceeded","errors":[{"message":"Quota exceeded","reason":"rateLimitExceeded"}],"status":"RESOURCE_EXHAUSTED"}}',
  ],
  [
    'Mistral',
    '{"object":"error","message":"Requests rate limit exceeded","type":"rate_limited","param":null,"code":"1300"}',
  ],
  ['Cohere', '{"message":"You are using a Trial key, which is limited to 10 API calls / minute"}'],
  ['AWS', '{"__type":"ThrottlingException","message":"Rate exceeded"}'],
  ['AWS, a name', '{"code":"ThrottlingException","message":"Rate exceeded"}'],
  [
    'AWS, with a space of names',
    '{"__type":"com.amazonaws.ses#Throttling","message":"Maximum sending rate exceeded."}',
  ],
  ['AWS, a message', '{"Message":"Rate exceeded"}'],
  ['AWS, pages of XML', '<Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error>'],
  [
    'Azure Storage',
    '<?xml version="1.0" encoding="utf-8"?><Error><Code>ServerBusy</Code><Message>The server is busy.</Message></Error>',
  ],
  ['Postmark', '{"ErrorCode":429,"Message":"Rate limit exceeded."}'],
  ['Xero', '{"Type":null,"Title":"Too Many Requests","Status":429,"Detail":"Rate limit exceeded"}'],
  [
    'QuickBooks',
    '{"Fault":{"Error":[{"Message":"message=ThrottleExceeded; errorCode=003001; statusCode=429"}],"type":"SERVICE"}}',
  ],
  [
    'Airtable',
    '{"errors":[{"error":"RATE_LIMIT_REACHED","message":"Rate limit exceeded. Please try again later"}]}',
  ],
  ['SendGrid', '{"errors":[{"field":null,"message":"too many requests"}]}'],
  ['Square', '{"errors":[{"category":"RATE_LIMIT_ERROR","code":"RATE_LIMITED","detail":"Rate limited"}]}'],
  ['Asana', '{"errors":[{"message":"You have made too many requests recently. Please, be chill."}]}'],
  ['JSON:API', '{"errors":[{"status":"429","title":"Too Many Requests"}]}'],
  ['Jira', '{"errorMessages":["Rate limit exceeded."],"errors":{}}'],
  ['Salesforce', '[{"message":"Request limit exceeded","errorCode":"REQUEST_LIMIT_EXCEEDED"}]'],
  ['Slack', '{"ok":false,"error":"ratelimited","warning":"slow_down"}'],
  [
    'Telegram',
    '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 3","parameters":{"retry_after":3}}',
  ],
  [
    'Mailchimp',
    '{"type":"https://mailchimp.com/developer/marketing/docs/errors/","title":"Too Many Requests","status":429,"detail":"You have exceeded the limit of 10 simultaneous connections.","instance":"abc"}',
  ],
  [
    'PayPal',
    '{"name":"RATE_LIMIT_REACHED","message":"Too many requests. Blocked due to rate limiting.","debug_id":"abc"}',
  ],
  ['Adyen', '{"status":429,"errorCode":"000","message":"Too many requests","errorType":"validation"}'],
  ['Discord', '{"message":"You are being rate limited.","retry_after":0.5,"global":false}'],
  [
    'OpenAI, requests',
    '{"error":{"message":"Rate limit exceeded","type":"requests","param":null,"code":"rate_limit_exceeded"}}',
  ],
  [
    'OpenAI, without a type',
    '{"error":{"message":"Rate limit exceeded","param":null,"code":"rate_limited"}}',
  ],
  [
    'GitHub',
    '{"message":"API rate limit exceeded","documentation_url":"https://docs.github.com/rest/overview/rate-limits"}',
  ],
  [
    'GitHub, a secondary limit',
    '{"message":"You have exceeded a rate limit. Please wait a few minutes before you try again.","documentation_url":"https://docs.github.com/rest"}',
  ],
  [
    'GitLab',
    '{"message":"Rate limit exceeded","help":"https://docs.gitlab.com/ee/security/rate_limits.html"}',
  ],
  [
    'Stripe',
    '{"error":{"message":"Request rate limit exceeded","doc_url":"https://stripe.com/docs/rate-limits"}}',
  ],
  [
    'Azure',
    '{"error":{"code":"429","message":"Requests have exceeded call rate limit. Please retry after 5 seconds."}}',
  ],
  ['Azure, in short', '{"error":{"code":"429","message":"Rate limit is exceeded. Try again in 3 seconds."}}'],
  ['Twilio', '{"code":20429,"message":"Too Many Requests","status":429}'],
];

describe('the limit of another service proves nothing about this call', () => {
  it.each(VENDORS)('%s', (_, body) => {
    expect(executed(body)).toBe('maybe');
  });

  it.each(VENDORS)('%s, without a type', (_, body) => {
    expect(executed(body, {})).toBe('maybe');
  });

  it.each(VENDORS)('%s, as data and in the words of JSON-RPC', (_, body) => {
    expect(executed(rpc('Too many requests', body.startsWith('<') ? body : JSON.parse(body)))).toBe('maybe');
    expect(executed(rpc(`429 ${body}`))).toBe('maybe');
  });

  it.each([
    'Token rate limit exceeded',
    '<ERROR>Rate limit exceeded</ERROR>',
    '<message>Rate limit exceeded</message>',
    'Tokens per minute limit exceeded',
    'Rate limit exceeded: 50000 tokens per minute',
    'Rate limit exceeded, 100 tokens remaining',
    'ThrottlingException: Rate exceeded',
    'TooManyRequestsException: Rate exceeded',
    'RateLimitError: Rate limit exceeded',
    '8 RESOURCE_EXHAUSTED: Quota exceeded',
  ])('in words: %s', (words) => {
    expect([executed(words, {}), executed(rpc(words))]).toEqual(['maybe', 'maybe']);
  });

  it.each([
    '{"message":"Rate limit exceeded","tokens":0}',
    '{"message":"Rate limit exceeded","remaining_tokens":0}',
    '{"Limit":60}',
    '{"error":{"Retry":3}}',
    '{"_retry":3}',
    '{"TYPE":"error"}',
  ])('by a member: %s', (body) => {
    expect(executed(body)).toBe('maybe');
  });
});

describe('the limit of a door is its own', () => {
  it.each([
    ['Kong', '{"message":"API rate limit exceeded"}'],
    ['Kong, with its id', '{"message":"API rate limit exceeded","request_id":"4bf92f35"}'],
    ['API Gateway', '{"message":"Too Many Requests"}'],
    ['API Gateway, a quota', '{"message":"Limit Exceeded"}'],
    ['API Management', '{"statusCode":429,"message":"Rate limit is exceeded. Try again in 53 seconds."}'],
    [
      'Fastify',
      '{"statusCode":429,"error":"Too Many Requests","message":"Rate limit exceeded, retry in 1 minute"}',
    ],
    ['NestJS', '{"statusCode":429,"message":"Too Many Requests"}'],
    ['Express', 'Too many requests, please try again later.'],
    ['Envoy', 'local_rate_limited'],
    ['SlowAPI', '{"error":"Rate limit exceeded: 5 per 1 minute"}'],
    [
      'Spring',
      '{"timestamp":"2026-11-18T10:00:00.000+00:00","status":429,"error":"Too Many Requests","path":"/mcp"}',
    ],
    ['a problem', '{"type":"about:blank","title":"Too Many Requests","status":429}'],
    [
      'nginx',
      '<html>\r\n<head><title>429 Too Many Requests</title></head>\r\n<body>\r\n<center><h1>429 Too Many Requests</h1></center>\r\n<hr><center>nginx/1.24.0</center>\r\n</body>\r\n</html>\r\n',
    ],
    ['grpc-gateway', '{"code":8,"message":"Quota exceeded","details":[]}'],
    ['JSON-RPC', rpc('Rate limit exceeded', { retryAfter: 3, limit: 60 })],
    [
      'an error by its code',
      '{"error":{"code":"rate_limit_exceeded","message":"Rate limit exceeded","type":"requests"}}',
    ],
    [
      'a page of its own',
      '{"message":"Too many requests","documentation_url":"https://docs.acme.example/limits"}',
    ],
    [
      'a page of a name that only ends alike',
      '{"message":"Too many requests","help":"https://notgithub.com/docs"}',
    ],
    ['a code that is a number', '{"error":{"code":429,"message":"Too many requests"}}'],
    ['a code in its place', '{"code":"429","message":"Too many requests"}'],
    [
      'an argument that there is none of',
      '{"error":{"type":"rateLimitExceeded","code":429,"message":"Slow down","param":null}}',
    ],
    ['a name of the failure', '{"error":{"code":"too_many_requests","message":"Too many requests"}}'],
    ['requests per minute', 'Rate limit exceeded: 60 requests per minute'],
    ['nothing', ''],
  ])('%s', (_, body) => {
    expect(executed(body, {})).toBe('no');
  });
});
