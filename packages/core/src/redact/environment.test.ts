import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('users and machines in the environment', () => {
  test.each<unknown>([
    { env: { USER: 'thandeka', LOGNAME: 'thandeka', SHELL: '/bin/zsh' }, error: 'spawn failed' },
    { USERNAME: 'thandeka', COMPUTERNAME: 'LT-THANDEKA-7', error: 'spawn failed' },
    { env: { SUDO_USER: 'thandeka' } },
    { options: { env: { USER: 'thandeka', HOME: '/home/thandeka', PATH: '/bin' } } },
    { environment: { USERDOMAIN: 'THANDEKA-PC', USERPROFILE: 'C:\\Users\\thandeka' } },
    { env: { HOSTNAME: 'thandeka-mbp', TERM: 'xterm' } },
    { environ: { LNAME: 'x', GIT_AUTHOR_NAME: 'thandeka' } },
    { env: ['USER=thandeka', 'SHELL=/bin/zsh'] },
    { env: [{ name: 'USER', value: 'thandeka' }] },
  ])('%j', (value) => {
    expect(JSON.stringify(redact(value).value)).not.toMatch(/thandeka/i);
    expect(redact(JSON.stringify(value)).value).not.toMatch(/thandeka/i);
    expect(redact(JSON.stringify(value, null, 2)).value).not.toMatch(/thandeka/i);
  });

  test.each([
    "spawn failed, env: { USER: 'thandeka', SHELL: '/bin/zsh' }",
    "environ({'USER': 'thandeka', 'LOGNAME': 'thandeka', 'HOME': '/root'})",
    'USER=thandeka LOGNAME=thandeka HOME=/home/thandeka',
    'USERNAME=Thandeka\nCOMPUTERNAME=LT-THANDEKA-7',
    'set USERNAME=thandeka',
    '$env:USERNAME = "thandeka"',
    'USER: thandeka\nHOME: /home/thandeka\nSHELL: /bin/zsh',
    'HOSTNAME=thandeka-mbp TERM=xterm',
    'D:\\Profiles\\thandeka\\x.txt not found',
    'E:\\UserProfiles\\thandeka\\x.txt not found',
    'unreachable: //FS-THANDEKA-02/share/x',
    'cannot mount //fs-thandeka/share/x',
    'timeout talking to thandeka.int.acme.com',
    'Connection refused by thandeka.int.firm.example.com',
  ])('%s', (text) => {
    expect(redact(text).value).not.toMatch(/thandeka/i);
  });

  test.each([
    'user must be one of admin, viewer',
    'USER: not found',
    'USERNAME is not set',
    'Profiles can be edited in D:\\Profiles',
    'unreachable: // is not a comment in JSON',
    'talking to int is a cast, not a call',
    'see //example.com/share/x',
    'HOSTNAME=localhost',
    'USER=root HOME=/root',
    'COMPUTERNAME must be set',
    'int.parse is not a function',
    'a comment starts with //TODO/later/x',
    'https://docs.acme.com/int.html',
  ])('stays: %s', (text) => {
    expect(redact(text).value).toBe(text);
  });

  test.each<unknown>([
    { USER: 'root', HOSTNAME: 'localhost' },
    { env: { USER: 'node', NODE_ENV: 'production' } },
    { user: 'admin', error: 'not allowed' },
    { HOSTNAME: 'example.com' },
    { USER: 'is required' },
  ])('stays: %j', (value) => {
    expect(redact(value).value).toEqual(value);
    expect(redact(JSON.stringify(value)).value).toBe(JSON.stringify(value));
  });
});

describe('a few secrets and people', () => {
  test.each([
    "The secret phrase 'two red hens 7' is wrong",
    'secret phrase "two red hens" did not match',
    'radius-server host 192.0.2.9 key wren-rad',
    'snmp-server host 192.0.2.4 version 2c wren-ro',
    'snmp-server community wren-ro RO',
    'radius-server host 192.0.2.9 auth-port 1812 acct-port 1813 key wren-rad',
    'tacacs-server host 192.0.2.9 key wren-tac',
    '3f1c9a77-12ab-4c3d-9e8f-a1b2c3d4e5f6 is not a valid API key',
    '"3f1c9a77-12ab-4c3d-9e8f-a1b2c3d4e5f6" is an invalid access token',
    '3f1c9a7712ab4c3d9e8fa1b2c3d4e5f6 is not a valid token',
    'RRN 900101-1234568 오류',
    'Téléphone invalide : 07 81 22 90 14',
    'Telefon ungültig: 0171 2345678',
    'Teléfono no válido: 612 345 678',
  ])('%s', (text) => {
    expect(redact(text).value).not.toMatch(/hens|wren-|3f1c9a77|1234568|22 90|234567|345 678/);
  });

  test.each([
    "passphrase 'required' field is missing",
    'The secret phrase is wrong',
    'The secret phrase must have 12 words',
    'snmp-server host is not set',
    'radius-server host needs a key',
    '3f1c9a77-12ab-4c3d-9e8f-a1b2c3d4e5f6 is not a valid order',
    '3f1c9a77-12ab-4c3d-9e8f-a1b2c3d4e5f6 is not a valid key of this table',
    'Téléphone invalide : champ requis',
  ])('stays: %s', (text) => {
    expect(redact(text).value).toBe(text);
  });
});
