import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('a secret in the pair of a syntax', () => {
  test.each([
    ['password <- "Rlang"', 'password <- "[password:1]"'],
    ['token <<- "k9Zq2mXv7Lw4"', 'token <<- "[token:1]"'],
    [
      'variable "db_password" {\n  type    = string\n  default = "hclword"\n}',
      'variable "db_password" {\n  type    = string\n  default = "[password:1]"\n}',
    ],
    ['{"password", <<"erlword">>}', '{"password", <<"[password:1]">>}'],
    ['{<<"password">>, <<"erlword">>}', '{<<"password">>, <<"[password:1]">>}'],
    [
      '{"ParameterKey":"DBPassword","ParameterValue":"cfnword"}',
      '{"ParameterKey":"DBPassword","ParameterValue":"[password:1]"}',
    ],
    [
      '- OptionName: DB_PASSWORD\n  OptionValue: ebword7',
      '- OptionName: DB_PASSWORD\n  OptionValue: [password:1]',
    ],
    [
      '<property name="password"><value>springword</value></property>',
      '<property name="password"><value>[password:1]</value></property>',
    ],
    ['334 UGFzc3dvcmQ6\r\naHVudGVyMjIy\r\n235 ok', '334 UGFzc3dvcmQ6\r\n[password:1]\r\n235 ok'],
    ['S: 334 UGFzc3dvcmQ6\nC: aHVudGVyMjIy', 'S: 334 UGFzc3dvcmQ6\nC: [password:1]'],
    ['The password for admin was rejected: hunter3zz', 'The password for admin was rejected: [password:1]'],
    [
      'BIP39 checksum failed for "legal winner thank year wave sausage worth useful legal winner thank yellow"',
      'BIP39 checksum failed for "[private-key:1]"',
    ],
    ['vault: s.lnM4evQJuC1lD3NpoqyGsYuR bad token', 'vault: [secret:1] bad token'],
    ['A_SECRET=jwt-sup3r-secret\nPORT=3000', 'A_SECRET=[secret:1]\nPORT=3000'],
    ['token \x1b[33mZk39fLq02mNx8Rt5Wp7\x1b[0m is wrong', 'token \x1b[33m[token:1]\x1b[0m is wrong'],
  ])('goes, and nothing else: %s', (text, left) => {
    expect(redact(text).value).toBe(left);
  });

  test.each([
    'password <- Sys.getenv("PGPASSWORD")',
    'variable "db_password" {\n  type      = string\n  sensitive = true\n}',
    '{"ParameterKey":"InstanceType","ParameterValue":"t3.micro"}',
    '{"password", "required"}',
    '<property name="timeout"><value>30</value></property>',
    'password: !secret db_password',
    'auth method: oauth2',
    'cookies: SameSite=Strict is not supported',
    'next_cursor "dXNlcjpXMDdRQ1JQQTQ=" is not known',
    'References: <x.1@lists.example.org> <CAF8=y2@mail.example.org>',
    'CIDR 192.168.0.0/16 overlaps with 10.0.0.0/8',
    'GET /home/feed 404',
    'Key (tenant_id, id)=(3, 5512) already exists.',
    "Duplicate entry '3-5512' for key 'uq_tenant_order'",
    'invalid input value for enum mood: "hapy"',
    'kubernetes.default.svc is reserved',
    'seed 42, 12 words: the wallet has no words that the user can spend and the rest are gone',
  ])('is not in: %s', (text) => {
    expect(redact(text).value).toBe(text);
  });

  test.each([
    ['user dXNlcjpodW50ZXIyMiEh', 'user [credentials:1]'],
    ['peer 10.0.7.0/24 is down', 'peer [ip:1]/24 is down'],
    ['Key (phone)=(5512) already exists.', 'Key (phone)=([sql:1]) already exists.'],
    ["Duplicate entry '6601234' for key 'phone'", "Duplicate entry '[sql:1]' for key 'phone'"],
    ['reply to <anna1@example.org>', 'reply to <[email:1]>'],
  ])('or another finding goes as before: %s', (text, left) => {
    expect(redact(text).value).toBe(left);
  });
});
