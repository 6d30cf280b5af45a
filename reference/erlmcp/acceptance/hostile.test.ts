import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assaultEndpoint, assaultPipe, foreignMembers, HOSTILE, REFUSED } from '../../acceptance/hostile.ts';
import { Endpoint, exchange } from '../../acceptance/http.ts';
import { SLOW } from '../../acceptance/program.ts';
import {
  command,
  freshFolder,
  type HttpReference,
  serveHttp,
  serveStdio,
} from '../../acceptance/reference.ts';
import type { Pipe } from '../../acceptance/stdio.ts';
import type { Message } from '../../acceptance/wire.ts';
import { expectDocumented } from './judge.ts';

const folder = freshFolder();
const FLAGS = ['--rate-limit', '100000'];
let server: HttpReference;
let pipe: Pipe;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await serveHttp('erlmcp', folder.path, FLAGS);
  const endpoint = new Endpoint(server.mcp);
  await endpoint.initialize();
  headers = endpoint.headers;
  pipe = serveStdio('erlmcp', folder.path, FLAGS);
  await pipe.initialize();
}, SLOW);
afterAll(async () => {
  await Promise.all([server.stop(), pipe.close()]);
  folder.remove();
});

/** The codes that fit each kind of hostile input, and the ids that say so. */
const CODES: Record<string, number[]> = {
  parse: [-32700],
  request: [-32600],
  params: [-32602, -32600],
  too_large: [-32012],
};
const heard = HOSTILE.filter(({ kind }) => kind in CODES);
const others = HOSTILE.filter(({ kind }) => !(kind in CODES));

describe('hostile inputs', () => {
  it.each(heard)('ER-19 ER-20 ER-22 ER-35: $name on stdio has the document’s code', async (hostile) => {
    const [answer, ...more] = await assaultPipe(pipe, hostile);
    expectDocumented(answer, CODES[hostile.kind] ?? []);
    expect([hostile.id, null]).toContain(answer?.id);
    expect(more).toEqual([]);
  });

  it.each(heard)('ER-19 ER-20 ER-22 ER-35: $name over HTTP has the document’s code', async (hostile) => {
    const answer = await assaultEndpoint(server.mcp, hostile, headers);
    expectDocumented(answer.messages[0], CODES[hostile.kind] ?? []);
    expect([hostile.id, null]).toContain(answer.messages[0]?.id);
  });

  it.each(heard.filter(({ kind }) => ['parse', 'request'].includes(kind)))(
    'ER-5 ER-19 ER-20: the data of $name is text',
    async (hostile) => {
      const [answer] = await assaultPipe(pipe, hostile);
      expect(typeof answer?.error?.data).toBe('string');
    },
  );

  it.each(others)('ER-1: $name does not end the connection', async (hostile) => {
    const answers = await assaultPipe(pipe, hostile);
    expect(answers.length).toBe(hostile.kind === 'silent' ? 0 : 1);
    expect(foreignMembers(answers)).toEqual([]);
  });

  it('ER-20: one bad item of a batch does not take the others with it', async () => {
    const before = pipe.received.length;
    pipe.send(
      '[{"jsonrpc":"2.0","id":"b1","method":"ping"},{"jsonrpc":"2.0","id":"b2"},7,{"jsonrpc":"2.0","id":"b4","method":"ping"}]\n',
    );
    await pipe.request('ping');
    const answers = pipe.received
      .slice(before, -1)
      .flatMap((message) => (Array.isArray(message) ? message : [message]));
    const told = answers.map((answer: Message) => [answer.id, answer.error?.code]);
    expect(told).toEqual(
      expect.arrayContaining([
        ['b1', undefined],
        ['b2', -32600],
        [null, -32600],
        ['b4', undefined],
      ]),
    );
  });

  it('ER-1: one id for two requests gives two answers', async () => {
    const before = pipe.received.length;
    const params = { name: 'nonexistent_tool', arguments: {} };
    pipe.send({ jsonrpc: '2.0', id: 'twin', method: 'tools/call', params });
    pipe.send({ jsonrpc: '2.0', id: 'twin', method: 'tools/call', params });
    const twins = (): Message[] => pipe.received.slice(before).filter(({ id }) => id === 'twin');
    await pipe.find(() => twins().length === 2);
    expect(twins().map(({ error }) => typeof error?.code)).toEqual(['number', 'number']);
  });
});

describe('the end of the input', () => {
  it.each([
    ['a request', '{"jsonrpc":"2.0","id":"last","method":"ping"}', { id: 'last', result: {} }],
    [
      'half a request',
      '{"jsonrpc":"2.0","id":"last","met',
      { id: null, error: { code: -32700, message: 'Parse error' } },
    ],
  ])(
    'ER-19: %s without a line end is answered before the server goes',
    async (_name, bytes, expected) => {
      const last = serveStdio('erlmcp', folder.path, FLAGS);
      await last.initialize();
      const before = last.received.length;
      last.send(bytes);
      last.program.child.stdin?.end();
      const answer = await last.find(() => last.received.length > before, 3000).catch(() => undefined);
      await last.close();
      expect(answer === undefined ? 'nothing' : last.received[before]).toMatchObject(expected);
    },
    SLOW,
  );
});

describe('HTTP that is no message', () => {
  const CASES: Record<string, number[]> = {
    PUT: [-32600, -32601],
    'an Accept that rules out every answer': [-32013, -32600],
    'a Content-Type that is not JSON': [-32013],
    'a foreign Host': [-32056],
  };

  it.each(REFUSED.filter(({ name }) => name in CASES))(
    'ER-1 ER-36: $name is $status in the document’s words',
    async (question) => {
      const answer = await exchange(server.mcp, question);
      expect(answer.status).toBe(question.status);
      expectDocumented(answer.messages[0], CASES[question.name] ?? []);
      expect(answer.messages[0]?.id).toBeNull();
    },
  );

  it('ER-31: a session that does not exist is HTTP 404 and a transport error', async () => {
    const answer = await exchange(server.mcp, {
      headers: {
        ...headers,
        'mcp-session-id': 'nobody',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(answer.status).toBe(404);
    expectDocumented(answer.messages[0], [-32008]);
  });
});

describe('starting', () => {
  it('ER-23: a port that is taken is told in one line', async () => {
    const port = new URL(server.mcp).port;
    const said = await command('erlmcp', ['--http', port, '--data', folder.path]);
    expect(said.status).not.toBe(0);
    expect(said.errors).toContain(port);
    expect(said.errors).not.toMatch(/^\s+at /m);
  });

  it('ER-33: a limit that is no number is told in one line', async () => {
    const said = await command('erlmcp', ['--rate-limit', 'abc', '--data', folder.path]);
    expect(said.status).toBe(2);
    expect(said.errors).not.toMatch(/^\s+at /m);
  });
});
