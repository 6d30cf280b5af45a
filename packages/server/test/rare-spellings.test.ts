/** A secret that is named in an odd way goes out of a sentence that is told, too. */
import { expect, it } from 'vitest';
import { error, said } from './thrown.ts';

const SECRET = 'hunter2Zq9xPw';

it.each([
  'creds svc_admin / …',
  'creds svc_admin/…',
  'creds: svc_admin / …',
  'creds svc_admin | …',
  'creds svc_admin …',
  'cred svc_admin : …',
  'credentials svc_admin / …',
  'credentials svc@example.com / …',
  'login svc_admin / …',
  'account svc_admin / …',
  'auth svc_admin / …',
  'p@ss=…',
  'p@ss: …',
  'p@ss …',
  'p@ssw0rd=…',
  'p@ssword = "…"',
  'pa$$=…',
  'pa$$word: …',
  'passw0rd=…',
  'p4ssword=…',
  's3cret=…',
  't0ken=…',
  'cr3ds=…',
])('%s', async (form) => {
  for (const sentence of ['The record does not exist.', 'Item not found:', 'Order 7 not found,']) {
    const [kind, text] = await said(error(`${sentence} ${form.replace('…', SECRET)}`), { id: '7' });
    expect([kind, text.includes(SECRET)]).toEqual(['not_found', false]);
  }
});

it.each([
  'Credentials for svc_admin / prod not found',
  'Account acme / inv12ab34 not found',
  'Account 42 order7abcd not found',
  'Item not found: p@ss: none',
  'Item not found: pass/fail column',
  'Board creds / overview not found',
])('what is no secret stays: %s', async (sentence) => {
  expect((await said(error(sentence), {}))[1]).not.toMatch(/\[\w+:1\]/);
});
