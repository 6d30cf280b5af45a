/** Calls in several rounds: the server asks, and the client answers in a second request of the same call. */
import { fault } from '@mayday/core';
import { createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guardHandler } from '../src/http.ts';
import { type GuardOptions, guard, keys, rateLimit } from '../src/index.ts';
import { KEY } from './till.ts';
import { type Answer, answerOf, httpRequest, textOf } from './wire.ts';

interface Ways {
  readonly options?: GuardOptions;
  readonly tookMs?: number;
  readonly reads?: boolean;
  /** The tool is there before the guard. */
  readonly unseen?: boolean;
  readonly afterwards?: () => void;
}

let shops = 0;

/** A shop that books in the first round and asks for a word; in the second it takes payment. */
function shop({ options, tookMs = 0, reads = false, unseen = false, afterwards = () => {} }: Ways = {}) {
  const done: string[] = [];
  const version = `${++shops}`;
  const inputSchema = z.object({ amount: z.number().optional() });
  const factory = (): McpServer => {
    const server = new McpServer({ name: 'rounds', version });
    if (!unseen) guard(server, options);
    const annotations = { readOnlyHint: reads };
    server.registerTool('pay', { inputSchema, annotations }, async (_args, { mcpReq }) => {
      const answers = mcpReq.inputResponses as { word?: { content?: { said?: string } } } | undefined;
      done.push(answers === undefined ? 'booked' : `paid ${answers.word?.content?.said}`);
      await new Promise((resolve) => setTimeout(resolve, tookMs));
      if (answers !== undefined) {
        afterwards();
        return { content: [{ type: 'text', text: `${done.at(-1)}` }] };
      }
      const requestedSchema = { type: 'object', properties: {} } as const;
      const word = inputRequired.elicit({ message: 'Receipt?', requestedSchema });
      return inputRequired({ requestState: 'st', inputRequests: { word } });
    });
    return unseen ? guard(server, options) : server;
  };
  const handler = guardHandler(createMcpHandler(factory), options);
  const ask = (
    params: object,
    key?: string,
    headers?: Record<string, string>,
  ): Promise<Answer | undefined> => {
    const capable = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } };
    const { meta, ...given } = params as { meta?: object };
    const _meta = { ...capable, ...meta, ...(key === undefined ? {} : { [KEY]: key }) };
    const call = { name: 'pay', arguments: {}, ...given, _meta };
    return answerOf(handler.fetch(httpRequest('2026-07-28', 'tools/call', call, headers)));
  };
  return { done, ask };
}

const answering = (said: string) => ({
  requestState: 'st',
  inputResponses: { word: { action: 'accept', content: { said } } },
});

const faultOf = (answer: Answer | undefined) => {
  const { result, error } = answer?.message ?? {};
  return (error?.data ?? (result?.['_meta'] as Record<string, unknown>)?.['dev.mayday/fault']) as {
    readonly kind: string;
    readonly executed: string;
  };
};

const wordsOf = (answer: Answer | undefined) => answer?.message.error?.message ?? textOf(answer);

