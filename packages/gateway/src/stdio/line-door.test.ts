import { PassThrough, Writable } from 'node:stream';
import type { Entry, Reply, RequestHead } from '@mayday/relay';
import { expect, it, vi } from 'vitest';
import { openLineDoor } from './line-door.ts';

interface Asked {
  readonly head: RequestHead;
  readonly body: string;
  readonly reply: Reply;
}

type Answer = (asked: Asked) => void;

/** A door before a server that is told how to answer. */
function open(
  answer: Answer,
  maxLineBytes = 1000,
): { readonly input: PassThrough; sizes: readonly unknown[]; said(): Promise<string[]> } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const sizes: unknown[] = [];
  const chunks: Buffer[] = [];
  output.on('data', (chunk: Buffer) => chunks.push(chunk));
  const door = openLineDoor({
    input,
    output,
    maxLineBytes,
    maxDepth: 50,
    lineOf: () => 'all',
    mayRepeat: ({ body }) => !body.includes('once'),
    admit: (head, reply): Entry => ({
      maxBodyBytes: maxLineBytes,
      handle: (body) => answer({ head, body: body.toString(), reply }),
    }),
    turnAway: (reason, reply, { headers }) => {
      sizes.push(headers['content-length']);
      reply.json(413, Buffer.from(`{"error":"${reason}"}`));
    },
    onBug: () => undefined,
  });
  return {
    input,
    sizes,
    async said() {
      await door.ended;
      await door.close();
      return Buffer.concat(chunks).toString().split('\n').slice(0, -1);
    },
  };
}

const INITIALIZE = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}';
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** Opens sessions `s1`, `s2` … and answers the rest with what is given. */
function withSessions(rest: Answer): Answer {
  let opened = 0;
  return (asked) => {
    if (asked.head.method === 'GET') asked.reply.raw(405, {});
    else if (asked.body === INITIALIZE) {
      const headers = { 'mcp-session-id': `s${++opened}` };
      asked.reply.json(200, Buffer.from('{"id":0,"result":{"protocolVersion":"2025-06-18"}}'), headers);
    } else if (asked.body === INITIALIZED) asked.reply.raw(202, {});
    else rest(asked);
  };
}

it('sends every line where a request would go, in the session and the revision that were agreed on', async () => {
  const heads: RequestHead[] = [];
  const { input, said } = open(
    withSessions(({ head, reply }) => {
      heads.push(head);
      reply.json(200, Buffer.from('{"id":1,"result":{}}'));
    }),
  );
  input.end(`${INITIALIZE}\n${INITIALIZED}\r\n\n{"jsonrpc":"2.0","id":1,"method":"ping"}`);
  expect(await said()).toEqual([
    '{"id":0,"result":{"protocolVersion":"2025-06-18"}}',
    '{"id":1,"result":{}}',
  ]);
  expect(heads.map(({ headers }) => [headers['mcp-session-id'], headers['mcp-protocol-version']])).toEqual([
    ['s1', '2025-06-18'],
  ]);
});

it('takes no byte order mark for a part of the first line, and one further on for what it is', async () => {
  const bodies: string[] = [];
  const { input, said } = open(({ body, reply }) => {
    bodies.push(body);
    reply.json(200, Buffer.from('{}'));
  });
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  input.end(`\uFEFF${ping}\n\uFEFF${ping}\n`);
  await said();
  expect(bodies).toEqual([ping, `\uFEFF${ping}`]);
});

it('writes each message of a stream, and of one over several lines, as one line', async () => {
  const { input, said } = open(({ reply }) => {
    reply.stream();
    reply.event(Buffer.from('id: 1\ndata: {"jsonrpc":"2.0","method":"a/b"}\n\n: still here\n\n'));
    reply.event(Buffer.from('data: {"id":1,\ndata: "result":{}}\n\n'));
    reply.end();
  });
  input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(await said()).toEqual(['{"jsonrpc":"2.0","method":"a/b"}', '{"id":1,"result":{}}']);
});

it('opens a session again that its server has forgotten, and asks again in it', async () => {
  const sessions: unknown[] = [];
  const { input, said } = open(
    withSessions(({ head, reply }) => {
      const id = head.headers['mcp-session-id'];
      sessions.push(id);
      if (id === 's1') reply.json(404, Buffer.from('{"id":1,"error":{}}'));
      else reply.json(200, Buffer.from('{"id":1,"result":{}}'));
    }),
  );
  input.end(`${INITIALIZE}\n${INITIALIZED}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n`);
  expect(await said()).toEqual([
    '{"id":0,"result":{"protocolVersion":"2025-06-18"}}',
    '{"id":1,"result":{}}',
  ]);
  expect(sessions).toEqual(['s1', 's2']);
});

