import { fault, makeFault } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../options.ts';
import { privateCause } from '../report/report.ts';
import type { Message } from '../shapes.ts';
import { Asked } from './asked.ts';
import { type HandlerKind, wrapHandler } from './handlers.ts';
import { Methods } from './methods.ts';
import { RequestState } from './request-state.ts';

interface Around {
  readonly params?: Message['params'];
  readonly method?: string;
  /** Is the tool one of the server's? */
  readonly known?: boolean;
}

/** Runs a wrapped handler as the answer to one request, and says what is known of it then. */
async function run(kind: HandlerKind, handler: (...args: never[]) => unknown, around: Around = {}) {
  const { params, method = 'tools/call', known = true } = around;
  const owner = { toolFacts: () => (known ? { annotations: {} } : undefined) };
  const message = { jsonrpc: '2.0', id: 7, method, params: { name: 'x', ...params } } as Message;
  const state = new RequestState(owner as never, message, undefined, 0);
  const boundary = {
    settings: settingsFrom(),
    asked: new Asked(),
    methods: new Methods({ fallbackRequestHandler: () => ({}) } as never),
    stateOf: (id: unknown) => (id === 7 ? state : undefined),
    isGone: (id: unknown) => id === 8,
  };
  const wrapped = wrapHandler(boundary as never, kind, handler as never);
  const answer = await Promise.resolve()
    .then(() => wrapped({}, { mcpReq: { id: 7 } }))
    .catch((thrown: unknown) => ({ thrown: String(thrown) }));
  return { answer, state, wrapped };
}

const PLACEHOLDER = { content: [], isError: true };

describe('a wrapped handler', () => {
  it('is wrapped once', async () => {
    const { wrapped } = await run('tool', () => ({ content: [] }));
    expect(wrapHandler({ settings: settingsFrom() } as never, 'tool', wrapped)).toBe(wrapped);
  });

  it('is found by the id in the context of either SDK', async () => {
    const { wrapped, state } = await run('tool', (...args: unknown[]) => ({ content: args }));
    state.returned = undefined;
    state.entered = false;
    expect(wrapped({ requestId: 7 })).toEqual({ content: [{ requestId: 7 }] });
    expect(state.returned).toBe('success');
  });

  it('runs for nobody who is gone, and as it is for what is no request of a client', async () => {
    const { wrapped } = await run('tool', () => ({ content: ['ran'] }));
    expect(wrapped({}, { requestId: 8 })).toEqual(PLACEHOLDER);
    expect(wrapped({}, { requestId: 9 })).toEqual({ content: ['ran'] });
    expect(wrapped()).toEqual({ content: ['ran'] });
    const prompt = await run('prompt', () => ({ messages: [] }), { method: 'prompts/get' });
    expect(() => prompt.wrapped({}, { requestId: 8 })).toThrow('Internal error');
  });

  it.each([
    [1, ['a']],
    [2, ['a', 'b']],
    [3, ['a', 'b', 'c']],
  ])('gets its %i arguments', async (_count, args) => {
    const { wrapped, state } = await run('tool', (...given: unknown[]) => ({ content: given.slice(0, -1) }));
    state.entered = false;
    expect(wrapped(...args, { requestId: 7 })).toEqual({ content: args });
    expect([state.entered, state.returned]).toEqual([true, 'success']);
  });
});

describe('what a handler returns', () => {
  it.each([
    ['a success', { content: [] }, 'success'],
    ['an error result', { content: [], isError: true }, 'error'],
    ['a result that says it is none', { content: [], isError: false }, 'success'],
    ['a question', { resultType: 'input_required', inputRequests: {} }, 'question'],
    ['a complete result', { content: [], resultType: 'complete' }, 'success'],
    ['a task that nobody wants', { task: { taskId: 't' } }, 'error'],
  ])('%s', async (_what, result, returned) => {
    const { answer, state } = await run('tool', () => result);
    expect(answer).toBe(result);
    expect([state.returned, state.failure]).toEqual([returned, undefined]);
  });

  it('is a success as a task that the caller wants', async () => {
    const { state } = await run('tool', () => ({ task: { taskId: 't' } }), { params: { task: {} } });
    expect(state.returned).toBe('success');
  });

  it.each([
    ['tool', null, 'null'],
    ['tool', 7, 'number'],
    ['tool', [], 'an object of the wrong shape, or one that cannot be written as JSON'],
    ['tool', {}, 'an object of the wrong shape, or one that cannot be written as JSON'],
    ['tool', { result: 42 }, 'an object of the wrong shape, or one that cannot be written as JSON'],
    ['tool', { content: [1n] }, 'an object of the wrong shape, or one that cannot be written as JSON'],
    ['prompt', { messages: 7 }, 'an object of the wrong shape, or one that cannot be written as JSON'],
    ['resource', { contents: [{}] }, 'an object of the wrong shape, or one that cannot be written as JSON'],
  ] as const)('of a %s cannot be wrong: %#', async (kind, result, described) => {
    const { answer, state } = await run(kind, async () => result);
    expect(answer).toEqual(kind === 'tool' ? PLACEHOLDER : { thrown: 'Error: Internal error' });
    expect(state.returned).toBeUndefined();
    expect(state.failure).toMatchObject({
      began: true,
      ours: true,
      thrown: { fault: { kind: 'invalid_output' } },
    });
    expect(String(privateCause(state.failure?.thrown as never))).toBe(
      `TypeError: A ${kind} handler returned ${described}`,
    );
  });
});

