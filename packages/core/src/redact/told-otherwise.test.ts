import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

const HEX = Buffer.from('password=W4lnut93x').toString('hex');

describe('secrets told in other ways than name and value', () => {
  test.each([
    ["Passphrase for key '/etc/keys/deploy' is W4lnut93x", 'W4lnut93x'],
    ['Password for user meter on host db7 is W4lnut93x', 'W4lnut93x'],
    ['The password of the account "meter" is W4lnut93x.', 'W4lnut93x'],
    ['Passphrase for /etc/keys/deploy: W4lnut93x', 'W4lnut93x'],
    ['The password for meter was set to W4lnut93x', 'W4lnut93x'],
    ['expired: v2.local.Wa7nutWa7nutWa7nutWa7nutWa7nutWa7nut', 'Wa7nut'],
    ['expired: v4.public.Wa7nutWa7nutWa7nutWa7nutWa7nutWa7nut.Zm9v', 'Wa7nut'],
    ['jar holds li_at=AQEDWa7nutWa7nutWa7nut9; lang=en', 'Wa7nut'],
    ['jar holds sp_dc=AQEDWa7nutWa7nutWa7nut9; lang=en', 'Wa7nut'],
    ['jar holds koa:sess=eyJ1Wa7nutWa7nutWa7nut9==; lang=en', 'Wa7nut'],
    [`row holds 0x${HEX}`, HEX.slice(2)],
    [`row holds \\x${HEX}`, HEX.slice(2)],
    ['call with ctx7sk-0f5c1b7e-3a52-4c0f-9d1e-7b6a5c4d3e2f failed', '0f5c1b7e'],
    ['clé secrète: w4lnut93xgr', 'w4lnut93xgr'],
    ['geheime sleutel: W4lnut93xGrove7', 'W4lnut93xGrove7'],
    ['"anna k"@example.com bounced', 'anna'],
    ['write to anna(at)example.org', 'anna'],
    ['write to anna [at] example [dot] org', 'anna'],
    ['My Number 1234 5678 9018 is not valid', '5678'],
  ])('%s', (text, secret) => {
    expect(redact(text).value).not.toContain(secret);
  });

  test.each([
    'Password for user meter is incorrect',
    'The password of the account "meter" is expired.',
    'Passphrase for /etc/keys/deploy: required',
    'The token for project 7 is not set',
    'The password for meter was changed on 2026-01-05',
    'xs=12 and sid=4 columns',
    'printer.local.example is offline',
    '0xdeadbeefdeadbeefdeadbeefdeadbeef',
    'commit 0x70617373776f72643d is odd',
    'meet (at) noon in room 3.14',
    '6 (at) 12.50 each',
    'cursor [at] page.html',
    'my number one reason',
    'the schedule [at] is a column',
    '"x"@2.0.1 is not a package',
  ])('stays: %s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });
});
