/** What looks like a person's, a host's or a secret's, and is nobody's: it stays, and its neighbours go. */
import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

const HEX = '7c0e5b1a9d3f4e2c8b6a5d4c3b2a1908';

describe('stays', () => {
  test.each([
    // addresses for examples
    'dial tcp 192.0.2.61:443: i/o timeout',
    'nameserver 198.51.100.53 did not answer',
    'route 203.0.113.0/24 via eth0',
    'the range from 192.0.2.10 to 192.0.2.20 is taken',
    'http://[2001:db8:7::1]:8080/ is the sample endpoint',
    '2001:db8::/32 is for documentation',
    // users that come with an image, a runner or a service
    "EACCES: permission denied, mkdir '/home/node/.cache'",
    '/home/runner/work/shop/shop/src/a.ts(3,1): error TS2304',
    '/home/ec2-user/app.log is full',
    '/home/www-data/html/index.php: parse error',
    '/Users/runner/hostedtoolcache/Python',
    'C:\\Users\\ContainerAdministrator\\.nuget',
    '/home/sbx_user1051/.cache: read-only file system',
    '/srv/app/views/home/show.html.erb: undefined method',
    // mailboxes of a role
    'Contact sales@example.com to upgrade',
    'From: no-reply@example.com',
    'From: noreply-orders@example.com',
    'postmaster@example.net: delivery failed',
    'ask admin@example.org for access',
    'datenschutz@example.de handles requests',
    // pages
    `see https://www.notion.so/acme/Handbook-${HEX}`,
    `see https://acme.notion.site/Handbook-${HEX}?pvs=4`,
    // times, prices, files
    '=ERROR REPORT==== 9-Mar-2026::07:41:12 ===',
    '4 (at) 19.90 each',
    'breakpoint (at) server.py',
    'error [at] build.gradle',
    // flags that are spoken of
    'WARNING! Using --password via the CLI is insecure. Use --password-stdin.',
    'Password: use --password-stdin instead',
    'Password  --password-stdin  Take it from stdin',
    'ffmpeg -pass 2 -i in.mp4 out.mp4',
    "Passphrase for key 'id_ed25519' is required",
  ])('%s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });
});

describe('goes', () => {
  test.each([
    ['failed login from 203.0.113.61', '203.0.113.61'],
    ['{"client_ip":"198.51.100.61"}', '198.51.100.61'],
    ['x-forwarded-for: 192.0.2.61', '192.0.2.61'],
    ['peer 2001:db8:7::61 reset', '2001:db8:7::61'],
    ['dial tcp 192.0.3.61:443', '192.0.3.61'],
    ['peer 2a02:8109::2026:61 reset', '2026:61'],
    ['/home/nodira/.cache', 'nodira'],
    ['C:\\Users\\gitta\\x', 'gitta'],
    ['mail sales.ingrid@example.com', 'ingrid'],
    ['mail infante@example.com', 'infante'],
    ['ingrid (at) example.rs', 'ingrid'],
    [`https://dl.example.com/share-${HEX}`, HEX],
    [`https://www.notion.so/acme/Handbook?token=${HEX}`, HEX],
    [`https://notion.so.example.com/x/handbook-${HEX}`, HEX],
    ["Passphrase for key 'id_ed25519' is W4lnut93x", 'W4lnut93x'],
    ['tool -pass W4lnut93x -i in', 'W4lnut93x'],
    ['Using --password W4lnut93x via the CLI', 'W4lnut93x'],
  ])('%s', (text, hidden) => {
    expect(redact(text).value).not.toContain(hidden);
  });

  test('an address for examples under the name of a caller', () => {
    expect(redact({ remoteAddress: '203.0.113.61', example: '203.0.113.62' }).value).toEqual({
      remoteAddress: '[ip:1]',
      example: '203.0.113.62',
    });
  });
});