describe('what a handler returns that is a failure', () => {
  it.each([
    ['a fault', () => fault.notFound('No order')],
    ['a fault, later', async () => fault.notFound('No order')],
    ['a fault as data', () => makeFault({ kind: 'not_found', message: 'No order' })],
  ])('%s is one as if it were thrown', async (_what, handler) => {
    for (const kind of ['tool', 'prompt', 'resource', 'method'] as const) {
      const { answer, state } = await run(kind, handler);
      expect(answer).toEqual(kind === 'tool' ? PLACEHOLDER : { thrown: 'Error: Internal error' });
      expect(state.returned).toBeUndefined();
      expect(state.failure).toMatchObject({ began: true, thrown: { fault: { kind: 'not_found' } } });
    }
  });

  it('an error is one as if it were thrown', async () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const { answer, state } = await run('tool', () => refused);
    expect(answer).toEqual(PLACEHOLDER);
    expect(state.failure).toMatchObject({ began: true, thrown: { fault: { kind: 'unavailable' } } });
  });

  it.each([
    ['a generator', () => (function* () {})()],
    ['an async generator', () => (async function* () {})()],
  ])('%s is no result', async (_what, handler) => {
    const { answer, state } = await run('tool', handler);
    expect(answer).toEqual(PLACEHOLDER);
    expect(state.failure).toMatchObject({ ours: true, thrown: { fault: { kind: 'invalid_output' } } });
  });

  const FAILING = { isError: true, content: [{ type: 'text', text: 'hidden' }] };

  it.each([
    ['its own', { content: [], toJSON: () => FAILING }],
    [
      'its class',
      new (class {
        readonly content: readonly unknown[] = [];
        toJSON(): object {
          return FAILING;
        }
      })(),
    ],
  ])('is looked at as it goes out, where %s `toJSON` makes something else of it', async (_whose, result) => {
    const { answer, state } = await run('tool', () => result);
    expect(answer).toEqual(FAILING);
    expect(state.returned).toBe('error');
  });

  it.each([
    ['nothing', 'at first', [undefined, true, false]],
    ['a success', 'at first', [false, true, false]],
    ['a success', 'twice', [false, false, true]],
    ['nothing', 'four times', [undefined, undefined, undefined, undefined, true]],
    ['a failure', 'at first', [true, false]],
  ])('is %s %s, and then the same at every look', async (_what, _when, says) => {
    const odd = (): object => {
      let looks = 0;
      const get = (): unknown => says[looks++ % says.length];
      return Object.defineProperty({ content: [] }, 'isError', { enumerable: true, get });
    };
    for (const result of [odd(), Object.assign(Object.create(odd()), { content: [] })]) {
      const { answer, state } = await run('tool', () => result);
      const looks = Array.from({ length: 6 }, () => (answer as { readonly isError?: unknown }).isError);
      expect(new Set(looks).size).toBe(1);
      expect(state.returned).toBe(looks[0] === true ? 'error' : 'success');
    }
  });

  it('is no result where `toJSON` makes none of it', async () => {
    const { state } = await run('tool', () => ({ content: [], toJSON: () => 'done' }));
    expect(state.failure).toMatchObject({ ours: true, thrown: { fault: { kind: 'invalid_output' } } });
  });
});

describe('what a handler throws', () => {
  it.each([
    ['tool', true, fault.notFound('x'), true],
    ['tool', false, fault.notFound('x'), false],
    ['tool', false, fault('parse_error', 'x'), true],
    ['tool', false, fault('invalid_request', 'x'), true],
    ['prompt', true, fault.notFound('x'), false],
  ] as const)('of a %s (known: %s) is a failure after it began', async (kind, known, thrown, asTool) => {
    const { answer, state } = await run(
      kind,
      () => {
        throw thrown;
      },
      { known },
    );
    expect(answer).toEqual(kind === 'tool' ? PLACEHOLDER : { thrown: 'Error: Internal error' });
    expect(state.failure).toMatchObject({ began: true, asTool });
    expect(state.failure?.thrown.fault.kind).toBe(thrown.fault.kind);
  });

  it('later is the same', async () => {
    const { answer, state } = await run('tool', async () => {
      throw fault.conflict('x');
    });
    expect(answer).toEqual(PLACEHOLDER);
    expect(state.failure).toMatchObject({
      began: true,
      asTool: true,
      thrown: { fault: { kind: 'conflict' } },
    });
  });
});
