import { request as nodeRequest } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { cut } from '../../../test/bytes.ts';
import { json, type RawRequest, type RawServer, rawServer } from '../../../test/raw-server.ts';
import { selfSigned } from '../../../test/self-signed.ts';
import type { HttpClient, HttpRequest } from '../http-client.ts';
import { createHttpClient, type HttpClientOptions } from './client.ts';

interface Outcome {
  readonly status: number | undefined;
  readonly body: string;
  readonly error: string | undefined;
  readonly sent: boolean | undefined;
}

const clients: HttpClient[] = [];
const servers: RawServer[] = [];

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function connect(
  answer: string | ((request: RawRequest, socket: Socket) => void),
  options: HttpClientOptions = {},
): Promise<{ client: HttpClient; server: RawServer }> {
  const server = await rawServer(
    typeof answer === 'string' ? (_got, socket) => socket.write(answer) : answer,
  );
  servers.push(server);
  const client = createHttpClient(server.url.origin, options);
  clients.push(client);
  return { client, server };
}

function ask(client: HttpClient, more: Partial<HttpRequest> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    let status: number | undefined;
    let body = '';
    const request: HttpRequest = { method: 'POST', path: '/', headers: [], headersTimeoutMs: 5000, ...more };
    client.send(request, {
      onStart: (head) => {
        status = head.status;
      },
      onData: (chunk) => {
        body += chunk.toString('latin1');
      },
      onEnd: () => resolve({ status, body, error: undefined, sent: undefined }),
      onError: (error, sent) =>
        resolve({ status, body, error: (error as { code?: string }).code ?? error.message, sent }),
    });
  });
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

it('sends a request and gives the answer', async () => {
  const { client, server } = await connect(json('{"ok":1}'));
  const body = Buffer.from('{"ä":1}');
  expect(await ask(client, { path: '/x?y', headers: ['a', 'b'], body })).toEqual({
    status: 200,
    body: '{"ok":1}',
    error: undefined,
    sent: undefined,
  });
  expect(server.requests).toEqual([
    {
      method: 'POST',
      path: '/x?y',
      headers: { a: 'b', host: server.url.host, 'accept-encoding': 'identity', 'content-length': '8' },
      body: '{"ä":1}',
    },
  ]);
});

it('uses a connection again after a whole answer', async () => {
  const { client, server } = await connect(json('{}'));
  for (let i = 0; i < 5; i++) await ask(client);
  expect([server.requests.length, server.connections]).toEqual([5, 1]);
});

it('sends no request behind another that is not answered', async () => {
  const held: Socket[] = [];
  const { client, server } = await connect((_got, socket) => held.push(socket));
  const all = [ask(client), ask(client), ask(client)];
  while (held.length < 3) await wait(5);
  for (const socket of held) socket.write(json('{}'));
  await Promise.all(all);
  expect(server.connections).toBe(3);
});

it.each([
  ['the server asks for it', json('{}', 200, 'connection: close\r\n')],
  ['something came after the answer', `${json('{}')}HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n`],
  ['it is HTTP/1.0', json('{}').replace('HTTP/1.1', 'HTTP/1.0')],
  ['the server keeps it too short', json('{}', 200, 'keep-alive: timeout=1\r\n')],
])('does not use a connection again when %s', async (_name, answer) => {
  const { client, server } = await connect(answer);
  for (let i = 0; i < 2; i++) expect(await ask(client)).toMatchObject({ status: 200, body: '{}' });
  expect(server.connections).toBe(2);
});

it('does not use a connection again that is too old, or on which something came unasked', async () => {
  let now = 0;
  const sockets: Socket[] = [];
  const { client, server } = await connect(
    (_got, socket) => {
      sockets.push(socket);
      socket.write(json('{}'));
    },
    { now: () => now, idleMs: 1000 },
  );
  await ask(client);
  now = 1000;
  await ask(client);
  expect(server.connections).toBe(2);
  const hungUp = new Promise((resolve) => sockets[1]?.on('close', resolve));
  sockets[1]?.write('HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\nSMUGGLED');
  await hungUp;
  expect((await ask(client)).body).toBe('{}');
  expect(server.connections).toBe(3);
});

