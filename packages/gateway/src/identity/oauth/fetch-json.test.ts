import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { fetchJson } from './fetch-json.ts';

/** What is told of a server that answers like this, with its port left out. */
async function told(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await fetchJson(`http://127.0.0.1:${port}/jwks?key=Sup3rSecret#Sup3rSecret`).then(
      (value) => JSON.stringify(value),
      (error: Error) => error.message.replace(String(port), 'PORT'),
    );
  } finally {
    server.close();
  }
}

it.each<[string, RequestListener, string]>([
  ['keys', (_, response) => response.end('{"keys":[]}'), '{"keys":[]}'],
  [
    'a status',
    (_, response) => response.writeHead(500).end(),
    'http://127.0.0.1:PORT/jwks answers with status 500',
  ],
  [
    'a page',
    (_, response) => response.end('<html>'),
    'http://127.0.0.1:PORT/jwks answers with something else than JSON',
  ],
  [
    'a redirect',
    (_, response) => response.writeHead(302, { location: '/elsewhere?key=Sup3rSecret' }).end(),
    'http://127.0.0.1:PORT/jwks does not answer (unexpected redirect)',
  ],
  [
    'nothing',
    (request) => request.socket.destroy(),
    'http://127.0.0.1:PORT/jwks does not answer (UND_ERR_SOCKET)',
  ],
])('tells of %s without the query, which may hold a key', async (_what, answer, said) => {
  expect(await told(answer)).toBe(said);
});

it('says why an address is not even asked', async () => {
  await expect(fetchJson('http://127.0.0.1:9/jwks?key=Sup3rSecret')).rejects.toThrow(
    /^http:\/\/127\.0\.0\.1:9\/jwks does not answer \(bad port\)$/,
  );
});
