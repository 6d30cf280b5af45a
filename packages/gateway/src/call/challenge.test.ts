import { expect, it } from 'vitest';
import { threadClock } from '../../../../bench/measure.ts';
import { safeChallenge } from './challenge.ts';

it.each([
  ['Bearer'],
  ['Bearer realm="mcp", scope="files:read files:write", error="invalid_token"'],
  ['Bearer resource_metadata="https://10.0.0.5:8443/.well-known/oauth-protected-resource"'],
  ['Bearer resource_metadata="https://x/.well-known", error_description="The access token expired"'],
  ['Digest realm="a", qop="auth", algorithm=SHA-256, nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"'],
  ['Basic realm="a", Bearer realm="b", error=insufficient_scope'],
  ['Basic, Negotiate'],
])('%s stays', (challenge) => {
  expect(safeChallenge(challenge)).toBe(challenge);
});

it.each([
  ['Bearer password=hunter2secret', 'Bearer password="[password:1]"'],
  ['Bearer token=hunter2secret', 'Bearer token="[token:1]"'],
  ['Bearer access_token="sk-live-hunter2secret"', 'Bearer access_token="[token:1]"'],
  ['Bearer realm="password=hunter2secret"', 'Bearer realm="password=[password:1]"'],
  [
    'Bearer resource_metadata="https://a:hunter2secret@x/y"',
    'Bearer resource_metadata="https://[credentials:1]@x/y"',
  ],
  ['Negotiate hunter2secret', 'Negotiate'],
  ['Negotiate hunter2secret==', 'Negotiate'],
  ['Basic hunter2secret=, Bearer realm="b"', 'Basic'],
  ['Bearer realm="hunter2secret', 'Bearer'],
  ['password: hunter2secret', ''],
  ['"hunter2secret"', ''],
])('of %s, %s', (challenge, safe) => {
  expect(safeChallenge(challenge)).toBe(safe);
});

it('takes no time for what is no challenge', () => {
  const started = threadClock();
  for (const long of ['a=', '"', ', ', 'a ', '\\"', 'a="\\'].map((part) => part.repeat(20_000)))
    safeChallenge(long);
  expect(threadClock() - started).toBeLessThan(2000);
});
