import { mkdirSync, mkdtempSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, later } from '../../test/tools.ts';
import { readAgain, readDocuments } from './documents.ts';
import { areUntouched } from './sources.ts';

afterEach(cleanUp);

/** A folder with a secret beside it. */
function folder(files: { readonly [name: string]: unknown }): { inside: string; secret: string } {
  const root = mkdtempSync(join(tmpdir(), 'mayday-'));
  const inside = join(root, 'api');
  mkdirSync(join(inside, 'parts'), { recursive: true });
  writeFileSync(join(root, 'secret.json'), '{"password":"hunter2"}');
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(inside, name), typeof value === 'string' ? value : JSON.stringify(value));
  return { inside, secret: join(root, 'secret.json') };
}

async function othersOf(path: string): Promise<readonly unknown[]> {
  const { others } = await readDocuments(path);
  return [...others.values()].map((other) => (typeof other === 'string' ? other : other.value));
}

describe('what a document refers to', () => {
  it('is read in its own folder', async () => {
    const { inside } = folder({
      'api.yaml': 'a: { $ref: "parts/b.yaml#/x" }',
      'parts/b.yaml': 'x: { $ref: "./c.json" }',
      'parts/c.json': { c: 1 },
    });
    expect(await othersOf(join(inside, 'api.yaml'))).toEqual([{ x: { $ref: './c.json' } }, { c: 1 }]);
  });

  const OUTSIDE = 'it is outside the folder or the origin of the document';

  it('is not read anywhere else', async () => {
    const { inside, secret } = folder({});
    symlinkSync(secret, join(inside, 'link.json'));
    const references = [
      pathToFileURL(secret).href,
      secret,
      '../secret.json',
      './parts/../../secret.json',
      '%2e%2e/secret.json',
      './link.json',
      'file:///etc/passwd',
      'file://elsewhere/etc/passwd',
      'http://169.254.169.254/latest/meta-data',
      'data:application/json,{}',
    ];
    writeFileSync(join(inside, 'api.json'), JSON.stringify(references.map(($ref) => ({ $ref }))));
    const others = await othersOf(join(inside, 'api.json'));
    expect(others).toEqual(Array(6).fill(OUTSIDE)); // some of them are the same place
  });

  it('is read at its own origin, and not where that redirects to', async () => {
    const { url, asked } = await serve((path) => {
      if (path === '/api.json')
        return [
          200,
          { a: { $ref: './b.json' }, b: { $ref: './moved.json' }, c: { $ref: 'http://127.0.0.1:9/x' } },
        ];
      return path === '/b.json' ? [200, { b: 1 }] : [302, '/b.json'];
    });
    const others = await othersOf(`${url}/api.json`);
    expect(others).toEqual(expect.arrayContaining([{ b: 1 }, 'it cannot be fetched', OUTSIDE]));
    expect(asked.sort()).toEqual(['/api.json', '/b.json', '/moved.json']);
  });
});

async function serve(answer: (path: string) => [number, unknown]): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const [status, body] = answer(request.url ?? '');
    response.writeHead(status, status === 302 ? { location: String(body) } : {});
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe('a document that cannot be used', () => {
  it.each<[string, string, string]>([
    ['broken text', 'password: hunter2\n  x: [', 'it is neither JSON nor YAML (line '],
    ['many documents', '--- a\n--- b', 'it is neither JSON nor YAML'],
    ['another tag', 'a: !!js/function x', 'it is neither JSON nor YAML'],
  ])('says why, without showing it: %s', async (_what, text, message) => {
    const { inside } = folder({ 'api.yaml': text });
    await expect(readDocuments(join(inside, 'api.yaml'))).rejects.toMatchObject({
      name: 'DocumentError',
      message: expect.stringMatching(new RegExp(`^${message.replace(/[()]/g, '\\$&')}(?!.*hunter2)`)),
    });
  });

  it('is told from one that is not there now', async () => {
    const { url } = await serve(() => [503, {}]);
    await expect(readDocuments(url)).rejects.toMatchObject({
      message: 'it cannot be fetched (HTTP 503)',
      isAway: true,
    });
    await expect(readDocuments('http://127.0.0.1:9/x')).rejects.toMatchObject({ isAway: true });
    const locked = await serve(() => [401, {}]);
    await expect(readDocuments(locked.url)).rejects.toThrow(
      'it cannot be fetched (HTTP 401); it is fetched without credentials, so save it as a file',
    );
  });

  it.skipIf(process.platform === 'win32')('is nothing that never ends', async () => {
    await expect(readDocuments('/dev/zero')).rejects.toThrow('it is no file');
  });
});

it('knows whether anything it read has changed', async () => {
  const { inside } = folder({ 'api.yaml': 'a: { $ref: "parts/b.yaml" }', 'parts/b.yaml': 'b: 1' });
  const { digests } = await readDocuments(join(inside, 'api.yaml'));
  expect(await areUntouched(digests)).toBe(true);
  expect(await readAgain(digests)).toEqual(digests);
  writeFileSync(join(inside, 'parts/b.yaml'), 'b: 2');
  expect(await areUntouched(digests)).toBe(false);
  expect(await readAgain(digests)).toBeUndefined();
});

it('knows when what it was referred to has come', async () => {
  const { inside } = folder({ 'api.yaml': 'a: { $ref: "parts/b.yaml" }' });
  const { digests } = await readDocuments(join(inside, 'api.yaml'));
  expect(await areUntouched(digests)).toBe(true);
  expect(await readAgain(digests)).toEqual(digests);
  writeFileSync(join(inside, 'parts/b.yaml'), 'b: 1');
  expect(await areUntouched(digests)).toBe(false);
  expect(await readAgain(digests)).toBeUndefined();
});

it('takes a file that says the same for the same, whenever it was written', async () => {
  const { inside } = folder({ 'api.yaml': 'a: 1' });
  const { digests } = await readDocuments(join(inside, 'api.yaml'));
  utimesSync(join(inside, 'api.yaml'), 1, 1);
  expect(await areUntouched(digests)).toBe(false);
  const now = await readAgain(digests);
  expect(now).toMatchObject([{ digest: digests[0]?.digest }]);
  expect(await areUntouched(now ?? [])).toBe(true);
});
