/** The door as a connection sees it: whatever way the bytes come, the answers are the same. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { type Listener, listen } from '../listener.ts';

let listener: Listener | undefined;
afterEach(() => listener?.close(0));

let open = 0;
let gone = 0;

/** `/echo` answers with the body, `/slow` later, `/stream` with three events, `/never` not at all, `/bug` throws. */
async function start(): Promise<number> {
  open = 0;
  gone = 0;
  listener = await listen({
    admit: (request, reply) => ({
      maxBodyBytes: 10,
      handle: (body) => {
        open += 1;
        reply.onClose(() => {
          open -= 1;
        });
        reply.onGone(() => {
          gone += 1;
        });
        if (request.url === '/bug') throw new Error('a mistake');
        if (request.url === '/echo') setImmediate(() => reply.json(200, body, { 'x-a': 'b' }));
        if (request.url === '/slow') setTimeout(() => reply.json(200, body), 100);
        if (request.url === '/split') reply.json(200, body, { 'x-a': 'b\r\nx-c: d' });
        if (request.url !== '/stream') return;
        reply.stream();
        for (const word of ['one', 'two', 'three']) {
          reply.event(Buffer.from(`data: ${word}\n\n`));
          reply.event(Buffer.alloc(0));
        }
        reply.end();
      },
    }),
    turnAway: (reason, reply) => reply.json(reason === 'bug' ? 500 : 400, Buffer.from(`"${reason}"`)),
    unread: (reason) => ({ status: 400, headers: {}, body: Buffer.from(reason) }),
  });
  return listener.port;
}

