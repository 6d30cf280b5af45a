/** The issuer of access tokens: its keys, how often it is asked for them, and what is said where it is missed. */
import { describe, expect, it } from 'vitest';
import { bearer, startIssuer } from '../issuer.ts';
import { ECHO, forged, house, issuer, oauthOf, refusal, withIssuer } from '../token-house.ts';
import { open, post, until } from '../tools.ts';

withIssuer();

describe('the issuer', () => {
  const status = async (url: string, token: string): Promise<number> =>
    (await post(`${url}/a/mcp`, ECHO, bearer(token))).status;

  it('may exchange its keys', async () => {
    const gateway = await open(house());
    expect(await status(gateway.url, await issuer.token())).toBe(200);
    await issuer.rotate();
    const token = await issuer.token();
    const statuses: number[] = [];
    await until(async () => {
      statuses.push(await status(gateway.url, token));
      return statuses.at(-1) === 200;
    });
    expect(new Set(statuses)).toEqual(new Set([401, 200]));
  });

  it.each([
    ['have no name', undefined],
    ['have one and the same name', 'current'],
  ])(
    'may exchange keys that %s',
    async (_how, kid) => {
      const named = async (): Promise<string> => {
        for (const key of issuer.keys) Object.assign(key, { kid });
        return issuer.token({}, { kid });
      };
      const first = await named();
      const gateway = await open(house());
      expect(await status(gateway.url, first)).toBe(200);
      await issuer.rotate();
      const token = await named();
      await until(async () => (await status(gateway.url, token)) === 200);
      expect(issuer.asked.filter((path) => path === '/jwks').length).toBe(2);
    },
    20_000,
  );

  it('is not asked for its keys by a token that one of them has signed', async () => {
    const spare = await startIssuer();
    issuer.keys.push(...spare.keys);
    for (const key of issuer.keys) Object.assign(key, { kid: undefined });
    const gateway = await open(house());
    const nameless = { kid: undefined };
    expect(await status(gateway.url, await issuer.token({}, nameless))).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 5200)); // they may be asked for again
    expect(await status(gateway.url, await issuer.token({ exp: 1 }, nameless))).toBe(401);
    expect(gateway.logs.at(-1)).toContain('reason=expired');
    expect(issuer.asked.filter((path) => path === '/jwks').length).toBe(1);
  });

  it('is not asked for every key that somebody makes up', async () => {
    const gateway = await open(house());
    await status(gateway.url, await issuer.token());
    for (let i = 0; i < 20; i++) await status(gateway.url, await issuer.token({}, { kid: `made-up-${i}` }));
    expect(issuer.asked.filter((path) => path === '/jwks').length).toBeLessThanOrEqual(2);
  });

  it('is missed where it is needed, and only there', async () => {
    await issuer.stop();
    const keys = [{ name: 'ci', key: 'key-of-the-ci' }];
    const gateway = await open(house({ keys }));
    for (const token of [await issuer.token(), forged()]) {
      const posted = await post(`${gateway.url}/a/mcp`, ECHO, bearer(token));
      expect([posted.status, posted.headers.get('retry-after')]).toEqual([503, '1']);
      expect(posted.message.error?.data).toMatchObject({
        kind: 'unavailable',
        message: 'Access tokens cannot be checked now',
      });
    }
    expect(await status(gateway.url, 'key-of-the-ci')).toBe(200);
    expect(gateway.logs.join('\n')).toContain(
      'oauth issuer=login cannot be asked for its keys: http://127.0.0.1',
    );
    await issuer.start();
    const token = await issuer.token();
    await until(async () => (await status(gateway.url, token)) === 200);
    expect(gateway.logs.join('\n')).toContain('oauth issuer=login answers again');
    await issuer.stop();
    expect(await status(gateway.url, await issuer.token({ jti: 'new' }))).toBe(200); // its keys are known
  });

  const told = async (logs: readonly string[]): Promise<string> => {
    await until(() => logs.some((line) => line.startsWith('oauth ')));
    return logs.find((line) => line.startsWith('oauth ')) ?? '';
  };

  it.each([
    [
      'it is another issuer',
      () => ({ issuer: 'https://other.example', jwks_uri: `${issuer.url}/jwks` }),
      'is the document of another issuer',
    ],
    [
      'its keys are where anybody could exchange them',
      () => ({ issuer: issuer.url, jwks_uri: 'http://keys.example/jwks' }),
      'names no keys (jwks_uri) with https',
    ],
    ['it has no keys', () => ({ issuer: issuer.url }), 'names no keys (jwks_uri) with https'],
    ['nothing can be read', () => undefined, 'answers with something else than JSON'],
  ])('is not believed when its document says that %s', async (_what, document, said) => {
    issuer.answer((request, response) => {
      const isKeys = request.url === '/jwks';
      response.end(JSON.stringify(isKeys ? { keys: issuer.keys } : document()) ?? '<html>');
    });
    const gateway = await open(house());
    expect(await status(gateway.url, await issuer.token())).toBe(503);
    expect(await told(gateway.logs)).toContain(said);
  });

  it.each([
    ['sends elsewhere', 302, 'does not answer'],
    ['fails', 500, 'answers with status 500'],
    ['has something else', 200, 'JSON Web Key Set malformed'],
  ])('is missed when it %s', async (_what, code, said) => {
    issuer.answer((request, response) => {
      const isElsewhere = request.url === '/elsewhere';
      response.writeHead(isElsewhere ? 200 : code, { location: `${issuer.url}/elsewhere` });
      response.end(JSON.stringify({ keys: isElsewhere || code !== 200 ? issuer.keys : 'none' }));
    });
    const gateway = await open(house({ oauth: oauthOf({}, { jwks_url: `${issuer.url}/jwks` }) }));
    expect(await status(gateway.url, await issuer.token())).toBe(503);
    expect(await told(gateway.logs)).toContain(said);
  });

  it('is missed when it says too much', async () => {
    issuer.answer((_request, response) => {
      response.end(JSON.stringify({ keys: issuer.keys, more: 'x'.repeat(1_048_576) }));
    });
    const gateway = await open(house({ oauth: oauthOf({}, { jwks_url: `${issuer.url}/jwks` }) }));
    expect(await status(gateway.url, await issuer.token())).toBe(503);
  });

  it('signs as the settings allow, and in no other way', async () => {
    const gateway = await open(house({ oauth: oauthOf({}, { algorithms: ['RS256', 'ES384'] }) }));
    expect(await status(gateway.url, await issuer.token())).toBe(401);
    expect(await refusal(gateway.logs)).toContain('reason=algorithm');
  });
});
