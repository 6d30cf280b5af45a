import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resolveSettings } from '../settings/resolve.ts';
import { createCallers } from './callers.ts';
import { createKeys } from './keys.ts';
import { createOAuth } from './oauth/oauth.ts';
import { Stranger } from './stranger.ts';

const { settings } = resolveSettings({
  keys: [
    { name: 'ci', key: 'ci-secret-1' },
    { name: 'odd', key: 'looks.like.a-token' },
  ],
  oauth: {
    resource: 'https://mcp.example.com',
    issuers: [{ name: 'login', issuer: 'https://login.invalid' }],
  },
  upstreams: { a: { url: 'https://a.example/mcp' } },
});
const oauth = createOAuth(settings.oauth, () => undefined);
const CALLERS = createCallers(createKeys(settings.keys, undefined, true), oauth);

function asked(authorization: string | undefined, url = '/a/mcp') {
  const rawHeaders = authorization === undefined ? [] : ['Authorization', authorization];
  return { url, headers: { authorization }, rawHeaders };
}

it('knows keys first, also those that look like tokens', () => {
  expect(CALLERS.find(asked('Bearer ci-secret-1'), '/a/mcp')).toMatchObject({ name: 'ci' });
  expect(CALLERS.find(asked('Bearer looks.like.a-token'), '/a/mcp')).toMatchObject({ name: 'odd' });
  expect(CALLERS.known(asked('Bearer looks.like.a-token'), '/a/mcp')).toMatchObject({ name: 'odd' });
});

it('knows nobody who says nothing, and strangers by what is wrong with them', async () => {
  expect(CALLERS.find(asked(undefined), '/a/mcp')).toBeUndefined();
  expect(await CALLERS.find(asked('Bearer opaque'), '/a/mcp')).toMatchObject({ reason: 'unknown' });
  expect(await CALLERS.find(asked('Basic YTpi'), '/a/mcp')).toMatchObject({ reason: 'unknown' });
  const five = `Bearer ${Array(5).fill('e30').join('.')}`;
  expect(await CALLERS.find(asked(five), '/a/mcp')).toMatchObject({ reason: 'unknown' }); // encrypted
  expect(await CALLERS.find(asked('Bearer e30.e30.e30'), '/a/mcp')).toMatchObject({ reason: 'malformed' });
});

it('takes nothing beside a token in the address, and nothing that is there twice', async () => {
  const key = 'Bearer ci-secret-1';
  expect(await CALLERS.find(asked(key, '/a/mcp?access_token='), '/a/mcp')).toMatchObject({
    reason: 'in the query',
  });
  expect(CALLERS.known(asked(key, '/a/mcp?access_token=x'), '/a/mcp')).toBeUndefined();
  expect(await CALLERS.find(asked(key, '/a/mcp?token=x'), '/a/mcp')).toMatchObject({ name: 'ci' });
  const twice = { ...asked(key), rawHeaders: ['authorization', key, 'AUTHORIZATION', key] };
  expect(await CALLERS.find(twice, '/a/mcp')).toMatchObject({ reason: 'two Authorization headers' });
});

it('never throws, and finds nobody by chance', async () => {
  const part = fc.oneof(
    fc.json().map((text) => Buffer.from(text).toString('base64url')),
    fc.string({ unit: 'grapheme-ascii' }).map((text) => text.replace(/[^\w-]/g, '')),
  );
  await fc.assert(
    fc.asyncProperty(part, part, part, async (head, body, seal) => {
      const found = await CALLERS.find(asked(`Bearer ${head}.${body}.${seal}`), '/a/mcp');
      expect(found).toBeInstanceOf(Stranger);
      expect(CALLERS.known(asked(`Bearer ${head}.${body}.${seal}`), '/a/mcp')).toBeUndefined();
    }),
    { numRuns: 500 },
  );
});
