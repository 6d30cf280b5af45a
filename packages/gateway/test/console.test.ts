/** The console over HTTP: its files, to whoever reaches the admin API, and nothing else. */
import { request } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { type House, openHouse } from './admin/house.ts';
import { cleanUp, later } from './tools.ts';

afterEach(cleanUp);

async function house(...args: Parameters<typeof openHouse>): Promise<House> {
  const opened = await openHouse(...args);
  later(() => opened.close());
  return opened;
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

it('is a page without anything in it that runs, for which nobody needs a key', async () => {
  const { gateway } = await house();
  const response = await fetch(`${gateway.url}/-/console/`);
  const page = await response.text();
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
    etag: expect.stringMatching(/^"[\w-]{22}"$/),
  });
  expect(page).not.toMatch(/<style|<script(?![^>]* src=")|\son\w+=|https?:/i);
});

it('has files that never change under their names, and all that the page names', async () => {
  const { gateway } = await house();
  const root = `${gateway.url}/-/console/`;
  const page = await (await fetch(root)).text();
  const named = [...page.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => path as string);
  expect(named.length).toBeGreaterThanOrEqual(2);
  for (const path of named) {
    const response = await fetch(`${root}${path}`);
    expect([response.status, response.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
    expect(response.headers.get('content-type')).toMatch(/^text\/(?:javascript|css); charset=utf-8$/);
    expect(response.headers.get('content-security-policy')).toBe(POLICY);
    await response.arrayBuffer();
  }
});

it('is not sent twice to whoever has it, nor at all to who asks for the head', async () => {
  const { gateway } = await house();
  const root = `${gateway.url}/-/console/`;
  const head = await fetch(root, { method: 'HEAD' });
  const etag = head.headers.get('etag') ?? '';
  expect([head.status, Number(head.headers.get('content-length')) > 100, await head.text()]).toEqual([
    200,
    true,
    '',
  ]);
  for (const said of [etag, `W/${etag}`, `"x", ${etag}`]) {
    const again = await fetch(root, { headers: { 'if-none-match': said } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
  }
  expect((await fetch(root, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});

it('leads those to it who forget the slash', async () => {
  const { gateway } = await house();
  const response = await fetch(`${gateway.url}/-/console`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([308, 'console/']);
  expect(response.headers.get('content-security-policy')).toBe(POLICY);
});

it.each([
  ['/-/console/nothing', 'GET', 404],
  ['/-/console/', 'POST', 405],
])('lets no browser make anything of a refusal: %s %s', async (path, method, status) => {
  const { gateway } = await house();
  const response = await fetch(`${gateway.url}${path}`, { method });
  expect(response.status).toBe(status);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-security-policy': POLICY,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
});

it.each([
  '/-/console/nothing',
  '/-/console/assets/',
  '/-/console/index.html/',
  '/-/console/../../package.json',
  '/-/console/..%2f..%2fpackage.json',
  '/-/console/%2e%2e/files.js',
  '/-/console//etc/passwd',
])('has nothing at %s', async (path) => {
  const { gateway } = await house();
  const { status, body } = await raw(`${gateway.url}${path}`, path);
  expect([status, JSON.parse(body).error.data.kind]).toEqual([404, 'not_found']);
});

it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('is not for %s', async (method) => {
  const { gateway } = await house();
  const response = await fetch(`${gateway.url}/-/console/`, { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('is where the admin API is, and nowhere else', async () => {
  const statuses = async (opened: House): Promise<readonly number[]> =>
    Promise.all(
      [opened.gateway.url, opened.gateway.adminUrl ?? opened.gateway.url].map(
        async (url) => (await fetch(`${url}/-/console/`)).status,
      ),
    );
  expect(await statuses(await house({ admin: { listen: { port: 0 } } }))).toEqual([404, 200]);
  expect(await statuses(await house({ admin: false }))).toEqual([404, 404]);
  expect(await statuses(await house({ admin: { console: false } }))).toEqual([404, 404]);
});

/** Without putting the path right first, as `fetch` does. */
function raw(
  url: string,
  path: string,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    request({ hostname, port, path }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
    })
      .on('error', reject)
      .end();
  });
}
