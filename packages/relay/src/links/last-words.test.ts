import { describe, expect, it } from 'vitest';
import { lastWords } from './last-words.ts';

const SECRET = 'Tr0ub4dorX';

describe('a secret whose name stands in the line before', () => {
  it.each<readonly [lines: readonly string[], reason: string]>([
    [['password=', SECRET], 'password='],
    [['Login failed with password:', `  ${SECRET}`], 'Login failed with password'],
    [['user,password', `svc,${SECRET}`], 'svc,[password:1]'],
    [['Error: login failed', 'config:', '  password: |', `    ${SECRET}`], 'Error: login failed'],
    [['Cannot start', 'throw new Error("password=', SECRET], 'Cannot start'],
  ])('is not told: %j', (lines, reason) => {
    const told = lastWords(lines, []);
    expect(`${told.said} ${told.reason}`).not.toContain(SECRET);
    expect(told.reason).toBe(reason);
  });

  it('is not told of a document', () => {
    const document = JSON.stringify({ error: 'login', password: [SECRET] }, null, 2).split('\n');
    const { said, reason } = lastWords(document, []);
    expect(`${said} ${reason}`).not.toContain(SECRET);
    expect(said).toContain('"error": "login"');
  });

  it('is not told where many lines follow', () => {
    const rest = Array.from({ length: 7 }, (_, n) => `line ${n}`);
    expect(lastWords(['password=', SECRET, ...rest], []).said).not.toContain(SECRET);
  });
});

it('what was taken out says nothing of why it ended', () => {
  const key = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEowIBAAKCAQEA', '-----END RSA PRIVATE KEY-----'];
  expect(lastWords(['The key cannot be read', ...key], []).reason).toBe('The key cannot be read');
});
