/** What a server process may write without ending anything but the request it was about. */
import { afterEach, expect, it } from 'vitest';
import { ask, request, STDIO_SERVER } from '../../test/tools.ts';
import { decode } from '../framing/json.ts';
import { StdioLink } from './stdio-link.ts';
import type { StdioLinkOptions } from './stdio-options.ts';

const DEEP = '['.repeat(5000) + ']'.repeat(5000);
const open: StdioLink[] = [];
const notes: string[] = [];
const unasked: unknown[] = [];

function connect(options: Partial<StdioLinkOptions> = {}): StdioLink {
  const link = new StdioLink({
    ...STDIO_SERVER,
    onMessage: (bytes) => unasked.push(decode(bytes)),
    onNote: (note) => notes.push(note),
    ...options,
  });
  open.push(link);
  return link;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((link) => link.close()));
  notes.length = 0;
  unasked.length = 0;
});

const ANSWER = '{"jsonrpc":"2.0","id":$ID,"result":{"fine":true}}';

it.each([false, true])(
  'survives these lines and hears the answer behind them (shared: %s)',
  async (shared) => {
    const link = connect({ shared });
    const lines = [
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":NaN}}',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{bad}}',
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${DEEP}}}`,
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{"toString":1}}}',
      '{"jsonrpc":"2.0","method":"notifications/progress"}',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":null}',
      '{"jsonrpc":"2.0","method":"notifications/progress","params":[1]}',
      `{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":${DEEP}}}}`,
      '{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":{"toString":1}}}}',
      '{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":null}}',
      '{"jsonrpc":"2.0","id":"x","result":{}}',
      '{"jsonrpc":"2.0","id":-5,"error":{"code":1,"message":"x"}}',
      '{"jsonrpc":"2.0","id":99999,"result":{}}',
      '[]',
      '[{"jsonrpc":"2.0","method":"x"}]',
      'null',
      '0',
      '"text"',
      '{}',
      '{"level":"info","msg":"JSON logs are not answers","id":$ID}',
      '{"__proto__":{"id":1},"constructor":{}}',
      DEEP,
      '{'.repeat(10_000),
      '\u0000\u0001\u001b[31m',
      'Server is running',
      ANSWER,
      ANSWER,
    ];
    expect((await ask(link, request('say', { lines }, 'mine'))).answer).toEqual({
      jsonrpc: '2.0',
      id: 'mine',
      result: { fine: true },
    });
    expect((await ask(link, request('echo', { say: 'alive' }))).answer?.result).toEqual({ said: 'alive' });
  },
);

it.each([
  '{"jsonrpc":"2.0","id":$ID,"result":{"progress":NaN}}',
  '{"jsonrpc":"2.0","id":$ID,"result":{"cut',
  '{"jsonrpc":"2.0","id":$ID,"id":$ID,"result":{}}',
  '{"jsonrpc":"2.0","id":1e999,"result":{}}',
  '{"jsonrpc":"2.0","result":{bad}}',
])('answers with invalid_output for %s', async (line) => {
  const link = connect();
  expect((await ask(link, request('say', { lines: [line] }))).lost).toEqual({
    kind: 'invalid_output',
    origin: 'upstream',
    executed: 'maybe',
    message: 'The server answered with something that is not a JSON-RPC message',
  });
  expect((await ask(link, request('echo', { say: 1 }))).answer?.result).toEqual({ said: 1 });
});

it.each([
  `{"jsonrpc":"2.0","id":$ID,"result":${DEEP}}`,
  `{"jsonrpc":"2.0","result":${DEEP}}`,
  `{"jsonrpc":"2.0","error":${DEEP}}`,
])('says of an answer that is nested too deep that it is', async (line) => {
  const link = connect();
  expect((await ask(link, request('say', { lines: [line] }))).lost).toEqual({
    kind: 'invalid_output',
    origin: 'gateway',
    executed: 'maybe',
    message: "The server's answer is nested deeper than the gateway's limit of 1000 levels",
  });
  expect((await ask(link, request('echo', { say: 1 }))).answer?.result).toEqual({ said: 1 });
});

