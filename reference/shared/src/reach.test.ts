import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { reach } from './reach.ts';

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
