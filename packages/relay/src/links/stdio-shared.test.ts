/** Many callers over one process: what one of them does, the others do not notice. */
import { afterEach, expect, it } from 'vitest';
import { ask, message, request, STDIO_SERVER } from '../../test/tools.ts';
import { decode } from '../framing/json.ts';
import { peek } from '../framing/peek.ts';
import type { Outgoing } from './link.ts';
import { StdioLink } from './stdio-link.ts';
import type { StdioLinkOptions } from './stdio-options.ts';

const open: StdioLink[] = [];
const notes: string[] = [];

function connect(options: Partial<StdioLinkOptions> = {}): StdioLink {
  const link = new StdioLink({
    ...STDIO_SERVER,
    shared: true,
    onMessage: () => {},
    onNote: (note) => notes.push(note),
    ...options,
  });
  open.push(link);
  return link;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((link) => link.close()));
  notes.length = 0;
});

const of = (caller: string, sent: Outgoing, session?: string): Outgoing => ({ ...sent, caller, session });
const cancelOf = (id: unknown): Outgoing =>
  message({ method: 'notifications/cancelled', params: { requestId: id, reason: 'x' } });

async function heard(link: StdioLink): Promise<string[]> {
  return (await ask(link, request('heard'))).answer?.result?.['lines'] as string[];
}

it('lets nobody cancel what another one asked', async () => {
  const link = connect();
  const mine = ask(link, of('me', request('slow', { ms: 200 }, 'same'), 's1'));
  const theirs = ask(link, of('they', request('slow', { ms: 200 }, 'same'), 's2'));
  const stateless = ask(link, of('me', request('slow', { ms: 200 }, 'same')));
  for (const stranger of [
    cancelOf('same'), // nobody in particular
    of('me', cancelOf('same')), // the same caller, but no session: which of its requests?
    of('they', cancelOf('same'), 's1'), // somebody else who names my session
    of('me', cancelOf('same'), 's3'),
  ]) {
    link.send(stranger);
  }
  link.send(of('they', cancelOf('same'), 's2'));
  expect((await theirs).lost?.kind).toBe('cancelled');
  expect((await mine).answer?.result).toEqual({ slow: true });
  expect((await stateless).answer?.result).toEqual({ slow: true });
  expect((await ask(link, request('cancelled'))).answer?.result).toEqual({ cancelled: [2] });
});

it('is opened by nobody', async () => {
  const link = connect();
  const { lost } = await ask(link, request('initialize', {}));
  expect(lost).toMatchObject({ kind: 'unsupported', origin: 'gateway', executed: 'no' });
  link.send(message({ method: 'notifications/initialized' }));
  link.send(message({ method: 'notifications/roots/list_changed' }));
  link.send(message({ id: 'server-1', result: {} }));
  link.send(message({ method: 'notifications/vendor' }));
  await ask(link, request('echo'));
  link.send(message({ method: 'notifications/vendor' }));
  await ask(link, request('crash'));
  expect(await heard(link)).toEqual(['{"jsonrpc":"2.0","id":3,"method":"heard"}']);
});

it('exchanges ids and tokens in place and leaves the rest to the letter', async () => {
  const link = connect();
  const body = Buffer.from(
    '{ "params":{"arguments":{"big":12345678901234567890,"zero":-0,"twice":1,"twice":2.50},\n' +
      '"_meta":{"progress\\u0054oken":2}} , "id" : "a\\"b","method":"progress","jsonrpc":"2.0"}',
  );
  const { answer, related } = await ask(link, { body, peek: peek(body), revision: '2025-11-25' });
  expect(answer).toMatchObject({ id: 'a"b', result: { done: true } });
  expect(related).toEqual([
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 2, progress: 1 } },
  ]);
  expect((await heard(link))[0]).toBe(
    '{ "params":{"arguments":{"big":12345678901234567890,"zero":-0,"twice":1,"twice":2.50},' +
      '"_meta":{"progress\\u0054oken":1}} , "id" : 1,"method":"progress","jsonrpc":"2.0"}',
  );
});