it('gives the right one of two requests a broken answer', async () => {
  const link = connect();
  const other = ask(link, request('slow', { ms: 300 }, 'other'));
  const lines = ['{"jsonrpc":"2.0","id":$ID,"result":{"id":1,"cut'];
  expect((await ask(link, request('say', { lines }))).lost?.kind).toBe('invalid_output');
  expect((await other).answer).toMatchObject({ id: 'other', result: { slow: true } });
});

it('takes an id that comes back as text, and an error without one', async () => {
  const link = connect();
  const text = ['{"jsonrpc":"2.0","id":"$ID","result":{"as":"text"}}'];
  expect((await ask(link, request('say', { lines: text }, 'a'))).answer).toMatchObject({
    id: 'a',
    result: { as: 'text' },
  });
  for (const line of [
    '{"jsonrpc":"2.0","error":{"code":7,"message":"m"}}',
    '{"id":null,"error":{"code":7,"message":"m"}}',
  ]) {
    expect((await ask(link, request('say', { lines: [line] }, 'b'))).answer).toMatchObject({
      id: 'b',
      error: { code: 7 },
    });
  }
});

it('keeps Latin-1 and a byte order mark from breaking an answer', async () => {
  const program = `process.stdin.once('data', () => {
    process.stdout.write(Buffer.concat([Buffer.from('\\ufeff{"jsonrpc":"2.0","id":1,"result":{"a":"caf'), Buffer.from([0xe9]), Buffer.from('"}}\\n')]));
  })`;
  const link = connect({ args: ['-e', program] });
  expect((await ask(link, request('x'))).answer).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { a: 'caf\ufffd' },
  });
});

it('notes nothing that moves a cursor, and not without end', async () => {
  const link = connect();
  const lines = Array.from({ length: 5000 }, (_, i) => `\u001b[2Jnoise ${i} \u202e`);
  await ask(link, request('say', { lines: [...lines, ANSWER] }));
  expect(notes.length).toBe(101);
  expect(notes.at(-1)).toBe('more than 100 notes in 60 s; the rest of them is left out');
  expect(notes[0]).toBe('wrote something that is not JSON-RPC (not_json): noise 0  ');
});

it('takes a flood of notifications in, and the answer behind it', async () => {
  const link = connect();
  const flood = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';
  const lines = [...Array.from({ length: 20_000 }, () => flood), ANSWER];
  const { related, answer } = await ask(link, request('say', { lines }));
  expect([related.length, answer?.result]).toEqual([20_000, { fine: true }]);
});

it('is not ended by a sink that throws', async () => {
  const link = connect();
  const told = await new Promise((resolve) => {
    link.request(request('progress', { _meta: { progressToken: 1 } }), {
      answered: () => {
        throw new TypeError('secret');
      },
      related: () => {
        throw new TypeError('secret');
      },
      lost: resolve,
    });
  });
  expect(told).toMatchObject({ kind: 'invalid_output' });
  expect(notes).toEqual([
    'a message could not be handled (TypeError)',
    'an answer could not be handled (TypeError)',
  ]);
  expect((await ask(link, request('echo', { say: 1 }))).answer?.result).toEqual({ said: 1 });
});

it('answers a shared server that asks, and does not write without end to one that does not read', async () => {
  const link = connect({ shared: true });
  const asks = [
    '{"jsonrpc":"2.0","id":"q1","method":"ping"}',
    '{"jsonrpc":"2.0","id":7,"method":"roots/list"}',
  ];
  await ask(link, request('say', { lines: [...asks, ANSWER] }));
  const heard = (await ask(link, request('heard'))).answer?.result?.['lines'] as string[];
  expect(heard).toContain('{"id":"q1","jsonrpc":"2.0","result":{}}');
  expect(heard.some((line) => line.startsWith('{"id":7,"jsonrpc":"2.0","error":{"code":-32601'))).toBe(true);
});
