/** Names that look like a failure, a credential or a secret, and are names. Those called unseen were written before the rules. */
import { describe, expect, it } from 'vitest';
import { axios, error, ID, said } from './thrown.ts';

type Case = readonly [text: string, args: object, kind: string];

/** Every word reaches the caller, and the kind is what the predicate says. */
async function keeps([text, args, kind]: Case): Promise<void> {
  const [told, words] = await said(new Error(text), args);
  expect([told, words.slice(0, text.length)]).toEqual([kind, text]);
}

describe('a name that sounds like a credential', () => {
  it.each<Case>([
    ['Branch feature/auth-token-refresh not found', { branch: 'feature/auth-token-refresh' }, 'not_found'],
    ['Table users_password_resets not found', {}, 'not_found'],
    ['File docs/token.md not found', { path: 'docs/token.md' }, 'not_found'],
    ['Template password-reset not found', {}, 'not_found'],
    ['Secret "db-creds" not found in namespace prod', {}, 'not_found'],
    ['Field api_key is required', {}, 'invalid_arguments'],
    ['Ticket "API key rotation" not found', {}, 'not_found'],
    ['Token USDC not found', { token: 'USDC' }, 'not_found'],
    ['Login page not found', {}, 'not_found'],
    ['Note "Access key audit" already exists', {}, 'conflict'],
  ])('hides no words: %s', async (...one) => keeps(one));

  it.each<Case>([
    ['Branch fix/secret-key-leak not found', {}, 'not_found'],
    ['Table oauth_access_tokens does not exist', {}, 'not_found'],
    [
      'File config/credentials.example.yml not found',
      { file: 'config/credentials.example.yml' },
      'not_found',
    ],
    ['Workflow rotate-api-keys not found', {}, 'not_found'],
    ['Parameter "client_secret" is required', {}, 'invalid_arguments'],
    ['Page "How to reset your password" not found', {}, 'not_found'],
    ['Secret group "staging" already exists', {}, 'conflict'],
    ['Credential template hr-2 not found', {}, 'not_found'],
    ['Field refresh_token must be a string', {}, 'invalid_arguments'],
    ['Incident "Invalid API key in prod" not found', {}, 'not_found'],
  ])('unseen: hides no words: %s', async (...one) => keeps(one));

  it('is heard beside a status too', async () => {
    for (const text of ['Invalid token address 0xabc', 'Invalid token decimals: 99'])
      expect((await said(axios(400, { message: text })))[0]).toBe('invalid_arguments');
    expect((await said(axios(400, { message: 'Rate limit rule 7 overlaps with rule 8' })))[0]).toBe(
      'conflict',
    );
  });
});

const SHA = '3f2a9c1d4e5b6a7f8091a2b3c4d5e6f708192a3b';

describe('a name that looks random', () => {
  it.each<Case>([
    [`Commit ${SHA} not found`, { sha: SHA }, 'not_found'],
    ['Model foo not found. Did you mean claude-3-opus-20240229?', { model: 'foo' }, 'not_found'],
    ['Unknown model foo. Available: text-embedding-3-large, gpt-4o-2024-08-06', {}, 'not_found'],
    ['Version mismatch: expected etag W/"a1b2c3d4e5f6a7b8c9d0", read the document again', {}, 'conflict'],
    ['Payment pi_3MtwBwLkdIwHu7ix28a3tqPa already captured', {}, 'conflict'],
    ['Job 01HZY3V8M4K2Q7R5T9W1X6C0BD is still running, ask again in 30 s', {}, 'not_ready'],
    [`File has changed since revision ${SHA}: conflict`, {}, 'conflict'],
    ['Receipt re_9KdLw82mNbXcQ7ZtYpRf4Hs1 already exists', {}, 'conflict'],
    ['Order for ada@example.com not found', { email: 'ada@example.com' }, 'not_found'],
    ['Node "cube.001" is not in the scene', { node: 'cube.001' }, 'unprocessable'],
    ['Process `build` is not on the board', { process: 'build' }, 'unprocessable'],
  ])('is said where it is the caller’s or public: %s', async (...one) => keeps(one));

  it.each<Case>([
    [
      'Ref c0a1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9 does not exist',
      { ref: 'c0a1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6a7b8c9' },
      'not_found',
    ],
    ['Model bar not found. Did you mean mistral-medium-2312-instruct?', {}, 'not_found'],
    ['Unknown voice x. Available: en-US-Standard-Wavenet-2, de-DE-Neural-Katja-4', {}, 'unprocessable'],
    ['Invoice in_1OqZx9LkdIwHu7ixTr84Wm3K already exists', {}, 'conflict'],
    ['Build 7Hq2ZpL9xR4mWt6KcV1bNs8J is still running', {}, 'not_ready'],
    [
      'Upload conflict: blob sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 already exists',
      {},
      'conflict',
    ],
    ['Charge ch_8TqLw02mNbXcQ7ZtYpRf4Hs9 already refunded', {}, 'conflict'],
    [
      'Device f47ac10b58cc4372a5670e02b2c3d479 not found',
      { device: 'f47ac10b58cc4372a5670e02b2c3d479' },
      'not_found',
    ],
    ['No contact with phone +49 151 23456789 found', { phone: '+49 151 23456789' }, 'not_found'],
  ])('unseen: is said where it is the caller’s or public: %s', async (...one) => keeps(one));
});

