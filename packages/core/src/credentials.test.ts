import { describe, expect, it } from 'vitest';
import { credentialsIn, isCredential } from './credentials.ts';

describe('what tells who sends a request', () => {
  it.each(
    `Authorization Proxy-Authorization Cookie X-API-Key api-key apikey X-Auth-Token X-Access-Token Private-Token
    X-Vault-Token x-amz-security-token Ocp-Apim-Subscription-Key X-Functions-Key x-goog-api-key X-Secret
    X-Forwarded-Client-Cert X-SSL-Client-Cert X-ARR-ClientCert ssl-client-s-dn CF-Access-Jwt-Assertion
    CF-Access-Client-Id CF-Access-Client-Secret X-Forwarded-User X-Auth-Request-Email Remote-User X-User-Id
    X-MS-Client-Principal X-Tenant-Id X-Account-Id X-Consumer-Username X-Endpoint-API-UserInfo X-Userinfo X-Amzn-Oidc-Data X-Grafana-Id OIDC_CLAIM_sub X-Actor
    api_key access_token token key`.split(/\s+/),
  )('%s', (name) => expect(isCredential(name)).toBe(true));

  it.each(
    `User-Agent Idempotency-Key Sec-WebSocket-Key Mcp-Session-Id Mcp-Name Mcp-Method X-CSRF-Token X-XSRF-Token
    XSRFToken DPoP X-Request-Id X-User-Request-Id X-Correlation-Id traceparent Date X-Amz-Date X-Nonce
    X-Hub-Signature Accept Content-Type Content-Length Host Origin Referer X-Forwarded-For sessionId
    Accept-Language Connection Retry-After Cache-Control Mayday-Dialect X-Cache-Key`.split(/\s+/),
  )('not %s', (name) => expect(isCredential(name)).toBe(false));

  it('is compared whole, in whatever order and case it came', () => {
    const one = credentialsIn([
      ['X-API-Key', 'a'],
      ['cookie', ['s=1', 't=2']],
      ['accept', '*/*'],
    ]);
    const other = credentialsIn(
      new Headers([
        ['cookie', 's=1,t=2'],
        ['x-api-key', 'a'],
      ]),
    );
    expect(one).toBe(other);
    expect(credentialsIn([['x-api-key', 'b']])).not.toBe(credentialsIn([['x-api-key', 'a']]));
    expect(credentialsIn([['x-api-key', 'a"],["cookie","b']])).not.toBe(
      credentialsIn([
        ['x-api-key', 'a'],
        ['cookie', 'b'],
      ]),
    );
  });

  it.each([
    ['AWSALB=1; AWSALBCORS=1', undefined],
    ['__cf_bm=a.b; _ga=GA1.2; BIGipServer~pool=7', undefined],
    ['AWSALB=1; session=ada', '["cookie","session=ada"]'],
    ['b=2; a=1', '["cookie","a=1; b=2"]'],
  ])('is no cookie of the way here: %s', (cookie, said) => {
    expect(credentialsIn([['Cookie', cookie]])).toBe(said);
  });

  it('is nothing where nothing tells', () => {
    expect(credentialsIn([['accept', '*/*']])).toBeUndefined();
    expect(credentialsIn([['x-api-key', undefined]])).toBeUndefined();
    expect(credentialsIn(new Headers())).toBeUndefined();
  });
});
