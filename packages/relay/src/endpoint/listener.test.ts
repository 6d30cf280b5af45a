import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { Unread } from './answer-first.ts';
import { type Listener, listen } from './listener.ts';

let listener: Listener | undefined;
afterEach(() => listener?.close(0));

function unread(reason: Unread): { status: number; headers: { [name: string]: string }; body: Buffer } {
  return {
    status: reason === 'long_headers' ? 431 : 400,
    headers: { 'x-a': 'b' },
    body: Buffer.from(reason),
  };
}

/** All that is said on a connection which nobody could read. */
const said = (status: string, words: string): string =>
  `HTTP/1.1 ${status}\r\nx-a: b\r\ncontent-length: ${words.length}\r\nconnection: close\r\n\r\n${words}`;

/** Answers with the path after a while, so that requests can pile up behind one another; `/no` is refused. */
async function start(): Promise<number> {
  listener = await listen({
    admit: (request, reply) => {
      if (request.url === '/no') {
        reply.raw(403, {});
        return undefined;
      }
      const later = request.url === '/slow' ? 50 : 0;
      return {
        maxBodyBytes: 100,
        handle: (body) => void setTimeout(() => reply.json(200, Buffer.from(`"${body}"`)), later),
      };
    },
    turnAway: (reason, reply) => reply.json(400, Buffer.from(reason)),
    unread,
  });
  return listener.port;
}

/** Everything that comes back for these bytes, until `until` has been seen. */
function exchange(port: number, bytes: string, until: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const late = setTimeout(() => reject(new Error(`only this came: ${seen}`)), 5000);
    socket.on('data', (chunk) => {
      seen += chunk.toString('latin1');
      if (!seen.includes(until)) return;
      clearTimeout(late);
      socket.destroy();
      resolve(seen);
    });
  });
}

