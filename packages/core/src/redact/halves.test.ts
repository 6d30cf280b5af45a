import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('a secret that goes on behind a break of its notation goes as a whole', () => {
  test.each([
    ['Password: W4lnut=\n93xGrove', ['W4lnut', '93xGrove']],
    ['Password: W4lnut=\r\n93xGrove', ['W4lnut', '93xGrove']],
    ['token=3DW4lnut93xGroveW4l=\r\nnutgrovegrove', ['W4lnut', 'nutgrove']],
    ['password = "W4lnut" + "93xGrove"', ['W4lnut', '93xGrove']],
    ['password = "W4lnut" .\n  "93xGrove"', ['W4lnut', '93xGrove']],
    ["password = 'W4lnut' || '93xGrove'", ['W4lnut', '93xGrove']],
    ['password=\'W4lnut\'"93xGrove"', ['W4lnut', '93xGrove']],
    ['password = "W4lnut" & "93xGrove"', ['W4lnut', '93xGrove']],
    ['{"src":"password = \\"W4lnut\\" + \\"93xGrove\\""}', ['W4lnut', '93xGrove']],
    [
      'key = "sk-ant-api03-kDda6naD98KbOEM3zyDgpjT" +\n  "FOmNLyXaxoJQS1TrrYy0HMkE7"',
      ['kDda6naD', 'FOmNLyXaxo'],
    ],
    ['"xoxb-918273645546-" "918273645546-Kq7wXzB7nLmPqRsTuVwXyZ01"', ['918273645546-Kq7']],
  ])('%s', (text, parts) => {
    const { value } = redact(text);
    expect(parts.filter((part) => value.includes(part))).toEqual([]);
  });

  test.each([
    'sum = "a" + "b"',
    'names are "anna" "bert" and "carl"',
    'x=\ny=\nz=1',
    '{"a":"","b":""}',
    'expected "GET" "/v1/items"',
    'base64 dGVzdHRlc3Q=\nRetry later',
    "it's 'this' . 'that'",
  ])('stays: %s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });

  test('the sentence behind a padded token stays', () => {
    expect(redact('token: a1B2c3D4e5F6g7H8i9J0kL=\nRetry later').value).toBe('token: [token:1]\nRetry later');
  });
});
