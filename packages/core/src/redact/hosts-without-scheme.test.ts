import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

/** What must go of a text, in which `⟦…⟧` stands around it. */
const partsOf = (marked: string): string[] => [...marked.matchAll(/⟦([^⟧]*)⟧/g)].map(([, part = '']) => part);

describe('hosts behind two strokes go', () => {
  test.each([
    'Order 7 not found in //⟦db-prod-7.internal⟧/orders',
    '//⟦nas.fritz.box⟧/a',
    '//⟦fileserver.corp⟧/share',
    '//⟦fileserver.corp⟧/share$/a.txt',
    '//⟦db.internal⟧/orders',
    '//⟦db.internal⟧:5432/orders',
    '//⟦Files.corp.local⟧/share',
    'mount error: could not resolve address for //⟦nas.home.arpa⟧/media',
    'mount -t cifs //⟦nas.lan⟧/media /mnt/media',
    '<script src="//⟦static.intranet⟧/app.js"></script>',
    "url('//⟦static.corp⟧/app.css')",
    '{"path":"//⟦db-prod-7.internal⟧/orders"}',
    '(//⟦node-3.consul⟧/v1)',
  ])('%s', (marked) => {
    const { value } = redact(marked.replace(/[⟦⟧]/g, ''));
    for (const part of partsOf(marked)) expect(value).not.toContain(part);
    expect(value).toContain('//[host:1]');
  });
});

describe('what stands there otherwise stays', () => {
  test.each([
    'see //github.com/a/b',
    '//cdn.example.com/app.js',
    'https://example.com/a//b.internal/c',
    '// db.internal is gone',
    'x(); //todo.local',
    'x(); //node.internal is a property',
    'x(); //settings.local/dev',
    'cp a.local//b.local/c',
    '///srv.corp/a',
  ])('%s', (text) => {
    expect(redact(text).value).toBe(text);
  });
});

describe('users before an address go', () => {
  test.each([
    ['ssh mkowalski@10.9.8.7', 'ssh [user:1]@[ip:1]'],
    ['ssh -p 2222 mkowalski@10.9.8.7', 'ssh -p 2222 [user:1]@[ip:1]'],
    ['ssh: connect to mkowalski@10.9.8.7 failed', 'ssh: connect to [user:1]@[ip:1] failed'],
    ['scp dump.sql mkowalski@10.9.8.7:/srv/a', 'scp dump.sql [user:1]@[ip:1]:/srv/a'],
    ['rsync -av a/ m.kowalski@192.168.1.20:b', 'rsync -av a/ [user:1]@[ip:1]:b'],
    ['mkowalski@10.9.8.7: Permission denied (publickey).', '[user:1]@[ip:1]: Permission denied (publickey).'],
    ["mkowalski@172.16.4.2's password: ", "[user:1]@[ip:1]'s password: "],
    ['sftp mkowalski@93.184.216.34', 'sftp [user:1]@[ip:1]'],
    ['ssh mkowalski@web-3', 'ssh [user:1]@[host:1]'],
    ['scp a mkowalski@nas:/b', 'scp a [user:1]@[host:1]:/b'],
  ])('%s', (text, expected) => {
    expect(redact(text).value).toBe(expected);
  });

  test.each([
    ['ssh root@10.9.8.7', 'ssh root@[ip:1]'],
    ['ssh user@host', 'ssh user@host'],
    ['ssh mkowalski@localhost', 'ssh [user:1]@localhost'],
    ['npm install left-pad@1.3.0', 'npm install left-pad@1.3.0'],
    ['npm install preact@10.19.3', 'npm install preact@10.19.3'],
    ['ssh jane@example.com', 'ssh [email:1]'],
    ['Foo.Bar@4.3.2.1 is missing', 'Foo.Bar@4.3.2.1 is missing'],
    ['ssh git@github', 'ssh git@github'],
    ['mention @web-3 here', 'mention @web-3 here'],
    ['mkowalski@web says hi', 'mkowalski@web says hi'],
  ])('others stay: %s', (text, expected) => {
    expect(redact(text).value).toBe(expected);
  });
});
