import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('the user in a home directory, wherever homes are kept', () => {
  test.each([
    'ENOENT: /home/ingrid/notes.txt',
    'cannot stat /gpfs01/home/ingrid/run.sh',
    'quota exceeded below /beegfs/homes/ingrid/out',
    'open /mnt/isilon/users/ingrid/model.bin: permission denied',
    'open /cluster/home/ingrid/model.bin: permission denied',
    'File exists: /export/users/ingrid/a',
    'stale handle /net/home3/ingrid',
    'stale handle /nfshome/ingrid/a.log',
    'denied: /home/staff/ingrid/a.log',
    'denied: /home/uni.example.edu/ingrid/a.log',
    'denied: /home/i/in/ingrid/a.log',
    'denied: /afs/example.org/user/i/ingrid/a.log',
    'denied: /afs/example.org/users/i/n/ingrid/a.log',
    'denied: /eos/home-i/ingrid/a.root',
    'hdfs://nn1.example.com:8020/user/ingrid/part-0001 is missing',
    'denied: /global/homes/i/ingrid/a.log',
    'cc -I/home/ingrid/include failed',
    'PATH is /usr/bin:/home/ingrid/bin',
    'sftp://box.example.com/home/ingrid/a',
    'cannot mount smb://store/homes/ingrid',
    'vscode-remote://dev-container+7b22/home/ingrid/app/x.ts',
    'rsync: box:/home/ingrid/a failed',
    '\\\\filer7\\home$\\ingrid\\budget.xlsx is locked',
    '\\\\filer7\\users$\\ingrid\\budget.xlsx is locked',
    '\\\\filer7\\Profiles\\ingrid\\ntuser.dat is locked',
    '{"path":"\\\\\\\\filer7\\\\profiles$\\\\ingrid\\\\ntuser.dat"}',
    'D:\\Homes\\ingrid\\a.txt',
    'D:/Users/ingrid/a.txt',
    'C:\\DOCUME~1\\ingrid\\LOCALS~1\\Temp is full',
    '{"path":"C:\\\\DOCUME~1\\\\ingrid\\\\a.txt"}',
    'C:/DOKUME~1/ingrid/a.txt',
    'D:\\USERS~1\\ingrid\\a.txt',
    'C:\\Dokumente und Einstellungen\\ingrid\\a.txt',
    '/System/Volumes/Data/Users/ingrid/a.txt',
    '/host_mnt/Users/ingrid/a.txt',
    '/var/spool/cron/ingrid: bad minute',
  ])('%s', (text) => {
    const { value } = redact(text);
    expect(value).not.toContain('ingrid');
    expect(value).toContain('[user:1]');
  });

  test('the directory of a domain stays, however often it is redacted', () => {
    const once = redact('denied: /home/ACME/ingrid/a.log').value;
    expect(once).toBe('denied: /home/ACME/[user:1]/a.log');
    expect(redact(once).value).toBe(once);
  });

  test.each([
    'GET /users/ingrid/orders answered 404',
    'GET /api/v2/users/ingrid answered 404',
    'https://shop.example.com/home/deals/3 answered 404',
    'see https://wiki.example.com/homes/garden',
    'cannot find src/pages/home/index.tsx',
    'cannot find ./components/home/header.vue',
    '/app/views/home/index.html.erb is missing',
    '/workspace/src/users/service.ts does not compile',
    'C:\\repo\\src\\profiles\\default.json is not valid',
    'no /data/users/schema.json in the image',
    '/home/user/project is not empty',
    'C:\\DOCUME~1\\ALLUSE~1\\APPLIC~1 is full',
    'C:\\PROGRA~1\\Git\\bin\\git.exe',
    'bad revision HEAD~1',
    '/mnt/user/appdata/plex is full',
    'open /data/user/0/com.example.app/files/a.db',
    '/run/user/1000/bus: no such file',
    'GET /smart/home/devices/12 answered 500',
    'route /en/home/products/12 not found',
    '/etc/profiles/per-user is empty',
    "Cannot find module '/usr/src/app/users/users.controller.js'",
    'cannot import /mnt/shop/app/users/forms.py',
    '/data/users/weekly/part-0.orc is truncated',
    '/nfs/users/limits.conf has a typo',
    '/opt/homes/site.yaml is not valid',
    '/net/shared/users/_SUCCESS is missing',
  ])('stays: %s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });
});
