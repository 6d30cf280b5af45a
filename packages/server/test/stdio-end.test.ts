/** The end of the input: a last line without a newline, and calls under way, are answered before the exit. */
import { PassThrough } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { type FaultEvent, guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { guardStdio, type StdioOptions } from '../src/stdio.ts';
import { type Child, runChild } from './wire.ts';

const file = new URL('./stdio-server.ts', import.meta.url);
const children: Child[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

const call = (id: number, name: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });

async function all(child: Child): Promise<Message[]> {
  const messages: Message[] = [];
  for (let next = await child.next(); next !== undefined; next = await child.next()) messages.push(next);
  return messages;
}

describe.each([
  ['guarded', 'connect'],
  ['guarded-stdio', 'connect'],
  ['guarded-stdio', 'serve'],
  ['guarded-v1', 'connect'],
])('%s, %s', (how, wiring) => {
  it('answers what is under way and the last line, then ends', async () => {
    const child = runChild(file, [how, wiring]);
    children.push(child);
    child.write(call(1, 'slow'));
    child.process.stdin?.end(call(2, 'fine'));
    const answers = await all(child);
    expect(answers.map(({ id, result }) => [id, result !== undefined]).sort()).toEqual([
      [1, true],
      [2, true],
    ]);
    expect(await child.exited).toBe(0);
  });

  it('answers a handler that hangs, too', async () => {
    const child = runChild(file, [how, wiring]);
    children.push(child);
    child.process.stdin?.end(`${call(1, 'forever')}\n`);
    expect(JSON.stringify(await all(child))).toContain('No answer within 300 ms');
    expect(await child.exited).toBe(0);
  });

  it('says that a last line is cut off', async () => {
    const child = runChild(file, [how, wiring]);
    children.push(child);
    child.process.stdin?.end('{"jsonrpc": "2.0", "id": 1, "meth');
    expect((await child.next())?.error).toMatchObject({ code: -32700 });
    expect(await child.exited).toBe(0);
  });
});

/** One server on streams of our own, and what it writes for some lines. */
async function lines(
  input: readonly string[],
  options: StdioOptions = {},
  guardOptions = {},
): Promise<unknown[]> {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let text = '';
  stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  const server = guard(new McpServer({ name: 's', version: '1' }), guardOptions);
  server.registerTool('fine', {}, async () => ({ content: [] }));
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  await server.connect(guardStdio({ stdin, stdout, ...options }));
  for (const line of input) stdin.write(`${line}\n`);
  stdin.end();
  await closed;
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);
}

describe('a malformed line in the dialect’s own shape', () => {
  it('has `id: null` where the document is JSON-RPC 2.0 to the letter', async () => {
    expect(await lines(['{"jsonrpc": '], {}, { dialect: 'erlmcp' })).toEqual([
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: 'Parse error', data: 'The line is not valid JSON' },
      },
    ]);
    expect(await lines(['{"jsonrpc": '], {}, { dialect: 'onx' })).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } },
    ]);
    expect(await lines(['{"jsonrpc": '], {}, { dialect: 'platica' })).toMatchObject([
      { id: null, error: { code: -32602 } },
    ]);
    expect(await lines(['{"jsonrpc": '], {}, { dialect: 'closient' })).toMatchObject([
      { id: null, error: { code: -32100, message: 'Bad Request', data: { error_code: 'bad_request' } } },
    ]);
  });

  it('has none where clients reject it', async () => {
    for (const dialect of ['mayday', 'mcp', 'problem', 'tool-failure']) {
      const [answer] = await lines(['{"jsonrpc": '], {}, { dialect });
      expect(answer).toMatchObject({ error: { code: -32700 } });
      expect(answer).not.toHaveProperty('id');
    }
  });

  it('is the transport’s, where the server has no say', async () => {
    const [answer] = await lines(['{"jsonrpc": '], { dialect: 'erlmcp' }, { dialect: 'mayday' });
    expect(answer).toMatchObject({ error: { data: { kind: 'parse_error' } } });
  });

  it('is reported to whoever wants to know', async () => {
    const kinds: string[] = [];
    await lines(
      ['nonsense', '{"id": 3}'],
      {},
      {
        onFault: (event: { fault: { kind: string } }) => kinds.push(event.fault.kind),
      },
    );
    expect(kinds).toEqual(['parse_error', 'invalid_request']);
  });
});

it('gives up waiting for a handler that nobody bounds', async () => {
  const stdin = new PassThrough();
  const server = guard(new McpServer({ name: 's', version: '1' }), { deadlineMs: false });
  let aborted = false;
  server.registerTool('forever', {}, (ctx) => {
    ctx.mcpReq.signal.addEventListener('abort', () => {
      aborted = true;
    });
    return new Promise(() => {});
  });
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  await server.connect(guardStdio({ stdin, stdout: new PassThrough(), drainMs: 50 }));
  stdin.end(call(1, 'forever'));
  await closed;
  await new Promise((resolve) => setImmediate(resolve));
  expect(aborted).toBe(true);
});

it('takes the options that guard, guardHandler and nodeHandler share, and reports by them', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const logged: string[] = [];
  const events: FaultEvent[] = [];
  const options = {
    dialect: 'erlmcp',
    deadlineMs: 1000,
    guards: [],
    logger: { error: (_: object, message: string) => void logged.push(message) },
    onFault: (event: FaultEvent) => void events.push(event),
  } as const;
  expect(() => guardStdio({ ...options, dialect: 'nobodys' } as never)).toThrow('Expected `dialect`');
  const transport = guardStdio({ stdin, stdout, ...options });
  await transport.start();
  stdin.end('nope\n');
  await new Promise((resolve) => stdout.once('data', resolve));
  expect(logged).toEqual(['The line is not valid JSON']);
  expect(events).toMatchObject([
    { dialect: 'erlmcp', placement: 'protocol', fault: { kind: 'parse_error' }, call: { method: '' } },
  ]);
  expect(events[0]?.correlationId).toMatch(/^[0-9a-f-]{36}$/);
});

it('refuses options that it does not have', () => {
  expect(() => guardStdio({ maxLineByte: 1 } as never)).toThrow(
    '`guardStdio` has no option `maxLineByte`: did you mean `maxLineBytes`?',
  );
});