const post = (path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

interface Caller {
  readonly socket: Socket;
  seen: string;
  until(text: string, times?: number): Promise<string>;
}

async function call(port: number): Promise<Caller> {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  const caller: Caller = {
    socket,
    seen: '',
    async until(text, times = 1) {
      for (let i = 0; i < 500; i++) {
        if (caller.seen.split(text).length > times) return caller.seen;
        await sleep(5);
      }
      throw new Error(`only this came: ${caller.seen}`);
    },
  };
  socket.on('data', (chunk) => {
    caller.seen += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  return caller;
}

const bodies = (seen: string): readonly string[] => [...seen.matchAll(/"[a-z_]+"/g)].map(([text]) => text);

it('answers with a head that says everything', async () => {
  const caller = await call(await start());
  caller.socket.write(post('/echo', '"a"'));
  const seen = await caller.until('"a"');
  expect(seen.replace(/date: [^\r]+/, 'date: today').split('\r\n')).toEqual([
    'HTTP/1.1 200 OK',
    'content-type: application/json',
    'x-a: b',
    'content-length: 3',
    'date: today',
    'connection: keep-alive',
    'keep-alive: timeout=65',
    '',
    '"a"',
  ]);
});

it('answers one after the other on the same connection', async () => {
  const caller = await call(await start());
  for (const [i, body] of ['"a"', '"b"', '"c"'].entries()) {
    caller.socket.write(post('/echo', body));
    await caller.until('HTTP/1.1 200', i + 1);
    await caller.until(body);
  }
  expect(bodies(caller.seen)).toEqual(['"a"', '"b"', '"c"']);
});

it('gives the same answers wherever a request is cut in two', async () => {
  const port = await start();
  const text = post('/echo', '"a"');
  const answers = new Set<string>();
  for (let at = 1; at < text.length; at += 3) {
    const caller = await call(port);
    caller.socket.write(text.slice(0, at));
    await sleep(3);
    caller.socket.write(text.slice(at));
    await caller.until('"a"');
    caller.socket.write(post('/echo', '"b"'));
    await caller.until('"b"');
    answers.add(bodies(caller.seen).join());
    caller.socket.destroy();
  }
  expect([...answers]).toEqual(['"a","b"']);
});

it('keeps the order of requests that come at once', async () => {
  const caller = await call(await start());
  caller.socket.write(post('/echo', '"a"') + post('/echo', '"b"') + post('/echo', '"c"'));
  expect(bodies(await caller.until('"c"'))).toEqual(['"a"', '"b"', '"c"']);
});

it('keeps a request that comes before the answer to the last one', async () => {
  const caller = await call(await start());
  caller.socket.write(post('/echo', '"a"'));
  await caller.until('"a"');
  caller.socket.write(post('/echo', '"b"'));
  caller.socket.write(post('/echo', '"c"'));
  await sleep(1);
  caller.socket.write(post('/echo', '"d"').slice(0, 20));
  await sleep(5);
  caller.socket.write(post('/echo', '"d"').slice(20));
  expect(bodies(await caller.until('"d"'))).toEqual(['"a"', '"b"', '"c"', '"d"']);
});

it('sends a stream in chunks, and goes on with the connection', async () => {
  const caller = await call(await start());
  caller.socket.write(post('/stream', '{}'));
  const seen = await caller.until('0\r\n\r\n');
  expect(seen).toContain('transfer-encoding: chunked\r\n');
  expect(seen.split('\r\n\r\n')[1]).toBe(
    'b\r\ndata: one\n\n\r\nb\r\ndata: two\n\n\r\nd\r\ndata: three\n\n\r\n0',
  );
  caller.socket.write(post('/echo', '"a"'));
  await caller.until('"a"');
});

it('turns away what is too large, and what it made a mistake with', async () => {
  const caller = await call(await start());
  caller.socket.write(post('/echo', '"0123456789"'));
  await caller.until('"too_large"');
  caller.socket.write(post('/bug', '{}'));
  await caller.until('HTTP/1.1 500 Internal Server Error');
});

it('sends no header that would be two', async () => {
  const caller = await call(await start());
  const ended = new Promise((resolve) => caller.socket.once('close', resolve));
  caller.socket.write(post('/split', '{}'));
  await ended;
  expect(caller.seen).toBe('');
});

it('refuses what Node refuses', async () => {
  const caller = await call(await start());
  caller.socket.write(
    'POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
  );
  expect(await caller.until('malformed')).toBe(
    'HTTP/1.1 400 Bad Request\r\ncontent-length: 9\r\nconnection: close\r\n\r\nmalformed',
  );
});

it('notices a caller that leaves before its answer', async () => {
  const caller = await call(await start());
  caller.socket.write(post('/never', '{}'));
  while (open === 0) await sleep(2);
  caller.socket.destroy();
  while (open !== 0) await sleep(2);
  expect(gone).toBe(1);
});

it('notices it of a caller that had asked for more already', async () => {
  const caller = await call(await start());
  caller.socket.write(post('/never', '{}'));
  while (open === 0) await sleep(2);
  caller.socket.write(post('/echo', '"a"'));
  await sleep(10);
  caller.socket.destroy();
  while (open !== 0) await sleep(2);
  expect(gone).toBe(1);
});

it('calls nobody gone who has got an answer', async () => {
  const caller = await call(await start());
  caller.socket.write(post('/echo', '"a"'));
  await caller.until('"a"');
  while (open !== 0) await sleep(2);
  caller.socket.destroy();
  await sleep(20);
  expect(gone).toBe(0);
});

it('closes at once when nothing is asked, and with the answer when something is', async () => {
  const port = await start();
  const idle = await call(port);
  idle.socket.write(post('/echo', '"a"'));
  await idle.until('"a"');
  const busy = await call(port);
  busy.socket.write(post('/slow', '"b"'));
  while (open === 0) await sleep(2);
  const ended = [idle, busy].map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)));
  await listener?.close(2000);
  await Promise.all(ended);
  expect(busy.seen).toContain('connection: close\r\n');
  expect(bodies(busy.seen)).toEqual(['"b"']);
});

it('cuts what is not answered in time', async () => {
  const caller = await call(await start());
  caller.socket.write(post('/never', '{}'));
  while (open === 0) await sleep(2);
  const ended = new Promise((resolve) => caller.socket.once('close', resolve));
  await listener?.close(30);
  await ended;
  expect(caller.seen).toBe('');
});
