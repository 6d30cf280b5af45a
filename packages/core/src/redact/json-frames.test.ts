import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('frames as members of JSON', () => {
  test.each([
    { message: 'x', trace: [{ file: '/var/www/x.php', line: 3, function: 'handle' }] },
    { exception: 'ErrorException', file: '/var/www/x.php', line: 3 },
    { traces: { 'Application Trace': [{ line: 1, file: 'app/models/x.rb' }] } },
    { stackTrace: [{ className: 'a.Cart', fileName: 'Cart.java', lineNumber: 3 }] },
    { stacktrace: { frames: [{ filename: '/srv/x.py', function: 'add', lineno: 3 }] } },
  ])('lose their file, in a value and in a text: %j', (value) => {
    const text = JSON.stringify(value);
    expect(JSON.stringify(redact(value).value)).toBe(redact(text).value);
    expect(redact(text).value).toMatch(/"file(?:[Nn]ame)?":"\[stack:\d\]"/);
    expect(redact(text).value).not.toMatch(/x\.(?:php|rb|py)|Cart\.java/);
  });

  test.each([
    { file: 'src/app.ts', line: 12, rule: 'no-unused-vars' },
    { error: 'lint failed', results: [{ file: '/repo/src/app.ts', line: 12, column: 3 }] },
    { stackTrace: null, message: 'x' },
    { trace: 'off', file: 'report.pdf' },
  ])('are not what a linter says: %j', (value) => {
    expect(redact(value).value).toEqual(value);
    expect(redact(JSON.stringify(value)).value).toBe(JSON.stringify(value));
  });
});

describe('frames behind what a log or a sentence puts before them', () => {
  test.each([
    ['flutter: #1      S.set (package:a/b.dart:1121:9)', 'flutter: [stack:1]'],
    ['panic recovered: /srv/app/main.go:14 (0x4a3b2c)', 'panic recovered: [stack:1]'],
    ["Error: /srv/x.rb:12:in 'User#label': boom", 'Error: [stack:1]: boom'],
    ['at Invoke-Deploy, C:\\build\\deploy.ps1: line 12', '[stack:1]'],
    ['    initial call: acme_srv:init/1\n    pid: <0.1.0>', '    initial call: [stack:1]\n    pid: <0.1.0>'],
    ['valid for *.acme.internal, not x', 'valid for *.[host:1], not x'],
    ["ORA-01722: invalid number: WHERE name='Franz'", "ORA-01722: invalid number: WHERE name='[sql:1]'"],
    ["... AND last_name = 'Ferdinand' ORDER BY id", "... AND last_name = '[sql:1]' ORDER BY id"],
  ])('go: %s', (text, left) => {
    expect(redact(text).value).toBe(left);
  });

  test.each(['Stack trace:', "WHERE is the file 'x'", "The user AND the 'admin' role", 'see x.local (0x10)'])(
    'are not in: %s',
    (text) => {
      expect(redact(text).value).toBe(text);
    },
  );
});

describe('people by the label of their number', () => {
  test.each([
    ['JMBG 0101006500006 neispravan', 'JMBG [id-number:1] neispravan'],
    ['Emirates ID 784-1980-1234567-1 invalid', 'Emirates ID [id-number:1] invalid'],
    ['passeport n° 12AB34567 expiré', 'passeport n° [id-number:1] expiré'],
    ['Handynummer 0171 2345678 ungültig', 'Handynummer [phone:1] ungültig'],
    ['móvil 612345678 no válido', 'móvil [phone:1] no válido'],
    ['Invalid credentials for jdoe77', 'Invalid credentials for [user:1]'],
    ['Authentication failed for jane.doe', 'Authentication failed for [user:1]'],
  ])('go: %s', (text, left) => {
    expect(redact(text).value).toBe(left);
  });

  test.each([
    'Authentication failed for github.com',
    'Invalid credentials for Stripe',
    'Account access has been suspended',
    'User registration is disabled',
    'NIP 5 of 7',
  ])('are not in: %s', (text) => {
    expect(redact(text).value).toBe(text);
  });
});
