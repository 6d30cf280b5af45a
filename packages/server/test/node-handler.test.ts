import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { guardHandler, nodeHandler } from '@mayday/server/http';
import { describe, expect, it, onTestFinished } from 'vitest';

/** An endpoint that echoes what reached it, and requests exactly as given. */
async function endpoint(options: Parameters<typeof nodeHandler>[1] = {}) {
  const seen: string[] = [];
  const fetch = async (asked: Request): Promise<Response> => {
    seen.push(`${asked.method} ${await asked.text()}`);
    if (asked.url.endsWith('/broken')) throw new Error('hunter2');
    return new Response('ok', { status: 201, headers: { 'x-said': 'yes' } });
  };
  const server = createServer(nodeHandler({ fetch }, { dialect: 'erlmcp', ...options }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const ask = (body: string | Buffer, headers: Record<string, string> = {}, path = '/mcp') =>
    new Promise<{ status: number; said: unknown; headers: object }>((resolve, reject) => {
      const sent = request({ port, path, method: 'POST', headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        answer.on('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            said: text.startsWith('{') ? JSON.parse(text) : text,
            headers: answer.headers,
          }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    });
  /** What comes back for exactly these bytes, until the other side has nothing more to say. */
  const raw = (head: string): Promise<string> =>
    new Promise((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(head));
      socket.setEncoding('latin1').on('data', (piece: string) => {
        text += piece;
        if (text.includes('}')) socket.destroy();
      });
      socket.on('close', () => resolve(text));
    });
  return { ask, seen, raw };
}

/** The same behind something that reads the body first, and does with it what it likes. */
async function behind(
  read: (body: string, incoming: IncomingMessage & { body?: unknown }) => unknown,
  options: Parameters<typeof nodeHandler>[1] = {},
) {
  const fetch = async (asked: Request): Promise<Response> =>
    new Response(`${asked.headers.get('content-length')} ${await asked.text()}`);
  const handle = nodeHandler({ fetch }, options);
  const server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const given = read(Buffer.concat(pieces).toString(), incoming);
    void handle(incoming, outgoing, given);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await globalThis.fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    body: '{ "é": 1 }',
    headers: JSON_TYPE,
    signal: AbortSignal.timeout(3000),
  });
  return { status: answer.status, text: await answer.text() };
}

describe('a body that was read before', () => {
  const parsed = (body: string) => JSON.parse(body);
  const same = (body: string) => body;

  it.each([
    ['parsed', parsed, '8 {"é":1}'],
    ['as a text', same, '11 { "é": 1 }'],
    ['as bytes', (body: string) => Buffer.from(body), '11 { "é": 1 }'],
  ])('is taken %s, from the request or as an argument', async (_, read, text) => {
    expect(await behind(read)).toEqual({ status: 200, text });
    const left = await behind((body, incoming) => {
      incoming.body = read(body);
    });
    expect(left).toEqual({ status: 200, text });
  });

  it('is what the argument says, where there are two', async () => {
    const { text } = await behind((_, incoming) => {
      incoming.body = { a: 1 };
      return { b: 2 };
    });
    expect(text).toBe('7 {"b":2}');
  });

  it('and thrown away is told at once, to the caller and to whoever runs the server', async () => {
    const { status, text } = await behind(() => undefined);
    expect(status).toBe(500);
    expect(JSON.parse(text)).toMatchObject({ error: { data: { kind: 'misconfigured', executed: 'no' } } });
  });

  it('is bounded all the same', async () => {
    const { status } = await behind((body) => body, { maxBodyBytes: 5 });
    expect(status).toBe(413);
  });

  it('is nothing that Express calls a next function', async () => {
    const { status } = await behind((body, q) => {
      q.body = JSON.parse(body);
      return () => undefined;
    });
    expect(status).toBe(200);
  });

  it('that cannot be written again is a fault', async () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect((await behind(() => cyclic)).status).toBe(500);
  });
});

const JSON_TYPE = { 'content-type': 'application/json' };

describe('an endpoint on node:http', () => {
  it('passes a request on, and the answer back', async () => {
    const { ask, seen } = await endpoint();
    expect(await ask('¡hola!')).toMatchObject({ status: 201, said: 'ok', headers: { 'x-said': 'yes' } });
    expect(seen).toEqual(['POST ¡hola!']);
  });

  it('ER-76 takes 16 MiB where the document of its dialect says so, and 4 MiB elsewhere', async () => {
    const said = async (dialect: 'erlmcp' | 'mayday', size: number): Promise<number> =>
      (await (await endpoint({ dialect })).ask('x'.repeat(size))).status;
    expect(await said('erlmcp', 16_777_216)).toBe(201);
    expect(await said('erlmcp', 16_777_217)).toBe(413);
    expect(await said('mayday', 4_194_304)).toBe(201);
    expect(await said('mayday', 4_194_305)).toBe(413);
  });

  it('ER-35 says what is too large in the dialect, declared or not, and asks nobody', async () => {
    const { ask, seen } = await endpoint({ maxBodyBytes: 10 });
    const tooLarge = {
      status: 413,
      said: {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32012,
          message: 'Message size exceeds maximum allowed',
          data: { max_size: 10, unit: 'bytes' },
        },
      },
    };
    const read = { said: { error: { data: { actual_size: 11, max_size: 10, unit: 'bytes' } } } };
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const answer = await ask('x'.repeat(11), headers);
      expect(answer).toMatchObject(tooLarge);
      expect(answer).toMatchObject(read);
    }
    expect((await ask('x'.repeat(10))).status).toBe(201);
    expect(seen).toHaveLength(1);
    expect((await ask('x'.repeat(160))).headers).not.toMatchObject({ connection: 'close' });
    const endless = { ...tooLarge, headers: { connection: 'close' } };
    expect(await ask('x'.repeat(161))).toMatchObject(endless);
    expect(await ask('x'.repeat(161), { 'transfer-encoding': 'chunked' })).toMatchObject(endless);
  });

  it('ER-19 takes no bytes for JSON that are no text', async () => {
    const { ask, seen } = await endpoint();
    expect(await ask(Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE)).toMatchObject({
      status: 400,
      said: { id: null, error: { code: -32700 } },
    });
    expect(seen).toEqual([]);
  });

  it.each([
    [{ host: 'evil.example' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: 'localhost:1', origin: 'http://127.0.0.1:9' }, 201],
  ])('ER-55 answers %j with %i', async (headers, status) => {
    const { ask } = await endpoint();
    expect((await ask('{}', headers as Record<string, string>)).status).toBe(status);
  });

  it('ER-55 says it in the words of the document', async () => {
    const { ask, seen } = await endpoint();
    expect((await ask('{}', { host: 'evil.example' })).said).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32056, message: 'Access denied' },
    });
    expect(seen).toEqual([]);
  });

  it.each<[unknown, string]>([
    ['example.com', '"example.com"'],
    [[], '[]'],
    [[7], '[7]'],
  ])('does not take %j for hosts', (hosts, shown) => {
    const make = () => nodeHandler({ fetch: async () => new Response() }, { hosts: hosts as never });
    expect(make).toThrow(new TypeError(`Expected \`hosts\` to be "any" or a list of names, got ${shown}`));
  });

  it('serves any host where it is told to', async () => {
    const { ask } = await endpoint({ hosts: 'any' });
    expect((await ask('{}', { host: 'evil.example' })).status).toBe(201);
  });

  it('tells nothing of what its handler throws', async () => {
    const { ask } = await endpoint();
    const { status, said } = await ask('{}', {}, '/broken');
    expect([status, JSON.stringify(said)]).toEqual([500, expect.not.stringContaining('hunter2')]);
  });
});

