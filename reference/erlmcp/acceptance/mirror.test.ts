import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backend, plantBackend } from '../../acceptance/backend.ts';
import { SLOW } from '../../acceptance/program.ts';
import { freshFolder, serveStdio } from '../../acceptance/reference.ts';
import type { Pipe } from '../../acceptance/stdio.ts';

let mirror: Backend;
beforeAll(async () => {
  mirror = await plantBackend(({ path }) =>
    path.endsWith('/leads')
      ? { status: 302, headers: { location: '/public/secret' } }
      : { headers: { 'content-type': 'text/plain' }, body: path },
  );
});
afterAll(() => mirror.close());

describe.each([['/public/docs/'], ['/public/docs']])('a mirror of %s', (named) => {
  const folder = freshFolder();
  let pipe: Pipe;
  beforeAll(async () => {
    const flags = ['--mirror', `${mirror.url}${named}`, '--rate-limit', '100000'];
    pipe = serveStdio('erlmcp', folder.path, flags);
    await pipe.initialize();
  }, SLOW);
  afterAll(async () => {
    await pipe.close();
    folder.remove();
  });

  it.each([
    ['a', '/public/docs/a'],
    ['a/b', '/public/docs/a/b'],
    ['a/../b', '/public/docs/b'],
    ['a..b', '/public/docs/a..b'],
  ])('has the pages below it: %s', async (page, path) => {
    const { result } = await pipe.request('resources/read', { uri: `mirror://${page}` });
    expect(result?.contents[0].text).toBe(path);
  });

  it.each([
    '../secret',
    '..%2fsecret',
    '%2e%2e/secret',
    '%252e%252e/secret',
    '..%252fsecret',
    '..%5csecret',
    '..%255csecret',
    '/secret',
    '/public/docsecret',
    'a/../../../secret',
  ])('has no page that is not below it: %s', async (page) => {
    const uri = `mirror://${page}`;
    const before = mirror.visits.length;
    const { error } = await pipe.request('resources/read', { uri });
    expect([error?.code, error?.message]).toEqual([-32001, 'Resource not found']);
    expect(mirror.visits.length).toBe(before);
  });

  it('is not left by a page that leads away', async () => {
    const { error } = await pipe.request('resources/read', { uri: 'mirror://leads' });
    expect(error).toEqual({ code: -32001, message: 'Resource not found', data: { uri: 'mirror://leads' } });
  });
});
