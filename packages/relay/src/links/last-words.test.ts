import { describe, expect, it } from 'vitest';
import { lastWords } from './last-words.ts';

const SECRET = 'Tr0ub4dorX';

describe('a secret whose name stands beside it, or in the line before', () => {
  it.each<readonly [lines: readonly string[], reason: string]>([
    [['password=', SECRET], 'password='],
    [['Login failed with password:', `  ${SECRET}`], 'Login failed with password'],
    [['user,password', `svc,${SECRET}`], 'svc,[password:1]'],
    [['Error: login failed', 'config:', '  password: |', `    ${SECRET}`], 'Error: login failed'],
    [
      [`{ user: \x1b[32m'svc'\x1b[39m, password: \x1b[32m'${SECRET}'\x1b[39m }`],
      "{ user: 'svc', password: '[password:1]' }",
    ],
    [[`\x1b[31mpassword\x1b[0m=\x1b[33m${SECRET}\x1b[0m`], 'password=[password:1]'],
    [[`Error: \x1b[32mpassword\x1b[39m: ${SECRET}`], 'Error: password: [password:1]'],
    [['\x1b[31mpassword:\x1b[0m', `\x1b[33m${SECRET}\x1b[0m`], 'password'],
    [[`\x9b31mpassword\x9b0m=\x9b33m${SECRET}\x9b0m`], 'password=[password:1]'],
    [[`\x1b]8;;http://x\x07password\x1b]8;;\x07=${SECRET}`], 'password=[password:1]'],
    [['user\tpassword', `svc\t${SECRET}`], 'svc [password:1]'],
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
