/** Nothing leaks past the guard, and nothing that a server said is lost behind it. */
import { fault } from '@mayday/core';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type FaultEvent, type GuardOptions, guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { connectRaw, faultIn } from './wire.ts';

const SECRET = 'hunter2S3cr3tPassw0rd';
const LEAK = `postgres://svc:${SECRET}@db.prod.internal:5432/prod`;

async function serve(run: (ctx: never) => unknown, options: GuardOptions = {}) {
  const server = guard(
    new McpServer({ name: 's', version: '1' }, { capabilities: { logging: {} } }),
    options,
  );
  server.registerTool('t', {}, run as never);
  return connectRaw(server);
}

async function answerTo(run: (ctx: never) => unknown, options?: GuardOptions): Promise<Message> {
  return (await serve(run, options)).ask('tools/call', { name: 't' });
}

const texts = ({ result }: Message): (string | undefined)[] =>
  ((result?.['content'] ?? []) as { readonly text?: string }[]).map((block) => block.text);

const thrown = (reason: unknown) => () => {
  throw reason;
};

it('keeps loopback hosts, which say nothing to anybody else, and takes others out', async () => {
  const at = (host: string) => answerTo(thrown(new Error(`Page 404 not found on ${host}:33513`)));
  const next = 'Check the identifier; do not repeat the same call.';
  expect(texts(await at('127.0.0.1'))).toEqual([`Page 404 not found on 127.0.0.1:33513. ${next}`]);
  expect(texts(await at('10.0.0.5'))).toEqual([`Page 404 not found. ${next}`]);
});

describe('an error result that the author returns', () => {
  const image = { type: 'image', data: 'aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ=', mimeType: 'image/png' };
  const returned = {
    isError: true,
    content: [
      { type: 'text', text: `11 errors found, see the screenshot (${LEAK})` },
      image,
      { type: 'text', text: 'src/a.ts:1: missing semicolon', _meta: { dsn: LEAK } },
      { type: 'resource', resource: { uri: 'file:///report.txt', text: `password=${SECRET}` } },
    ],
    structuredContent: { errors: 11, dsn: LEAK },
    _meta: { 'example.com/trace': 'abc', 'example.com/dsn': LEAK, nested: { token: SECRET } },
  };

  it('leaves without secrets in any part of it', async () => {
    expect(JSON.stringify(await answerTo(() => returned))).not.toContain(SECRET);
  });

  it('keeps every block, the structured content and the meta', async () => {
    const { result } = await answerTo(() => returned);
    const content = result?.['content'] as { readonly [key: string]: unknown }[];
    expect(content.map((block) => block['type'])).toEqual(['text', 'image', 'text', 'resource']);
    expect(content[0]?.['text']).toMatch(/^11 errors found, see the screenshot/);
    expect(content[1]).toEqual(image);
    expect(content[2]?.['text']).toBe('src/a.ts:1: missing semicolon');
    expect(result?.['structuredContent']).toMatchObject({ errors: 11 });
    expect(result?.['_meta']).toMatchObject({
      'example.com/trace': 'abc',
      'dev.mayday/fault': { executed: 'maybe' },
    });
  });

  it('gets advice beside its words, and only once', async () => {
    const text = (said: string) => () => ({ isError: true, content: [{ type: 'text', text: said }] });
    const first = await answerTo(text('Order 4711 not found'));
    expect(texts(first)).toEqual([
      'Order 4711 not found',
      'Check the identifier; do not repeat the same call.',
    ]);
    const told = 'Order 4711 not found. Check the identifier; do not repeat the same call.';
    const second = await answerTo(text(told));
    expect(texts(second)).toEqual([told]);
  });

  it('is redacted where it already carries a fault', async () => {
    const document = {
      kind: 'conflict',
      reaction: 'terminal',
      retryable: false,
      retry: { when: 'never' },
      executed: 'no',
      origin: 'caller',
      message: `Shipped ${LEAK}`,
      details: { dsn: LEAK },
    };
    const answer = await answerTo(() => ({
      isError: true,
      content: [{ type: 'text', text: `Shipped ${LEAK}` }],
      structuredContent: { dsn: LEAK },
      _meta: { 'dev.mayday/fault': document, 'example.com/dsn': LEAK },
    }));
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    expect(faultIn(answer)).toMatchObject({ kind: 'conflict', executed: 'maybe' });
  });

  it.each(['closient', 'onx', 'platica', 'problem', 'tool-failure', 'mcp'] as const)(
    'keeps its image and structured content in %s',
    async (dialect) => {
      const { result } = await answerTo(() => returned, { dialect });
      expect(JSON.stringify(result)).not.toContain(SECRET);
      expect(result?.['content']).toContainEqual(image);
      expect(JSON.stringify(result)).toContain('missing semicolon');
      expect(result?.['isError']).toBe(true);
      // The results of a closed document are its bodies alone.
      const meta =
        dialect === 'platica' ? undefined : expect.objectContaining({ 'example.com/trace': 'abc' });
      expect(result?.['_meta']).toEqual(meta);
    },
  );

  it('does not send a web page to the model', async () => {
    const page = '<html><head><title>Bad gateway</title></head><body>cloud</body></html>';
    const { result } = await answerTo(() => ({
      isError: true,
      content: [{ type: 'text', text: `HTTP 502: ${page}` }],
    }));
    expect(JSON.stringify(result?.['content'])).not.toContain('<html');
    expect(JSON.stringify(result?.['content'])).toContain('Bad gateway');
  });

  it('is cut where it is endless', async () => {
    const answer = await answerTo(() => ({
      isError: true,
      content: [{ type: 'text', text: `Not found: ${'y'.repeat(5_000_000)}` }],
    }));
    expect(JSON.stringify(answer).length).toBeLessThan(250_000);
  });
});

