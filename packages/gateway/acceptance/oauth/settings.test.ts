/** Mistakes in what is under `oauth`, from docs/oauth.md: told with their line, and nothing is started. */
import { describe, expect, it } from 'vitest';
import { refusedGateway } from '../support/gateway.ts';
import '../support/policy.ts';

const issuer = (more = ''): string => `  issuers:
    - name: login
      issuer: https://login.example.com
${more}`;
const file = (oauth: string, rest = ''): string => `oauth:
  resource: https://mcp.example.com
${oauth}
${rest}
upstreams:
  u: { url: http://127.0.0.1:9/mcp }
`;

describe('a mistake of the configuration', () => {
  it.each([
    ['HS256', file(issuer('      algorithms: [HS256]')), 'algorithms'],
    ['none', file(issuer('      algorithms: [RS256, none]')), 'algorithms'],
    ['HS512', file(issuer('      algorithms: [HS512]')), 'algorithms'],
    ['more than five minutes', file(`  clock_tolerance_ms: 300001\n${issuer()}`), 'clock_tolerance_ms'],
    [
      'an issuer without TLS elsewhere',
      file('  issuers: [{ name: a, issuer: "http://login.example.com" }]'),
      'issuer',
    ],
    ['keys without TLS elsewhere', file(issuer('      jwks_url: http://login.example.com/jwks')), 'jwks_url'],
    [
      'a key with the name of a caller',
      file(issuer(), 'keys: [{ name: "login:ann", key: "0123456789abcdef" }]'),
      'keys',
    ],
    ['an unknown setting', file(issuer('      audience: [x]')), 'audience'],
    [
      'a token and a header for the same server',
      `${file(issuer())}  s: { url: "https://s.example/mcp", token_audience: "https://s.example", headers: { authorization: "Bearer abcdefgh" } }\n`,
      'token_audience',
    ],
    [
      'the same in capitals',
      `${file(issuer())}  s: { url: "https://s.example/mcp", token_audience: "https://s.example", headers: { Authorization: "Bearer abcdefgh" } }\n`,
      'token_audience',
    ],
  ])('%s', async (_why, text, setting) => {
    const { code, log } = await refusedGateway(text, 18_000);
    expect([code, log]).not.toEqual(['started', log]);
    expect(code).not.toBe('SIGKILL');
    expect(log).toContain('the configuration cannot be used');
    expect(log).toMatch(new RegExp(`mayday\\.yaml:\\d+: .*${setting}`));
  });
});