describe('a secret stays one', () => {
  const KEY = 'Zq8vT3mK1xW7rB5nY2pL';
  it.each<readonly [string, object, string]>([
    [`Order ${KEY}XyZ01 not found`.replace('Order', 'Token'), {}, KEY],
    [`User not found with api_key ${KEY}`, { id: 'x' }, KEY],
    [`Account not found (password=${KEY})`, {}, KEY],
    [`Unknown project, tried key sk_live_${KEY}`, {}, KEY],
    [`Item not found for password ${KEY}`, { password: KEY }, KEY],
    [`Item not found for ${KEY}aB3`, { api_key: `${KEY}aB3` }, KEY],
    [`Item not found for ${KEY}aB4`, { login: { accessToken: `${KEY}aB4` } }, KEY],
    ['license key ABCD-EFGH-IJKL-MNOP is invalid', {}, 'EFGH'],
    ['Activation key 7QWX-22KD-MM9P-01ZZ not found', {}, '22KD'],
    [`Job failed to start: token ${KEY} expired`, {}, KEY],
    [`Item not found via ghp_${KEY}AbCdEf1234567890`, { note: `ghp_${KEY}AbCdEf1234567890` }, KEY],
  ])('%s', async (text, args, secret) => {
    expect((await said(new Error(text), args))[1]).not.toContain(secret);
  });
});

describe('a full disk', () => {
  it.each([
    error('database or disk is full', { code: 'SQLITE_FULL' }),
    error("ENOSPC: no space left on device, write '/srv/x'", { code: 'ENOSPC' }),
    new Error('No space left on device'),
    new Error('could not extend file "base/1/2": No space left on device'),
    new Error('Disk is full'),
  ])('is the operator’s: %s', async (reason) => {
    const [kind, words] = await said(reason);
    expect(['misconfigured', 'unavailable']).toContain(kind);
    expect(words).toContain(`Reference: ${ID}.`);
  });
});

describe('what a caller can act on, in its own words', () => {
  it.each([
    'Feature requires the Pro plan',
    'The meeting room is booked from 10:00 to 11:00',
    'Query returned more than 1000 rows, narrow it',
    'Recipient not on allow list',
    'File is binary',
    'Maintenance window overlaps with mw_3',
    'Search matched more than 500 documents, add a filter',
    'The slot is taken until 14:30',
  ])('%s', async (text) => {
    expect((await said(new Error(text)))[1]).toContain(text);
  });
  it.each([
    'This export needs the Enterprise plan',
    'The court is reserved from Monday to Friday',
    'The listing returned more than 200 items, refine it',
    'Sender is not on the allowlist of this inbox',
    'Image is animated',
    'Shift 4 overlaps shift 9',
    'The filter matches more than 10000 messages, narrow it',
    'Calendar is booked until Thursday',
  ])('unseen: %s', async (text) => {
    expect((await said(new Error(text)))[1]).toContain(text);
  });
});
