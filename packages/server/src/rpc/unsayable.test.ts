/** Answers that are no JSON, and refusals that fail themselves: every request is answered under its own id. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ConversationOptions, createConversation, createSessions, serveLines } from '../rpc.ts';

const cycle: { self?: unknown } = {};
cycle.self = cycle;
const ANSWERS: { readonly [method: string]: () => unknown } = {
  big: () => ({ a: 1n }),
  cycle: () => cycle,
  toJson: () => ({
    toJSON() {
      throw new Error('hidden words');
    },
  }),
  getter: () => ({
    get a() {
      throw new Error('hidden words');
    },
  }),
  nothing: () => undefined,
  method: () => () => {},
};
const METHODS = ['big', 'cycle', 'toJson', 'getter', 'nothing', 'method'];

const OPTIONS: ConversationOptions = {
  answer: ({ method }) => (ANSWERS[method]?.() ?? (method === 'ok' ? { ok: 1 } : undefined)) as object,
  refuse: ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Refused' } }),
  notified: () => {},
  send: () => true,
};
const request = (method: string, id: string = method) => ({ jsonrpc: '2.0', id, method });
const refused = (id: string | null) => ({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Refused' } });
const plain = (id: string | number | null) => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32603, message: 'Internal error' },
});
function fails(): never {
  throw new Error('hidden words');
}

describe('a conversation', () => {
  it.each(METHODS)('refuses its own answer that is no JSON: %s', async (method) => {
    const { receive } = createConversation(OPTIONS);
    expect(await receive(request(method))).toEqual(refused(method));
    expect(await receive(request(method))).toEqual(refused(method));
  });

  it('answers the rest of a batch', async () => {
    const { receive } = createConversation(OPTIONS);
    const answers = await receive([request('big'), request('ok')]);
    expect(answers).toEqual([refused('big'), { jsonrpc: '2.0', id: 'ok', result: { ok: 1 } }]);
  });

  it('hands what went wrong to whoever refuses', async () => {
    const thrown: unknown[] = [];
    const { receive } = createConversation({
      ...OPTIONS,
      refuse: (one) => void thrown.push([one.id, one.method, (one.thrown as Error).name]),
    });
    expect(await receive(request('big'))).toBeUndefined();
    expect(thrown).toEqual([['big', 'big', 'TypeError']]);
  });

  it.each([
    ['throws', fails],
    ['gives a cycle', () => cycle],
    ['gives a function', () => (() => {}) as object],
  ])('answers in plain words where its refusal %s', async (_how, refuse) => {
    const { receive } = createConversation({ ...OPTIONS, refuse });
    expect(await receive(request('big'))).toEqual(plain('big'));
    expect(await receive({ jsonrpc: '2.0', id: 7 })).toEqual(plain(7));
    expect(await receive([])).toEqual(plain(null));
    expect(await receive([7, request('ok')])).toEqual([
      plain(null),
      { jsonrpc: '2.0', id: 'ok', result: { ok: 1 } },
    ]);
  });

  it('does not reject where a notification fails', async () => {
    const { receive } = createConversation({ ...OPTIONS, notified: fails });
    expect(await receive({ jsonrpc: '2.0', method: 'notifications/x' })).toBeUndefined();
  });
});

/** Each time that it is made JSON, it says another number. */
function counting(): ConversationOptions['answer'] {
  let count = 0;
  return () => ({
    toJSON() {
      count += 1;
      return { count };
    },
  });
}

describe('on lines', () => {
  async function said(
    input: string,
    refuse: ConversationOptions['refuse'],
    answer: ConversationOptions['answer'] = OPTIONS.answer,
  ) {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const open = () => createConversation({ ...OPTIONS, answer, refuse });
    const { ended } = serveLines({ stdin, stdout, maxLineBytes: 1000, refuse, open });
    stdin.end(input);
    await ended;
    const lines = String(stdout.read()).trim().split('\n');
    return lines.map((line) => JSON.parse(line));
  }

  it('answers each request', async () => {
    const input = METHODS.map((method) => JSON.stringify(request(method))).join('\n');
    expect(await said(input, OPTIONS.refuse)).toEqual(METHODS.map((method) => refused(method)));
  });

  it('makes each result JSON once, in a batch too', async () => {
    const one = JSON.stringify(request('a'));
    const batch = JSON.stringify([request('b'), request('c')]);
    expect(await said(`${one}\n${batch}`, OPTIONS.refuse, counting())).toEqual([
      { jsonrpc: '2.0', id: 'a', result: { count: 1 } },
      [
        { jsonrpc: '2.0', id: 'b', result: { count: 2 } },
        { jsonrpc: '2.0', id: 'c', result: { count: 3 } },
      ],
    ]);
  });

  it('makes each refusal JSON once', async () => {
    let count = 0;
    const refuse: ConversationOptions['refuse'] = ({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: {
        toJSON() {
          count += 1;
          return { code: -32603, message: String(count) };
        },
      },
    });
    expect(await said(JSON.stringify(request('big')), refuse)).toEqual([
      { jsonrpc: '2.0', id: 'big', error: { code: -32603, message: '1' } },
    ]);
  });

  it('answers a line that is none, where the refusal throws', async () => {
    expect(await said(`nope\n${JSON.stringify(request('big'))}`, fails)).toEqual([plain(null), plain('big')]);
  });
});

describe('over HTTP', () => {
  async function serve(
    refuse: ConversationOptions['refuse'],
    answer: ConversationOptions['answer'] = OPTIONS.answer,
  ) {
    const open = () => ({ ...createConversation({ ...OPTIONS, answer, refuse }), isOpen: () => true });
    const { listener } = createSessions({ maxBodyBytes: 1000, refuse, open });
    const server = createServer((incoming, response) => void listener(incoming, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    return async (body: string) => {
      const answer = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        signal: AbortSignal.timeout(2000),
      });
      return [answer.status, await answer.json()];
    };
  }

  it.each(METHODS)('answers under the id of the request: %s', async (method) => {
    const post = await serve(OPTIONS.refuse);
    expect(await post(JSON.stringify(request(method)))).toEqual([200, refused(method)]);
  });

  it('makes each result JSON once', async () => {
    const post = await serve(OPTIONS.refuse, counting());
    expect(await post(JSON.stringify(request('a')))).toEqual([
      200,
      { jsonrpc: '2.0', id: 'a', result: { count: 1 } },
    ]);
  });

  it('answers where the refusal throws', async () => {
    const post = await serve(fails);
    expect(await post('{')).toEqual([400, plain(null)]);
    expect(await post(JSON.stringify(request('big')))).toEqual([200, plain('big')]);
  });
});