it('tells that a session is not known to whoever is not to be asked twice, and opens a new one for the next', async () => {
  const asked: string[] = [];
  const { input, said } = open(
    withSessions(({ head, body, reply }) => {
      asked.push(`${head.headers['mcp-session-id']} ${JSON.parse(body).method}`);
      if (head.headers['mcp-session-id'] === 's1') reply.json(404, Buffer.from('{"id":1,"error":{}}'));
      else reply.json(200, Buffer.from('{"id":2,"result":{}}'));
    }),
  );
  input.write(`${INITIALIZE}\n${INITIALIZED}\n{"jsonrpc":"2.0","id":1,"method":"once"}\n`);
  await vi.waitFor(() => expect(asked).toEqual(['s1 once']));
  input.end('{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
  expect((await said()).slice(1)).toEqual(['{"id":1,"error":{}}', '{"id":2,"result":{}}']);
  expect(asked).toEqual(['s1 once', 's2 ping']);
});

it('passes on that a session is not known, when a new one is not known either', async () => {
  const { input, said } = open(
    withSessions(({ reply }) => reply.json(404, Buffer.from('{"id":1,"error":{}}'))),
  );
  input.end(`${INITIALIZE}\n${INITIALIZED}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n`);
  expect((await said()).at(-1)).toBe('{"id":1,"error":{}}');
});

it('answers a request whose answer was cut', async () => {
  const { input, said } = open(({ reply }) => reply.abort());
  input.end('{"jsonrpc":"2.0","id":"x","method":"ping"}\n');
  expect(await said()).toEqual([
    '{"jsonrpc":"2.0","id":"x","error":{"code":-32603,"message":"The gateway lost the answer; it may have happened. Check before you repeat a change."}}',
  ]);
});

it.each([
  ['in front', (long: string) => `{"jsonrpc":"2.0","id":1,"method":"${long}"}`, '"id":1'],
  ['at the end', (long: string) => `{"method":"${long}","id":2}`, '"id":2'],
  [
    'at the end, as the official SDKs write it',
    (long: string) =>
      `{"method":"tools/call","params":{"name":"a","x":"${long}"},"jsonrpc":"2.0","id":"a-\\"2"}`,
    '"id":"a-\\"2"',
  ],
])('refuses a request that is too long under its id, which stands %s, and goes on', async (_, line, id) => {
  const { input, said, sizes } = open(
    ({ reply }) => reply.json(200, Buffer.from('{"id":3,"result":{}}')),
    100,
  );
  const long = line('x'.repeat(200));
  for (const part of [long.slice(0, 150), long.slice(150), `\n${long}`]) input.write(part);
  input.end('\n{"jsonrpc":"2.0","id":3,"method":"ping"}\n');
  const refused = `{"error":"too_large",${id}}`;
  expect(await said()).toEqual([refused, refused, '{"id":3,"result":{}}']);
  // ER-35: whoever sent it is told how large it was.
  expect(sizes).toEqual([String(long.length), String(long.length)]);
});

it.each([
  ['an answer', (long: string) => `{"jsonrpc":"2.0","id":1,"result":{"x":"${long}"}}`],
  ['an answer with its id at the end', (long: string) => `{"result":{"x":"${long}"},"jsonrpc":"2.0","id":1}`],
  ['a notification', (long: string) => `{"method":"x","params":{"x":"${long}","id":1}}`],
  ['no message', (long: string) => `"${long}","id":1}`],
])('answers nobody by an id that is none of a request: %s', async (_, line) => {
  const { input, said } = open(({ reply }) => reply.json(200, Buffer.from('{}')), 100);
  input.end(`${line('x'.repeat(200))}\n`);
  expect(await said()).toEqual(['{"error":"too_large"}']);
});

it('cancels a request of the stateless revision by closing it, and answers it no more', async () => {
  const gone: string[] = [];
  const { input, said } = open(({ reply, body }) => reply.onGone(() => gone.push(body.slice(0, 25))));
  const meta = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
  input.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a",${meta}}}\n`);
  input.end('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n');
  expect(await said()).toEqual([]);
  expect(gone).toEqual(['{"jsonrpc":"2.0","id":1,"']);
});

it('ends when nobody reads', async () => {
  const output = new PassThrough();
  const door = openLineDoor({
    input: new PassThrough(),
    output,
    maxLineBytes: 100,
    maxDepth: 50,
    lineOf: () => 'all',
    mayRepeat: ({ body }) => !body.includes('once'),
    admit: () => undefined,
    turnAway: () => undefined,
    onBug: () => undefined,
  });
  output.destroy();
  await expect(door.ended).resolves.toBeUndefined();
});

const MODERN = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';

it('waits for the end of nothing that only listens, and answers it no more', async () => {
  let listened = 0;
  const { input, said } = open(({ reply, body }) => {
    if (body.includes('listen')) reply.onGone(() => listened++);
    else reply.json(200, Buffer.from('{"id":2,"result":{}}'));
  });
  input.write(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{${MODERN}}}\n`);
  input.end(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{${MODERN}}}\n`);
  expect(await said()).toEqual(['{"id":2,"result":{}}']);
  expect(listened).toBe(1);
});

it('notices the end of its input also where nobody reads what it says', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const input = new PassThrough();
  const output = new Writable({ highWaterMark: 100, write: () => undefined });
  const door = openLineDoor({
    input,
    output,
    maxLineBytes: 1000,
    maxDepth: 50,
    lineOf: () => undefined,
    mayRepeat: () => false,
    admit: (_head, reply): Entry => ({
      maxBodyBytes: 1000,
      handle: () => {
        const event = `data: {"method":"notifications/message","params":"${'x'.repeat(500)}"}\n\n`;
        setImmediate(() => {
          reply.stream();
          reply.event(Buffer.from(event));
        });
      },
    }),
    turnAway: () => undefined,
    onBug: () => undefined,
  });
  input.write('{"jsonrpc":"2.0","id":1,"method":"tools/call"}\n');
  await vi.waitFor(() => expect(output.writableLength).toBeGreaterThan(500));
  input.end();
  await vi.waitFor(() => expect(input.readableEnded).toBe(true));
  await vi.advanceTimersByTimeAsync(30_000);
  await expect(door.ended).resolves.toBeUndefined();
  vi.useRealTimers();
});
