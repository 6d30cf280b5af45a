import { expect, test } from 'vitest';
import { redact } from './index.ts';

test.each([
  ['2FA secret KRSXG5CTMVRXEZLU is not base32', '2FA secret [secret:1] is not base32'],
  [
    'Could not exchange code 4/0AfJohdfhN6_MRtk7fJK1W6Dq7 for token',
    'Could not exchange code [secret:1] for token',
  ],
  ['ntlm hash aad3b435b51404eeaad3b435b51404ee:31d6cfe0d16ae931b73c59d7e0c089c0', 'ntlm hash [secret:1]'],
])('a secret of one form behind one word goes: %s', (text, left) => {
  expect(redact(text).value).toBe(left);
});

test.each([
  [
    'Segmentation fault\n#0  0x00007f1c2a3b4c5d in parse_req (r=0x0) at src/req.c:88\n#1  main (argc=1) at src/main.c:12',
    'Segmentation fault\n[stack:1]',
  ],
  [
    'panic\ngoroutine 7 [running]:\nacme/pool.(*P).wait(0xc0001)\n\t/build/p.go:44 +0x8c\ncreated by acme/pool.New\n\t/build/p.go:12 +0x1b',
    'panic\n[stack:1]',
  ],
])('the last frames of a trace go with the others: %s', (text, left) => {
  expect(redact(text).value).toBe(left);
});

test.each(['secret is required', 'error code 4/5 tests failed', 'the hash is wrong'])('stays: %s', (text) => {
  expect(redact(text).value).toBe(text);
});
