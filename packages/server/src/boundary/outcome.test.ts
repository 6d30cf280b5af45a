import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { settingsFrom } from '../options.ts';
import type { Message } from '../shapes.ts';
import type { Failure } from './failure.ts';
import { outcome } from './outcome.ts';

const INPUT = z.object({ n: z.number() });

/** What is made of an answer to a request in this state. */
async function judged(
  answer: { result?: object; error?: { code: number; message: string } },
  state: object = {},
  began = false,
) {
  const boundary = {
    settings: settingsFrom(),
    callable: () => ['refund'],
    mayHaveBegun: () => began,
    prompts: new Map([['greet', { argsSchema: INPUT }]]),
  };
  const call = { method: 'tools/call', name: 'refunds', arguments: { n: 'x' }, entered: false, ...state };
  const message = { jsonrpc: '2.0', id: 1, ...answer } as Message;
  const failure: Failure | undefined = await outcome(boundary as never, call as never, message);
  if (failure === undefined) return undefined;
  const { thrown, ...rest } = failure;
  const { kind, message: said, issues, retryable } = thrown.fault;
  return { kind, said, issues, retryable, ...rest };
}

const failed = (...texts: unknown[]) => ({
  result: { isError: true, content: texts.map((text) => ({ type: 'text', text })) },
});

describe('an answer on its way out', () => {
  it('is a success, unless the guards have something against it', async () => {
    expect(await judged({ result: { content: [] } })).toBeUndefined();
    expect(await judged({ result: { isError: false } })).toBeUndefined();
    const passage = { show: (result: { content?: unknown }) => void result };
    expect(await judged({ result: { content: [] } }, { passage })).toBeUndefined();
    const refusing = {
      show() {
        throw new Error('too much');
      },
    };
    expect(await judged({ result: { content: [] } }, { passage: refusing })).toMatchObject({ began: true });
    expect(await judged({ result: { isError: 'yes' } })).toBeUndefined();
  });

  it('is the failure that is known already', async () => {
    const failure = { thrown: { fault: { kind: 'timeout', message: 'Late' } }, began: true };
    expect(await judged({ result: {} }, { failure })).toMatchObject({ kind: 'timeout', began: true });
  });

  it('that asks for input at a URL stays as it is', async () => {
    const error = { code: -32042, message: 'Open it' };
    expect(await judged({ error })).toMatchObject({ kept: true, began: false });
    expect(await judged({ error }, { entered: true })).toMatchObject({ kept: true, began: true });
  });

  it('that the SDK refused after the handler had succeeded lacks its promised form', async () => {
    const error = { code: -32602, message: 'Output validation error' };
    const expected = { kind: 'invalid_output', began: true, ours: true };
    expect(await judged({ error }, { entered: true, returned: 'success' })).toMatchObject(expected);
    expect(
      await judged(failed('Output validation error'), { entered: true, returned: 'success' }),
    ).toMatchObject(expected);
    expect((await judged({ error }, { returned: 'success' }))?.kind).not.toBe('invalid_output');
    expect((await judged({ error }, { entered: true, returned: 'error' }))?.kind).not.toBe('invalid_output');
  });
});