describe('a fault’s parts', () => {
  class Money {
    toJSON(): string {
      return LEAK;
    }
  }
  it.each([
    ['details with `toJSON`', { details: { amount: new Money() as never } }],
    ['boxed strings in details', { details: { dsn: new String(LEAK) as never } }],
    [
      'details with a getter',
      {
        details: {
          get dsn() {
            return LEAK;
          },
        } as never,
      },
    ],
    ['a nested `toJSON`', { details: { a: [{ toJSON: () => ({ dsn: LEAK }) }] as never } }],
    ['a correlation id', { correlationId: LEAK }],
    ['a name', { name: LEAK }],
    ['a timestamp', { timestamp: LEAK }],
    ['an advice', { advice: `Connect with ${LEAK}` }],
    ['a subject', { subject: { type: 'database', id: LEAK } }],
    ['a subject’s type', { subject: { type: LEAK } }],
    ['an issue', { issues: [{ path: ['dsn', LEAK], message: LEAK, code: LEAK }] }],
  ])('%s', async (_name, options) => {
    const answer = await answerTo(thrown(fault.conflict('Locked', options)));
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    expect(faultIn(answer)).toMatchObject({ kind: 'conflict', message: 'Locked' });
  });

  it('a correlation id of the option is checked too, and made anew when it cannot be used', async () => {
    for (const correlationId of [
      () => LEAK,
      () => 42 as never,
      () => {
        throw new Error(LEAK);
      },
      () => 'a\u001b[31m',
    ]) {
      const answer = await answerTo(thrown(new Error('boom')), { correlationId });
      expect(JSON.stringify(answer)).not.toContain(SECRET);
      expect(faultIn(answer)['correlation_id']).toMatch(/^[\w-]{36}$/);
    }
  });
});

describe('notifications on the way', () => {
  it('of progress and of the log leave without secrets', async () => {
    const client = await serve(async (ctx: never) => {
      const { mcpReq } = ctx as {
        mcpReq: { notify(message: object): Promise<void>; _meta?: { progressToken?: string } };
      };
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: 'p', progress: 1, message: `Connecting to ${LEAK}` },
      });
      await mcpReq.notify({
        method: 'notifications/message',
        params: { level: 'error', logger: 'db', data: { error: `lost ${LEAK}`, toJSON: undefined } },
      });
      return { content: [] };
    });
    await client.ask('tools/call', { name: 't', _meta: { progressToken: 'p' } });
    expect(JSON.stringify(client.received)).not.toContain(SECRET);
    expect(client.received.map((message) => message.method)).toEqual([
      'notifications/progress',
      'notifications/message',
      undefined,
    ]);
    expect(client.received[0]?.params).toMatchObject({ progress: 1, progressToken: 'p' });
    expect(client.received[0]?.params?.['message']).toMatch(/^Connecting to postgres:/);
  });
});

it('redacts why a task failed', async () => {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  const task = { taskId: 't1', status: 'failed', statusMessage: `Lost ${LEAK}`, ttl: null };
  server.server.setRequestHandler(
    'tasks/get' as never,
    { params: z.looseObject({}) } as never,
    (() => task) as never,
  );
  const answer = await (await connectRaw(server)).ask('tasks/get', { taskId: 't1' });
  expect(answer.result).toMatchObject({ taskId: 't1', status: 'failed' });
  expect(JSON.stringify(answer)).not.toContain(SECRET);
});

it('redacts a request for a URL, except the URL itself', async () => {
  const url = 'https://login.example.com/authorize?state=9f8e7d6c5b4a39281706f5e4d3c2b1a0';
  const elicitation = { mode: 'url', message: `Sign in to ${LEAK}`, elicitationId: 'e1', url };
  const reason = Object.assign(new (class ProtocolError extends Error {})(`Sign in ${LEAK}`), {
    code: -32042,
    data: { elicitations: [elicitation] },
  });
  const answer = await answerTo(thrown(reason));
  expect(JSON.stringify(answer)).not.toContain(SECRET);
});

it('reports every fault with its cause, whatever the wire says', async () => {
  const events: FaultEvent[] = [];
  const cause = new Error(LEAK);
  await answerTo(thrown(cause), { onFault: (event) => events.push(event) });
  expect(events[0]?.cause).toBe(cause);
});

it('an argument’s echo is redacted like everything else', async () => {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  server.registerTool('t', { inputSchema: z.object({ n: z.number() }) }, async () => ({ content: [] }));
  const client = await connectRaw(server);
  const answer = await client.ask('tools/call', { name: `t ${LEAK}` });
  expect(JSON.stringify(answer)).not.toContain(SECRET);
});