it('brings progress and subscriptions to the one they belong to, to the letter', async () => {
  const link = connect();
  const token =
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1.50,"progressToken":$ID,"total":12345678901234567890}}';
  const subscription =
    '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"u","_meta":{"io.modelcontextprotocol/subscriptionId":$ID}}}';
  const answer = '{"jsonrpc":"2.0","id":$ID,"result":{}}';
  const got = await Promise.all(
    ['one', 'two'].map(
      (id) =>
        new Promise<string[]>((resolve) => {
          const lines: string[] = [];
          const params = { lines: [token, subscription, answer], _meta: { progressToken: 'same' } };
          link.request(request('say', params, id), {
            related: (bytes) => lines.push(bytes.toString()),
            answered: (bytes) => resolve([...lines, bytes.toString()]),
            lost: () => resolve(lines),
          });
        }),
    ),
  );
  expect(got).toEqual(
    ['one', 'two'].map((id) => [
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1.50,"progressToken":"same","total":12345678901234567890}}',
      `{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"u","_meta":{"io.modelcontextprotocol/subscriptionId":"${id}"}}}`,
      `{"jsonrpc":"2.0","id":"${id}","result":{}}`,
    ]),
  );
});

it('tells nobody an error that does not say whose it is', async () => {
  const link = connect();
  const lines = ['{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"of somebody else"}}'];
  expect(await ask(link, request('say', { lines }))).toEqual({
    lost: {
      kind: 'invalid_output',
      origin: 'upstream',
      executed: 'maybe',
      message: 'The server answered without saying which request it answers',
    },
    related: [],
  });
});

it('bounds what one caller can hold', async () => {
  const link = connect({ maxPendingPerCaller: 2 });
  const waiting = [1, 2].map((id) => link.request(of('me', request('deaf', {}, id)), NOBODY));
  expect((await ask(link, of('me', request('echo')))).lost).toMatchObject({
    kind: 'overloaded',
    origin: 'gateway',
    message: 'Too many calls of this caller wait for this server',
  });
  expect((await ask(link, of('they', request('echo', { say: 1 })))).answer?.result).toEqual({ said: 1 });
  waiting[0]?.();
  expect((await ask(link, of('me', request('echo', { say: 2 })))).answer?.result).toEqual({ said: 2 });
});

it('drops what a slow reader cannot take, and nobody else waits for it', async () => {
  const link = connect();
  const progress = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$ID,"progress":1,"message":"${'z'.repeat(100_000)}"}}`;
  const lines = [...Array.from({ length: 20 }, () => progress), '{"jsonrpc":"2.0","id":$ID,"result":{}}'];
  let release: () => void = () => {};
  let got = 0;
  const slow = new Promise<unknown>((resolve) => {
    link.request(request('say', { lines, _meta: { progressToken: 't' } }, 'slow'), {
      related: () => got++,
      drained: () =>
        new Promise<void>((drained) => {
          release = drained;
        }),
      answered: (bytes) => resolve(decode(bytes)),
      lost: resolve,
    });
  });
  expect(await slow).toEqual({ jsonrpc: '2.0', id: 'slow', result: {} });
  release();
  expect(got).toBe(11);
  expect(notes).toEqual(['a slow reader missed 9 messages']);
});

const NOBODY = { answered: () => {}, related: () => {}, lost: () => {} };

/** Asks its client in the middle of `asks`, and does not heed that a request was given up. */
const ASKING = `
  const say = (said) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...said }) + '\\n');
  const replies = [];
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params, error } = JSON.parse(line);
    if (error !== undefined) replies.push(error.code);
    else if (method === 'asks') setTimeout(() => say({ id: 'q', method: 'elicitation/create', params: {} }), params.ms);
    else if (method === 'ends') for (const ended of [params.id, id]) say({ id: ended, result: {} });
    else if (method === 'slow') setTimeout(() => say({ id, result: { replies } }), params.ms);
  });
`;

it('a question is surely not for the one that waits while another one was given up, and was not answered', async () => {
  const asked: string[] = [];
  const link = connect({ args: ['-e', ASKING], onAsked: (method) => asked.push(method) });
  const slow = (ms: number) => ask(link, request('slow', { ms }));
  await slow(1);
  const sink = { answered: () => {}, related: () => {}, lost: () => {} };
  const giveUp = link.request(of('eve', request('asks', { ms: 100 })), sink);
  await slow(1);
  giveUp('gone');
  // It is answered that nobody can be asked, and the other call goes on.
  expect((await slow(200)).answer?.result).toEqual({ replies: [-32601] });
  expect(asked).toEqual([]);
  // The second request of this process was given up; once it is answered, questions are about others again.
  await ask(link, request('ends', { id: 2 }));
  link.request(request('asks', { ms: 1 }), sink);
  await slow(100);
  expect(asked).toEqual(['elicitation/create']);
});
