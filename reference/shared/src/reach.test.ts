import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { pageBelow, reach } from './reach.ts';

/** Somebody on a port. */
async function somebody(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

/** Sends on to where the path says. */
const sending: RequestListener = ({ url = '' }, response) => {
  const to = decodeURIComponent(url.slice(1));
  if (to === '') response.end('here');
  else response.writeHead(302, { location: to }).end('on');
};

it('reads as much as it may, and no more', async () => {
  let isGone = false;
  const url = await somebody((request, response) => {
    response.on('close', () => {
      isGone = true;
    });
    const timer = setInterval(() => response.write('x'.repeat(1000)), 1);
    response.on('close', () => clearInterval(timer));
    request.resume();
  });
  await expect(reach(url, {}, { maxBytes: 10_000 })).rejects.toThrow(
    new RangeError('The backend answered with more than 10000 bytes'),
  );
  await expect.poll(() => isGone).toBe(true);
});

it('gives a redirect as it is, and follows one that stays where it is so many times', async () => {
  const other = await somebody((_request, response) => response.end('elsewhere'));
  const url = await somebody(sending);
  const at = async (to: string, redirects?: number) => {
    const { response, bytes } = await reach(new URL(encodeURIComponent(to), url), {}, { redirects });
    return [response.status, bytes.toString()];
  };
  expect(await at('')).toEqual([200, 'here']);
  expect(await at('/')).toEqual([302, 'on']);
  expect(await at('/', 1)).toEqual([200, 'here']);
  expect(await at(other.href, 5)).toEqual([302, 'on']);
  expect(await at('http://[', 5)).toEqual([302, 'on']);
  expect(await at(encodeURIComponent('/'), 1)).toEqual([302, 'on']);
});

it('gives every status with its body, also those that fetch keeps to itself', async () => {
  const url = await somebody(({ url: path = '' }, response) =>
    response.writeHead(Number(path.slice(1)), { 'x-a': ['1', '2'] }).end(`it says ${path}`),
  );
  const said = await Promise.all(
    [200, 204, 407, 421, 599, 999].map(async (status) => {
      const { response, bytes } = await reach(new URL(String(status), url), {});
      return [response.status, response.ok, response.headers.get('x-a'), bytes.toString()];
    }),
  );
  expect(said).toEqual([
    [200, true, '1, 2', 'it says /200'],
    [204, true, '1, 2', ''],
    [407, false, '1, 2', 'it says /407'],
    [421, false, '1, 2', 'it says /421'],
    [599, false, '1, 2', 'it says /599'],
    [999, false, '1, 2', 'it says /999'],
  ]);
});

it('sends what it is given, and rejects as fetch does', async () => {
  const url = await somebody(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (body === 'half') response.writeHead(200, { 'content-length': 10 }).write('x');
    else if (body !== 'none') response.end(`${request.method} ${request.headers['x-b']} ${body}`);
    if (body === 'half') setTimeout(() => response.destroy(), 20);
  });
  const post = (body: string, signal?: AbortSignal) =>
    reach(url, {
      method: 'POST',
      headers: { 'x-b': 'c' },
      body,
      ...(signal === undefined ? {} : { signal }),
    });
  expect((await post('ü')).bytes.toString()).toBe('POST c ü');
  await expect(post('half')).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'ECONNRESET' },
  });
  await expect(post('none', AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' });
  await expect(reach(new URL('http://127.0.0.1:1/'), {})).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'ECONNREFUSED' },
  });
});

it.each([
  ['http://a/b', 'c', 'http://a/b/c'],
  ['http://a/b/', '', 'http://a/b/'],
  ['http://a/b/?x=1', 'c/../d', 'http://a/b/d'],
  ['http://a', 'c', 'http://a/c'],
  ['http://a/b', '..', undefined],
  ['http://a/b', '../bc', undefined],
  ['http://a/b', '..%2Fc', undefined],
  ['http://a/b', '%2E.%5cc', undefined],
  ['http://a/b', '/c', undefined],
  ['http://a/b', 'http://a:1/b/c', undefined],
  ['http://a/b', 'http://[', undefined],
])('a page below %s: %s is %s', (named, path, page) => {
  expect(pageBelow(new URL(named), path)?.href).toBe(page);
});