describe('a second round that is refused may have been executed in the first', () => {
  const WARNING = /It may have happened; check before you repeat a change/;

  it.each<[string, string, Ways, object, Record<string, string>?]>([
    ['a limit', 'rate_limited', { options: { guards: [rateLimit({ limit: 1, windowMs: 60_000 })] } }, {}],
    ['wrong arguments', 'invalid_arguments', {}, { arguments: { amount: 'much' } }],
    ['arguments of no shape', 'invalid_arguments', {}, { arguments: 'x' }],
    ['an unknown tool', 'not_found', {}, { name: 'payy' }],
    [
      'a deadline',
      'timeout',
      { options: { deadlineMs: ({ arguments: given }) => timeFor(given) } },
      { arguments: { amount: 0 } },
    ],
    [
      'a word of the author',
      'conflict',
      {
        afterwards: () => {
          throw fault.conflict('No more left', { executed: 'no' });
        },
      },
      {},
    ],
  ])('%s', async (_what, kind, ways, more) => {
    const { ask } = shop(ways);
    expect((await ask({}))?.message.result).toHaveProperty('resultType', 'input_required');
    const refused = await ask({ ...answering('y'), ...more });
    expect(faultOf(refused)).toMatchObject({ kind, executed: 'maybe' });
  });

  it.each<[string, object]>([
    ['answers', { inputResponses: {} }],
    ['a state', { requestState: 'st' }],
  ])('known by its %s', async (_what, round) => {
    const { ask } = shop();
    const first = await ask({ arguments: { amount: 'much' } });
    expect(faultOf(first)).toMatchObject({ executed: 'no' });
    expect(wordsOf(first)).not.toMatch(WARNING);
    const second = await ask({ ...round, arguments: { amount: 'much' } });
    expect(faultOf(second)).toMatchObject({ executed: 'maybe' });
    expect(wordsOf(second)).toMatch(WARNING);
  });

  it('but whoever counts attempts is told of this round alone', async () => {
    const { ask } = shop({ options: { guards: [rateLimit({ limit: 1, windowMs: 60_000 })] } });
    await ask({});
    const refused = await ask({ ...answering('y'), meta: { 'dev.mayday/attempt': 1 } });
    expect(faultOf(refused)).toMatchObject({ kind: 'rate_limited', executed: 'no' });
    expect(wordsOf(refused)).not.toMatch(WARNING);
  });

  it('and the model is told, by a limit and by a door', async () => {
    const limited = shop({ options: { guards: [rateLimit({ limit: 1, windowMs: 60_000 })] } });
    await limited.ask({});
    expect(wordsOf(await limited.ask(answering('y')))).toMatch(WARNING);
    const closed = shop({ options: { guards: [keys({ lookup: async () => undefined })] } });
    const refused = await closed.ask(answering('y'));
    expect(refused?.status).toBe(401);
    expect(faultOf(refused)).toMatchObject({ kind: 'unauthenticated', executed: 'maybe' });
  });

  // What the clients of each document wait for, and then begin the whole call again.
  it.each([
    ['closient', /-32003|"retryable":true/],
    ['erlmcp', /-32010/],
    ['onx', /"retryable":true/],
    ['qaqnuz', /rate limit/i],
    ['platica', /call again|wait at least/i],
  ] as const)('CL-19 ER-33 EM-12 QA-13 PL-4 a limit is none to wait out: %s', async (dialect, waitedOut) => {
    const guards = [rateLimit({ limit: 1, windowMs: 60_000 })];
    const { ask } = shop({ options: { dialect, guards } });
    await ask({});
    const later = JSON.stringify((await ask(answering('y')))?.message);
    const anew = JSON.stringify((await ask({}))?.message);
    expect([waitedOut.test(later), waitedOut.test(anew)]).toEqual([false, true]);
  });

  it('but of a tool that only reads, repeating does no harm', async () => {
    const { ask } = shop({ reads: true });
    expect(wordsOf(await ask({ ...answering('y'), arguments: { amount: 'much' } }))).not.toMatch(WARNING);
  });
});

/** Those who ask for nothing get nothing. */
function timeFor(given: unknown): number {
  return (given as { amount?: number }).amount === 0 ? 1e-9 : 60_000;
}