const post = (path: string, body: string, more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
const ASKING = 'Expect: 100-continue\r\n';
const statuses = (seen: string): readonly string[] =>
  [...seen.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status ?? '');

it('tells a caller who asks to go on', async () => {
  const seen = await exchange(await start(), post('/', 'a', ASKING), '"a"');
  expect(statuses(seen)).toEqual(['100', '200']);
});

it('does not ask for a body that it will not read', async () => {
  const seen = await exchange(await start(), post('/no', 'a', ASKING), '\r\n\r\n');
  expect(statuses(seen)).toEqual(['403']);
});

it('keeps answers whole when somebody asks behind another request', async () => {
  const seen = await exchange(
    await start(),
    post('/slow', 'first') + post('/', 'second', ASKING),
    '"second"',
  );
  expect(statuses(seen)).toEqual(['200', '100', '200']); // each in its turn
  expect(seen.split('\r\n\r\n').map((part) => part.replace(/HTTP[\s\S]*/, ''))).toEqual([
    '',
    '"first"',
    '',
    '"second"',
  ]);
});

it.each([
  ['what cannot be read', `${post('/slow', 'a')}BLA\r\n\r\n`],
  ['a request without a host', `${post('/slow', 'a')}GET / HTTP/1.1\r\n\r\n`],
  ['more than it said it would send', `${post('/slow', 'a', 'Connection: close\r\n')}GET / HTTP/1.1\r\n\r\n`],
])('answers a call before %s', async (_what, bytes) => {
  const seen = await exchange(await start(), bytes, '"a"');
  expect(statuses(seen)[0]).toBe('200');
});

it.each([
  ['BLA\r\n\r\n', '400 Bad Request', 'malformed'],
  [
    `POST / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
    'long_headers',
  ],
  ['CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n', '400 Bad Request', 'tunnel'],
])('refuses %.20s where nothing is under way', async (bytes, status, words) => {
  expect(await exchange(await start(), bytes, words)).toBe(said(status, words));
});

it.each([
  ['Expect: banana\r\n', '', 'expectation'],
  ['', 'GET / HTTP/1.1\r\n\r\n', 'no_host'],
])('says what is wrong with a request of %j %s', async (more, bytes, words) => {
  const seen = await exchange(await start(), bytes === '' ? post('/', 'a', more) : bytes, words);
  expect(statuses(seen)).toEqual(['400']);
  expect(seen.endsWith(words)).toBe(true);
  if (words === 'expectation') expect(seen.toLowerCase()).toContain('connection: close');
});

it('opens no tunnel, and answers what came before it', async () => {
  const bytes = `${post('/slow', 'a')}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`;
  const seen = await exchange(await start(), bytes, 'tunnel');
  expect(statuses(seen)).toEqual(['200', '400']);
});

it('takes a request that asks for another protocol as one for this', async () => {
  const bytes = post('/', 'a', 'Connection: Upgrade\r\nUpgrade: websocket\r\n');
  expect(statuses(await exchange(await start(), bytes, '"a"'))).toEqual(['200']);
});

it('does not wait for the answer to a request that broke off', async () => {
  const port = await start();
  const seen = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.end(post('/slow', 'abc').slice(0, -1)),
    );
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', () => resolve(text));
    socket.on('end', () => socket.destroy());
  });
  expect(seen).toBe(said('400 Bad Request', 'malformed'));
});

it.each([
  ['http://localhost/no', 'localhost', '403'],
  ['HTTP://LOCALHOST:80/no', 'localhost', '403'],
  ['http://localhost/?a=1', 'localhost', '200'],
  ['http://localhost', 'localhost', '200'],
  ['http://localhost?no', 'localhost', '200'],
  ['http://localhost/', 'elsewhere.example', '200'],
  ['http://elsewhere.example/', 'localhost', '400'],
])('takes the whole address %s for what it names, under Host %s', async (target, host, status) => {
  const bytes = `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  expect(statuses(await exchange(await start(), bytes, '\r\n\r\n'))).toEqual([status]);
});

it('takes requests that come at once over one connection one after the other', async () => {
  const told: string[] = [];
  listener = await listen({
    admit: (_request, reply) => ({
      maxBodyBytes: 100,
      handle: (body) => {
        told.push(`${body} began`);
        setTimeout(() => {
          told.push(`${body} ended`);
          reply.json(200, Buffer.from(`"${body}"`));
        }, 50);
      },
    }),
    turnAway: (reason, reply) => reply.json(400, Buffer.from(reason)),
    unread,
  });
  const seen = await exchange(listener.port, ['a', 'b', 'c'].map((body) => post('/', body)).join(''), '"c"');
  expect(statuses(seen)).toEqual(['200', '200', '200']);
  expect(told).toEqual(['a began', 'a ended', 'b began', 'b ended', 'c began', 'c ended']);
});

it('cuts off whoever sends thousands ahead', async () => {
  const bytes = Array.from({ length: 5000 }, () => post('/slow', 'x')).join('');
  const socket = connect(await start(), '127.0.0.1', () => socket.write(bytes));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.on('close', resolve).resume());
  expect(socket.destroyed).toBe(true);
});

it('lets whoever sends too much hear that it is too much', async () => {
  const mebibyte = 1024 ** 2;
  listener = await listen({
    admit: (_request, reply) => ({ maxBodyBytes: 4 * mebibyte, handle: () => reply.raw(200, {}) }),
    turnAway: (reason, reply) => reply.raw(reason === 'too_large' ? 413 : 400, {}),
    unread,
  });
  const seen = await new Promise<string>((resolve, reject) => {
    // Only who has said everything listens.
    const socket = connect(listener?.port as number, '127.0.0.1', () => {
      socket.write(post('/', 'x'.repeat(40 * mebibyte)), () =>
        socket.once('data', (chunk) => resolve(String(chunk))).resume(),
      );
    });
    socket.on('error', reject).pause();
  });
  expect(statuses(seen)).toEqual(['413']);
});
