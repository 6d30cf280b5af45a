import { describe, expect, it } from 'vitest';
import { credentialsIn, isCredential, unclearIn } from './credentials.ts';

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

  it.each(
    `AWSELBAuthSessionCookie-0 AWSALBAuth AWSALBTGUser ARRAffinityUser BIGipAuthSession TS01token __cf_access _ga_auth
    _gid_token incap_user amplitude_user ajs_user_id lb_user SERVERID_token mp_session bm_user nlbi_user`.split(
      /\s+/,
    ),
  )('is the cookie %s, whose name only begins like one of the way', (name) =>
    expect(credentialsIn([['Cookie', `${name}=1`]])).toBeDefined(),
  );

  it.each(
    `AWSALB AWSALBCORS AWSALBTG AWSALBTGCORS AWSELB AWSELBCORS AWSALBAPP-0 ARRAffinity ARRAffinitySameSite GCLB BIGipServerpool
    TS01a1b2c3 citrix_ns_id __cf_bm __cflb _cfuvid cf_clearance incap_ses_7_1 visid_incap_7 nlbi_7 ak_bmsc bm_sz _abck datadome
    SERVERID INGRESSCOOKIE _ga _ga_AB12CD34EF _gid _gcl_au _fbp _pk_id.1.ab12 mp_ab12_mixpanel`.split(/\s+/),
  )('is not the cookie %s', (name) => expect(credentialsIn([['Cookie', `${name}=1`]])).toBeUndefined());

  it.each(
    `X-Pin X-Pass X-Passport X-Ticket X-Owner X-On-Behalf-Of X-Scope-OrgID X-Mcp-User From X-Impersonate-User
    X-Forwarded-Email X-Goog-Authenticated-User-Email CF-Access-Authenticated-User-Email X-Original-Authorization`.split(
      /\s+/,
    ),
  )('%s', (name) => expect(isCredential(name)).toBe(true));

  it.each([
    ['X-Db-Url', 'postgres://ann:pw1@h/d'],
    ['X-Connection-String', 'Server=h;User=ann;Password=pw1'],
    ['X-Storage', 'DefaultEndpointsProtocol=https;AccountName=a;AccountKey=k'],
  ])('%s: %s, by the password in it', (name, value) => {
    expect(isCredential(name)).toBe(false);
    expect(isCredential(name, value)).toBe(true);
  });

  it('is the scheme of Authorization in any case, and whoever signs without the signature', () => {
    const by = (value: string) => credentialsIn([['Authorization', value]]);
    expect(by('bearer Abc')).toBe(by('Bearer Abc'));
    expect(by('Bearer abc')).not.toBe(by('Bearer Abc'));
    const signed = (who: string, signature: string) =>
      by(
        `AWS4-HMAC-SHA256 Credential=${who}/20261118/eu/mcp/aws4_request, SignedHeaders=host, Signature=${signature}`,
      );
    expect(signed('ANN', '1')).toBe(signed('ANN', '2'));
    expect(signed('BOB', '1')).not.toBe(signed('ANN', '1'));
  });

  it('is every parameter of the address, but for the session', () => {
    const at = (query: string) => credentialsIn([], new URLSearchParams(query));
    for (const name of ['code', 'config', 'sig', 'pat', 'pass', 'profile', 'session', 'workspace', 'k'])
      expect(at(`${name}=a`)).not.toBe(at(`${name}=b`));
    expect(at('a=1&b=2')).toBe(at('b=2&a=1'));
    expect(at('sessionId=1')).toBeUndefined();
    expect(at('session_id=1')).toBeUndefined();
  });

  it('is nothing where nothing tells', () => {
    expect(credentialsIn([['accept', '*/*']])).toBeUndefined();
    expect(credentialsIn([['x-api-key', undefined]])).toBeUndefined();
    expect(credentialsIn(new Headers())).toBeUndefined();
  });
});

describe('of what nobody can say whether it tells', () => {
  it.each(
    `X-Session-Id X-Workspace X-Otp X-Profile-Id X-Whatever X-Forwarded-Session X-Forwarded-Workspace X-Trace-Token
    X-Correlation-Key X-Forwarded-Groups X-Forwarded-Roles Remote-Groups`.split(/\s+/),
  )('%s', (name) => {
    expect(unclearIn([[name, 'a']])).not.toBe('');
    expect(unclearIn([[name, 'a']])).not.toBe(unclearIn([[name, 'b']]));
  });

  it.each(
    `Accept Accept-Encoding Connection Content-Length Host User-Agent X-Forwarded-For X-Real-IP Via X-Amzn-Trace-Id X-Amz-Cf-Id
    X-Forwarded X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port X-Forwarded-Server X-Forwarded-Prefix X-Forwarded-Client-Ip
    X-Trace-Id X-User-Trace-Id
    CF-Ray CF-Connecting-IP CDN-Loop X-Cloud-Trace-Context X-Envoy-Expected-Rq-Timeout-Ms X-Azure-Ref X-ARR-LOG-ID Fly-Request-Id
    X-Vercel-Id X-NF-Request-ID Fastly-Client-IP X-Varnish True-Client-IP X-Request-Start traceparent tracestate baggage b3
    X-B3-TraceId sentry-trace x-datadog-parent-id X-Request-Id X-Req-Id X-Correlation-Id X-Stainless-Retry-Count amz-sdk-request
    X-Amz-Date Date Signature-Input DPoP Sec-Fetch-Mode Mcp-Session-Id Mcp-Param-Region Last-Event-ID Priority TE
    Authorization Cookie X-API-Key`.split(/\s+/),
  )('not %s', (name) => expect(unclearIn([[name, 'a']])).toBe(''));
});