describe('under one key', () => {
  const asks = (answer: Answer | undefined) => answer?.message.result?.['inputRequests'] !== undefined;

  it.each([false, true])(
    'whoever joins the first round is asked too, once made, unseen: %j',
    async (unseen) => {
      const { done, ask } = shop({ tookMs: 50, unseen });
      const both = await Promise.all([ask({}, 'k'), ask({}, 'k')]);
      expect(both.map(asks)).toEqual([true, true]);
      expect(done).toEqual(['booked']);
      expect(textOf(await ask(answering('y'), 'k'))).toBe('paid y');
    },
  );

  it.each([false, true])(
    'each round is made once: whoever asks again gets what it was told, unseen: %j',
    async (unseen) => {
      const { done, ask } = shop({ unseen });
      const first = await ask({}, 'k');
      expect((await ask({}, 'k'))?.message.result).toEqual(first?.message.result);
      const capable = { 'dev.mayday/executed': 'maybe', 'dev.mayday/attempt': 2 };
      expect(asks(await ask({ meta: capable }, 'k'))).toBe(true);
      expect(done).toEqual(['booked']);
      expect(textOf(await ask(answering('y'), 'k'))).toBe('paid y');
      expect(asks(await ask({}, 'k'))).toBe(true);
      expect(textOf(await ask(answering('y'), 'k'))).toBe('paid y');
      expect(done).toEqual(['booked', 'paid y']);
    },
  );

  it('a call goes on from a question that was too long to be kept, and that is not asked again', async () => {
    const { done, ask } = shop({ options: { idempotency: { maxAnswerLength: 10 } } });
    await ask({}, 'k');
    expect(faultOf(await ask({}, 'k'))).toMatchObject({ kind: 'conflict', executed: 'yes' });
    expect(textOf(await ask(answering('y'), 'k'))).toBe('paid y');
    expect(faultOf(await ask(answering('y'), 'k'))).toMatchObject({ kind: 'conflict', executed: 'yes' });
    expect(faultOf(await ask(answering('n'), 'k'))).toMatchObject({ kind: 'conflict', executed: 'yes' });
    expect(done).toEqual(['booked', 'paid y']);
  });

  it('whoever joins a read that fails is told why', async () => {
    const afterwards = (): never => {
      throw fault.notFound('No such word');
    };
    const { done, ask } = shop({ tookMs: 50, reads: true, afterwards });
    const both = await Promise.all([ask(answering('y'), 'k'), ask(answering('y'), 'k')]);
    expect(both.map((answer) => faultOf(answer)?.kind)).toEqual(['not_found', 'not_found']);
    expect(done).toEqual(['paid y']);
  });

  it('a second round that a limit refused is made when it comes again', async () => {
    let now = 0;
    const guards = [rateLimit({ limit: 1, windowMs: 1000, now: () => now })];
    const { done, ask } = shop({ options: { guards } });
    await ask({}, 'k');
    expect(faultOf(await ask(answering('y'), 'k'))).toMatchObject({ kind: 'rate_limited' });
    now = 5000;
    expect(textOf(await ask(answering('y'), 'k'))).toBe('paid y');
    expect(done).toEqual(['booked', 'paid y']);
  });

  it.each([0, 50])('other answers of the user are a conflict, after %i ms', async (tookMs) => {
    const { done, ask } = shop({ tookMs });
    await ask({}, 'k');
    const first = ask(answering('y'), 'k');
    if (tookMs === 0) await first;
    const other = await ask(answering('n'), 'k');
    expect(textOf(await first)).toBe('paid y');
    expect(faultOf(other)).toMatchObject({ kind: 'conflict', executed: 'maybe' });
    expect(wordsOf(other)).toMatch(/with other answers/);
    expect(textOf(await ask(answering('y'), 'k'))).toBe('paid y');
    expect(asks(await ask({}, 'k'))).toBe(true);
    expect(done).toEqual(['booked', 'paid y']);
  });

  it('other answers are a conflict after a failure too', async () => {
    const afterwards = (): never => {
      throw new Error('connect ECONNREFUSED 10.0.0.5:5432');
    };
    const { done, ask } = shop({ afterwards });
    await ask({}, 'k');
    expect(faultOf(await ask(answering('y'), 'k'))).toMatchObject({ kind: 'unavailable', executed: 'maybe' });
    expect(faultOf(await ask(answering('n'), 'k'))).toMatchObject({ kind: 'conflict', executed: 'maybe' });
    expect(faultOf(await ask(answering('y'), 'k'))).toMatchObject({ kind: 'unavailable', executed: 'maybe' });
    expect(done).toEqual(['booked', 'paid y']);
  });
});
