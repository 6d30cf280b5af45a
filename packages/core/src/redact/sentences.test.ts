/** Secrets in sentences about logins and commands. */
import { expect, it } from 'vitest';
import { redact } from './index.ts';

const P = 'hunter2Zq9x';
const AWS = 'q7LmZtR2/vK9sXpA+bYc4HdNe8WfUg1JoQiT5r3B';

it.each([
  `mysql -u root -p ${P}: table not found`,
  `mysql -u root -p${P}: table not found`,
  `Invalid option -p${P} not found`,
  `unknown argument "-p${P}"`,
  `Invalid value: pwd is "${P}"`,
  `the pwd was ${P}`,
  `Access denied for user 'root'@'db' (using password: ${P})`,
  `Invalid login svc/${P}@ORCL`,
  `logon for scott/${P}@//db:1521/x failed`,
  `bad credentials svc/${P}@ORCL`,
  `Bucket not found for AKIAQ3XYZ7RTWMLP42VN / ${AWS}`,
  `AKIAQ3XYZ7RTWMLP42VN:${AWS}`,
  `keys AKIAQ3XYZ7RTWMLP42VN and ${AWS} do not fit`,
  `ASIAQ3XYZ7RTWMLP42VN, ${AWS}`,
  `AKIAIOSFODNN7EXAMPLE / wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`,
])('go: %s', (text) => {
  const { value } = redact(text);
  for (const secret of [P, AWS, 'AKIAQ3XYZ', 'ASIAQ3XYZ', 'wJalrXUtn']) expect(value).not.toContain(secret);
});

it.each([
  'mysql -u root -p error: table not found',
  'Access denied (using password: YES)',
  'Invalid option -pretty not found',
  'Invalid option -path2 not found',
  'mkdir -p project9/x',
  'pwd is "/srv/app"',
  'pwd is build',
  'the tests pass is what counts',
  'login page/home@2x not found',
  'commit 3f2a9c1 and the rest',
])('stay: %s', (text) => {
  expect(redact(text).value).toBe(text);
});