describe('a tool’s failing result', () => {
  it.each(['Tool refunds not found', 'MCP error -32602: Tool refunds not found', 'Tool refunds disabled'])(
    'that says "%s" is one of a tool that cannot be called',
    async (text) => {
      const expected = { kind: 'not_found', said: 'Unknown tool: refunds', ours: true, asTool: true };
      expect(await judged(failed(text))).toMatchObject({ ...expected, began: false });
      expect(await judged(failed(text), {}, true)).toMatchObject({ ...expected, began: true });
    },
  );

  it.each(['Tool refund not found', 'The Tool refunds not found', 'Tool refunds disabled today'])(
    'that says "%s" is the author’s own',
    async (text) => {
      expect(await judged(failed(text))).toMatchObject({ said: text, authored: true, began: true });
    },
  );

  it('that refuses arguments says each issue', async () => {
    const text = 'MCP error -32602: Input validation error: Invalid arguments for tool refunds: odd';
    const state = { tool: { inputSchema: INPUT } };
    const expected = {
      kind: 'invalid_arguments',
      said: 'Invalid arguments for tool refunds',
      issues: [{ path: ['n'] }],
      ours: true,
    };
    expect(await judged(failed(text), state)).toMatchObject({ ...expected, began: false });
    expect(await judged(failed(text), state, true)).toMatchObject({ ...expected, began: true });
    expect(await judged(failed(text))).toMatchObject({ issues: [{ path: [], message: 'odd' }] });
  });

  it('that has too many arguments says so', async () => {
    const text = 'Invalid arguments for tool refunds: arguments contain more than 9 things';
    expect(await judged(failed(text))).toMatchObject({
      kind: 'too_large',
      said: text,
      ours: true,
      began: false,
    });
    expect(await judged(failed(text), {}, true)).toMatchObject({ kind: 'too_large', began: true });
  });

  it('that the author returned keeps all its words, with advice where they are clear', async () => {
    const returned = { entered: true, returned: 'error' };
    expect(await judged(failed('Tool refunds not found', 'Second'), returned)).toMatchObject({
      said: 'Tool refunds not found\nSecond',
      authored: true,
      began: true,
    });
    expect(await judged(failed('429 Too Many Requests: rate limit exceeded'), returned)).toMatchObject({
      kind: 'rate_limited',
      advised: true,
    });
    expect(await judged(failed('Error'), returned)).toMatchObject({ kind: 'unknown', advised: false });
    const written = '{"error":"x","message":"No such order"}';
    expect(await judged(failed(written, 'more'), returned)).toMatchObject({ said: `${written}\nmore` });
    expect(await judged(failed(''), returned)).toMatchObject({ said: 'Unknown failure' });
    const odd = { result: { isError: true, content: [null, { text: 7 }, { text: 'a' }] } };
    expect(await judged(odd, returned)).toMatchObject({ said: 'a' });
    expect(await judged({ result: { isError: true, content: 'odd' } }, returned)).toMatchObject({
      authored: true,
    });
  });

  it('that is stored under a key tells nobody to ask again', async () => {
    const text = '429 Too Many Requests: rate limit exceeded';
    const state = { entered: true, returned: 'error' };
    expect(await judged(failed(text), { ...state, replayed: false })).toMatchObject({ retryable: true });
    expect(await judged(failed(text), { ...state, replayed: true })).toMatchObject({ retryable: false });
    expect(await judged(failed('No such order'), { ...state, replayed: true })).toMatchObject({
      said: 'No such order',
      authored: true,
    });
  });

  it('of another method is the author’s as well', async () => {
    const text = 'Tool refunds not found';
    expect(await judged(failed(text), { method: 'tasks/result' })).toMatchObject({
      said: text,
      authored: true,
    });
  });
});

describe('a prompt’s arguments', () => {
  const error = { code: -32602, message: 'MCP error -32602: Invalid arguments for prompt greet: odd' };
  const greet = { method: 'prompts/get', name: 'greet' };

  it('are refused issue by issue, whoever asks', async () => {
    const expected = {
      kind: 'invalid_arguments',
      said: 'Invalid arguments for prompt greet',
      issues: [{ path: ['n'] }],
      ours: true,
    };
    expect(await judged({ error }, greet)).toMatchObject({ ...expected, began: false });
    expect(await judged({ error }, greet, true)).toMatchObject({ ...expected, began: true });
  });

  it.each([
    [{ ...greet, entered: true }, error],
    [{ ...greet, method: 'resources/read' }, error],
    [greet, { ...error, message: 'Odd' }],
  ])('are not meant in %j', async (state, other) => {
    expect((await judged({ error: other }, state))?.said).not.toBe('Invalid arguments for prompt greet');
  });
});