it('never sends a request twice, also not over a connection that the server has just closed', async () => {
  let answered = 0;
  const { client, server } = await connect((_got, socket) => {
    if (answered++ === 0) socket.write(json('{}'));
    else socket.destroy();
  });
  await ask(client);
  expect(await ask(client)).toMatchObject({ sent: true });
  expect(server.requests.length).toBe(2);
});

it.each([
  ['nothing', ''],
  ['half a head', 'HTTP/1.1 200 OK\r\nconte'],
  ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
  ['half a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n10\r\nhalf'],
  ['no last chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
])('fails when the connection ends after %s', async (_name, answer) => {
  const { client } = await connect((_got, socket) => socket.end(answer));
  expect(await ask(client)).toMatchObject({ error: 'the server closed the connection', sent: true });
});

it('takes what ends with its connection', async () => {
  const { client } = await connect((_got, socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
  expect(await ask(client)).toMatchObject({ body: 'all of it', error: undefined });
});

it.each([
  'SSH-2.0-OpenSSH\r\n\r\n',
  '\u0016\u0003\u0001',
  '<html>\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx',
])('fails when the server says %j', async (answer) => {
  const { client } = await connect((_got, socket) => socket.end(answer));
  expect((await ask(client)).error).toMatch(/ERR_NOT_HTTP|the server closed the connection/);
});

it('knows that nothing was sent where nobody listens, or nothing could be', async () => {
  const { client, server } = await connect('');
  await server.close();
  expect(await ask(client)).toMatchObject({ error: 'ECONNREFUSED', sent: false });
  expect(await ask(client, { headers: ['x', 'a\r\nb: c'] })).toMatchObject({
    error: 'ERR_UNSENDABLE',
    sent: false,
  });
  await client.close();
  expect(await ask(client)).toMatchObject({ error: 'the client was closed', sent: false });
});

it('waits so long for the head of an answer and no longer', async () => {
  const { client } = await connect('HTTP/1.1 200 OK\r\n');
  expect(await ask(client, { headersTimeoutMs: 50 })).toMatchObject({
    error: 'ERR_HEADERS_TIMEOUT',
    sent: true,
  });
  const slow = await connect((_got, socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{');
    setTimeout(() => socket.write('}'), 120);
  });
  expect(await ask(slow.client, { headersTimeoutMs: 50 })).toMatchObject({ body: '{}', error: undefined });
});

it('lets go of an answer: nothing is told, and the server sees the end', async () => {
  let closed = 0;
  const { client } = await connect((_got, socket) => {
    socket.on('close', () => closed++);
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n');
  });
  const told: string[] = [];
  for (const when of ['at once', 'later']) {
    const letGo = client.send(
      { method: 'POST', path: '/', headers: [], headersTimeoutMs: 0 },
      {
        onStart: () => told.push(`${when}: start`),
        onData: () => told.push('data'),
        onEnd: () => told.push('end'),
        onError: () => told.push('error'),
      },
    );
    if (when === 'later') while (told.length === 0) await wait(5);
    letGo();
    letGo();
  }
  while (closed < 1) await wait(5);
  expect(told).toEqual(['later: start']);
});

it('holds the server back and lets it go on', async () => {
  const size = 20_000_000;
  let written = 0;
  const { client } = await connect((_got, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
    const piece = Buffer.alloc(100_000);
    const more = (): void => {
      while (written < size) {
        written += piece.length;
        if (!socket.write(piece)) {
          socket.once('drain', more);
          return;
        }
      }
    };
    more();
  });
  let got = 0;
  let pauses = 0;
  await new Promise<void>((resolve, reject) => {
    let hold: { pause(): void; resume(): void } | undefined;
    client.send(
      { method: 'GET', path: '/', headers: [], headersTimeoutMs: 0 },
      {
        onStart: (_head, flow) => {
          hold = flow;
        },
        onData: (chunk) => {
          got += chunk.length;
          if (pauses > 0) return;
          pauses++;
          hold?.pause();
          setTimeout(() => {
            expect(written).toBeLessThan(size);
            hold?.resume();
          }, 100);
        },
        onEnd: resolve,
        onError: reject,
      },
    );
  });
  expect(got).toBe(size);
});

it('is not ended by who takes the answer in and throws', async () => {
  const { client } = await connect(json('{}'));
  for (const where of ['onStart', 'onData', 'onEnd', 'onError'] as const) {
    const told: string[] = [];
    const note = (what: string) => (): void => {
      told.push(what);
      if (what === where) throw new Error('no');
    };
    client.send(
      { method: 'POST', path: where === 'onError' ? 'wrong' : '/', headers: [], headersTimeoutMs: 0 },
      { onStart: note('onStart'), onData: note('onData'), onEnd: note('onEnd'), onError: note('onError') },
    );
    while (!told.includes('onError')) await wait(5);
    expect(told.at(-1)).toBe('onError');
  }
  expect((await ask(client)).body).toBe('{}');
});

it('fails what is open when it is closed', async () => {
  const { client } = await connect('');
  const open = ask(client);
  await wait(20);
  await client.close();
  expect(await open).toMatchObject({ error: 'the client was closed', sent: true });
});

it('speaks TLS, and only to who it should', async () => {
  const { key, cert } = selfSigned();
  const server = createServer({ key, cert }, (_request, response) => response.end('secret'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const trusting = createHttpClient(`https://localhost:${port}`, { ca: cert });
  const byAddress = createHttpClient(`https://127.0.0.1:${port}`, { ca: cert });
  const wary = createHttpClient(`https://localhost:${port}`);
  clients.push(trusting, byAddress, wary);
  expect((await ask(trusting)).body).toBe('secret');
  expect((await ask(byAddress)).body).toBe('secret');
  expect(await ask(wary)).toMatchObject({
    status: undefined,
    sent: false,
    error: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
  server.close();
  server.closeAllConnections();
});

/** What Node's own client makes of the same bytes. */
function asNode(url: URL): Promise<{ status: number | undefined; body: string; ok: boolean }> {
  return new Promise((resolve) => {
    const asked = nodeRequest(url, { method: 'POST', agent: false }, (response) => {
      let body = '';
      response.setEncoding('latin1');
      response.on('data', (text) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode, body, ok: response.complete }));
      response.on('error', () => resolve({ status: undefined, body: '', ok: false }));
    });
    asked.on('error', () => resolve({ status: undefined, body: '', ok: false }));
    asked.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve({ status: undefined, body: '', ok: false });
    });
    asked.end();
  });
}

it('understands nothing otherwise than Node does', async () => {
  let wire: Buffer[] = [];
  const { client, server } = await connect((_got, socket) => {
    for (const chunk of wire) socket.write(chunk);
    socket.end();
  });
  const edit = fc.record({
    at: fc.nat(),
    drop: fc.nat(3),
    put: fc.constantFrom(
      '\r',
      '\n',
      ' ',
      '0',
      '5',
      ':',
      ';',
      'x',
      '\0',
      ',',
      'content-length: 3\r\n',
      '\r\n',
    ),
  });
  const wires = [
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\nx: y\r\n\r\nhello',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n3;a=b\r\nxyz\r\n0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello',
  ];
  let both = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...wires),
      fc.array(edit, { maxLength: 2 }),
      fc.array(fc.nat(90), { maxLength: 3 }),
      async (text, edits, places) => {
        let bytes = Buffer.from(text);
        for (const { at, drop, put } of edits) {
          const start = at % (bytes.length + 1);
          bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(put), bytes.subarray(start + drop)]);
        }
        wire = cut(bytes, places).filter(({ length }) => length > 0);
        const ours = await ask(client);
        fc.pre(ours.error === undefined);
        const theirs = await asNode(server.url);
        fc.pre(theirs.ok); // it refuses a whole answer too, when something follows it
        both++;
        expect([ours.status, ours.body]).toEqual([theirs.status, theirs.body]);
      },
    ),
    { numRuns: 200, maxSkipsPerRun: 1000 },
  );
  expect(both).toBeGreaterThan(100);
});

it.each(['http://server.test', 'https://server.test'])(
  'says that it is the proxy that cannot be reached on the way to %s',
  async (origin) => {
    const client = createHttpClient(origin, { proxy: new URL('http://127.0.0.1:1') });
    clients.push(client);
    expect(await ask(client)).toMatchObject({ error: 'ERR_PROXY_ECONNREFUSED', sent: false });
  },
);