describe('what Node takes for a request, and nobody can serve', () => {
  it.each([
    ['TRACE /mcp HTTP/1.1\r\nHost: localhost', '405'],
    ['POST http://[ HTTP/1.1\r\nHost: localhost', '400'],
    ['POST //[ HTTP/1.1\r\nHost: localhost', '201'],
    ['POST ftp://localhost/mcp HTTP/1.1\r\nHost: localhost', '400'],
    ['POST /mcp HTTP/1.1\r\nHost: user:pw@localhost', '400'],
    ['POST /mcp HTTP/1.1\r\nHost: localhost/x?', '403'],
    ['POST @evil.example/mcp HTTP/1.1\r\nHost: localhost', '400'],
    ['OPTIONS * HTTP/1.1\r\nHost: localhost', '201'],
  ])('%j is answered with %s, and the next one is served', async (head, status) => {
    const { raw, ask } = await endpoint();
    expect((await raw(`${head}\r\nConnection: close\r\n\r\n`)).slice(9, 12)).toBe(status);
    expect((await ask('{}', { host: 'localhost' })).status).toBe(201);
  });
});

describe('where something else than MCP is served', () => {
  const options: Parameters<typeof nodeHandler>[1] = {
    refused: ({ path, status, thrown }) =>
      path === '/mcp' ? undefined : Response.json({ path, kind: thrown.fault.kind }, { status }),
  };

  it.each([
    ['no text', Buffer.from([0xff]), { 'content-type': 'application/json' }, 400, 'parse_error'],
    ['a foreign Host', '{}', { host: 'evil.example' }, 403, 'forbidden'],
  ])('its own form answers %s', async (_what, body, headers, status, kind) => {
    const { ask, seen } = await endpoint(options);
    const rest = await ask(body, headers, '/v1/orders?x=1');
    expect([rest.status, rest.said]).toEqual([status, { path: '/v1/orders', kind }]);
    const mcp = await ask(body, headers, '/mcp');
    expect([mcp.status, mcp.said]).toMatchObject([status, { jsonrpc: '2.0', id: null }]);
    expect(seen).toEqual([]);
  });

  it('one that is no function is said at once', () => {
    const fetch = async () => new Response('ok');
    expect(() => nodeHandler({ fetch }, { refused: 'no' as never })).toThrow(/refused/);
    expect(() => nodeHandler({ fetch }, { host: ['x'] } as never)).toThrow(
      new TypeError('`nodeHandler` has no option `host`: did you mean `hosts`?'),
    );
    expect(() => nodeHandler({ fetch }, { colour: 1 } as never)).toThrow(
      /^`nodeHandler` has no option `colour`: its options are hosts, maxBodyBytes, refused, dialect, /,
    );
    expect(() => guardHandler({ fetch }, { dialct: 'onx' } as never)).toThrow(
      new TypeError('`guardHandler` has no option `dialct`: did you mean `dialect`?'),
    );
  });
});
