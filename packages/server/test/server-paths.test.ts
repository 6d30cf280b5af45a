/** Paths of the machine: whose they are, and how much of them is said. Those called unseen were written before the rules. */
import { describe, expect, it } from 'vitest';
import { error, MISCONFIGURED, said } from './thrown.ts';

const node = (code: string, words: string, path: string): Error =>
  error(`${code}: ${words}, open '${path}'`, { code, syscall: 'open', path });

describe('a path that no argument names', () => {
  it.each<readonly [string, object]>([
    ['Template /opt/app/templates/invoice.hbs does not exist', { order: 7 }],
    ['File not found: /var/lib/app/tenants/acme-corp/secrets/stripe.key', {}],
    ['Failed to load /opt/app/plugins/x.js: no such file', {}],
    ['Permission denied: /srv/data/reports', { id: 'r1' }],
    ['Could not open C:\\inetpub\\app\\views\\home.cshtml: file not found', {}],
    ['/usr/share/zoneinfo/Europe/Atlantis does not exist', { id: 3 }],
  ])('is the operator’s: %s', async (text, args) => {
    expect(await said(new Error(text), args)).toEqual(['misconfigured', MISCONFIGURED]);
  });

  it.each<readonly [string, object]>([
    ['Schema /etc/orders/schema.json not found', {}],
    ['No such file: /home/deploy/app/fonts/Inter.ttf', { text: 'hello' }],
    ['Could not find layout /srv/www/layouts/base.njk', { page: 'about' }],
    ['Access denied to /var/run/docker.sock', {}],
    ['Folder D:\\Shares\\Finance\\2026 does not exist', { year: 1999 }],
  ])('unseen: is the operator’s: %s', async (text, args) => {
    expect(await said(new Error(text), args)).toEqual(['misconfigured', MISCONFIGURED]);
  });
});

type Case = readonly [reason: Error, args: object, says: string, hides: string];
const check = async ([reason, args, says, hides]: Case): Promise<void> => {
  const [kind, words] = await said(reason, args);
  expect(kind).toBe('not_found');
  expect(words).toContain(says);
  expect(words).not.toContain(hides);
};

describe('a path whose end the caller wrote', () => {
  it.each<Case>([
    [
      node('ENOENT', 'no such file or directory', '/srv/data/tenant42/notes/todo.txt'),
      { path: 'notes/todo.txt' },
      "open 'notes/todo.txt'",
      'tenant42',
    ],
    [
      node('ENOENT', 'no such file or directory', '/srv/data/customers/acme-ltd/todo.md'),
      { name: 'todo' },
      "open 'todo.md'",
      'acme-ltd',
    ],
    [
      new Error('File /opt/app/uploads/acme/cv.pdf not found'),
      { file: 'cv.pdf' },
      'File cv.pdf not found',
      'acme',
    ],
    [
      new Error('Folder /var/lib/app/t9/photos/2026 does not exist'),
      { folder: '/photos/2026/' },
      'Folder photos/2026 does not exist',
      't9',
    ],
  ])('is said without the server’s part: %s', async (...one) => check(one));

  it.each<Case>([
    [
      node('ENOENT', 'no such file or directory', '/srv/tenants/blue/docs/a b.md'),
      { path: 'docs/a b.md' },
      "open 'docs/a b.md'",
      'blue',
    ],
    [
      new Error('Image not found: /var/www/uploads/u77/cat.png'),
      { image: 'cat.png' },
      'Image not found: cat.png',
      'u77',
    ],
    [
      new Error('C:\\data\\clients\\initech\\plan.docx does not exist'),
      { doc: 'plan.docx' },
      'plan.docx does not exist',
      'initech',
    ],
    [
      new Error('No such file: /home/svc/vault/zeta/list.csv'),
      { list: 'zeta/list.csv' },
      'No such file: zeta/list.csv',
      'vault',
    ],
  ])('unseen: is said without the server’s part: %s', async (...one) => check(one));
});

describe('a path that leads through what the caller wrote', () => {
  const KEY = '/srv/data/tenants/acme-corp/secrets/stripe.key';
  it.each<Case>([
    [node('ENOENT', 'no such file or directory', KEY), { id: 'tenants' }, "open 'tenants/…'", 'acme-corp'],
    [node('ENOENT', 'no such file or directory', KEY), { id: 'secrets' }, "open 'secrets/…'", 'stripe'],
    [
      new Error('File not found: /home/deploy/shop/releases/20241101/config/payments.yml'),
      { q: 'releases' },
      'File not found: releases/…',
      '20241101',
    ],
    [
      new Error('Entry D:\\data\\shop\\eu\\orders.db not found'),
      { q: 'shop/eu' },
      'Entry shop\\eu\\… not found',
      'orders',
    ],
  ])('says nothing beyond it: %s', async (...one) => check(one));

  it('is said whole below a place of the machine that the caller named', async () => {
    const reason = node('ENOENT', 'no such file or directory', '/srv/ada/shop/package.json');
    const [kind, words] = await said(reason, { project: '/srv/ada/shop' });
    expect([kind, words.includes("open '/srv/ada/shop/package.json'")]).toEqual(['not_found', true]);
  });
});

it('that is in words nobody understands is not said either', async () => {
  const text = 'Model file /mnt/models/whisper.bin is missing';
  expect(await said(new Error(text), { lang: 'de' })).toEqual(['misconfigured', MISCONFIGURED]);
});

describe('a path that the caller wrote', () => {
  it.each<readonly [string, object, string]>([
    ['File not found: /srv/share/report.txt', { path: '/srv/share/report.txt' }, 'not_found'],
    [
      'Access denied - path outside allowed directories: /etc/passwd not in /srv/share',
      { path: '/etc/passwd' },
      'forbidden',
    ],
    ['Parent directory does not exist: /srv/files/a', { path: '/srv/files/a/b.txt' }, 'not_found'],
    ['Page /pricing/old not found', {}, 'not_found'],
    ['/items/0/name must be string', {}, 'invalid_arguments'],
    ['Route /var not found', {}, 'not_found'],
    ['File /opt/x/y.txt not found', { command: 'cat /opt/x/y.txt' }, 'not_found'],
  ])('is said whole: %s', async (text, args, kind) => {
    const [told, words] = await said(new Error(text), args);
    expect([told, words.slice(0, text.length)]).toEqual([kind, text]);
  });

  it('is said with what was done, whoever wrote it', async () => {
    const text = 'Report written to /var/reports/7.pdf, but the mail failed';
    expect((await said(new Error(text)))[1]).toContain('Report written');
  });
});
