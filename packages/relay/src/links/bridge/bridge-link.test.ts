import { expect, it } from 'vitest';
import { ask, message, request } from '../../../test/tools.ts';
import { decode, encode } from '../../framing/json.ts';
import { peek } from '../../framing/peek.ts';
import type { Cancel, Link, Outgoing, Sink } from '../link.ts';
import { BridgeLink } from './bridge-link.ts';

interface Sent {
  readonly outgoing: Outgoing;
  readonly sink: Sink;
  isCancelled: boolean;
}

/** A server that only says what a test has it say. */
function server(): { readonly link: Link; readonly sent: Sent[]; say(at: number, result: object): void } {
  const sent: Sent[] = [];
  const link: Link = {
    request(outgoing, sink): Cancel {
      const one = { outgoing, sink, isCancelled: false };
      sent.push(one);
      return () => {
        one.isCancelled = true;
      };
    },
    send: () => undefined,
    close: async () => undefined,
  };
  return {
    link,
    sent,
    say: (at, result) => sent[at]?.sink.answered(encode({ jsonrpc: '2.0', id: 1, result })),
  };
}

const INITIALIZE = request('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'c', version: '1' },
});

async function opened(bridge: BridgeLink, { say }: ReturnType<typeof server>): Promise<unknown> {
  const opening = ask(bridge, INITIALIZE);
  say(0, {
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: { listChanged: true } },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '2' } },
  });
  return (await opening).answer;
}

it('opens a conversation with what the server says about itself', async () => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  expect(await opened(bridge, fake)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 's', version: '2' },
    },
  });
  expect(fake.sent[0]?.outgoing).toMatchObject({
    revision: '2026-07-28',
    peek: { method: 'server/discover' },
  });
});

it.each([
  [
    '{"jsonrpc":"2.0","id":7,"method":"tools/list"}',
    '{"params":{"_meta":{ENVELOPE}},"jsonrpc":"2.0","id":7,"method":"tools/list"}',
  ],
  [
    '{"id":7,"method":"tools/list","params":{}}',
    '{"id":7,"method":"tools/list","params":{"_meta":{ENVELOPE}}}',
  ],
  [
    '{"id":7,"method":"tools/call","params":{ "name":"a","arguments":{"n":12345678901234567890.10} }}',
    '{"id":7,"method":"tools/call","params":{"_meta":{ENVELOPE}, "name":"a","arguments":{"n":12345678901234567890.10} }}',
  ],
  [
    '{"id":7,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":1}}}',
    '{"id":7,"method":"tools/call","params":{"name":"a","_meta":{ENVELOPE,"progressToken":1}}}',
  ],
])('adds what was agreed on, and leaves the rest of %s to the letter', async (said, expected) => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  void ask(bridge, message({ id: 2, method: 'logging/setLevel', params: { level: 'error' } }));
  const body = Buffer.from(said);
  bridge.request({ body, peek: peek(body), revision: '2025-11-25' }, NOBODY);
  const envelope =
    '"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},"io.modelcontextprotocol/logLevel":"error"';
  expect(fake.sent[1]?.outgoing.body.toString()).toBe(expected.replace('ENVELOPE', envelope));
});

const NOBODY: Sink = { answered: () => undefined, related: () => undefined, lost: () => undefined };
const QUESTION = {
  resultType: 'input_required',
  requestState: 'st',
  inputRequests: { who: { method: 'elicitation/create', params: { message: 'Who?' } } },
};

it('asks the client in the middle of a call; what goes wrong afterwards may have been executed', async () => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  const calling = ask(bridge, request('tools/call', { name: 'a' }, 9));
  fake.say(1, QUESTION);
  bridge.send(message({ id: 'mayday-ask-1', result: { action: 'accept', content: { name: 'ann' } } }));
  expect(decode(fake.sent[2]?.outgoing.body ?? Buffer.alloc(0))).toMatchObject({
    id: 9,
    params: {
      name: 'a',
      requestState: 'st',
      inputResponses: { who: { action: 'accept', content: { name: 'ann' } } },
    },
  });
  fake.sent[2]?.sink.lost({ kind: 'unavailable', executed: 'no' });
  expect(await calling).toMatchObject({
    related: [{ id: 'mayday-ask-1', method: 'elicitation/create', params: { message: 'Who?' } }],
    lost: { kind: 'unavailable', executed: 'maybe' },
  });
});

it.each([
  ['no question', { inputRequests: { a: null } }],
  ['one of several', { inputRequests: { ...QUESTION.inputRequests, b: { method: 5 } }, requestState: 'st' }],
  ['a list', { inputRequests: [{ method: 'elicitation/create' }], requestState: 'st' }],
  ['nothing at all', {}],
  ['no questions, and no state', { inputRequests: {} }],
  ['what no client answers', { inputRequests: { a: { method: 'tools/call' } }, requestState: 'st' }],
])('fails at once where nobody can tell what is asked: %s', async (_, asked) => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  const calling = ask(bridge, request('tools/call', { name: 'a' }, 9));
  fake.say(1, { resultType: 'input_required', ...asked });
  expect(await calling).toMatchObject({ related: [], lost: { kind: 'invalid_output', executed: 'maybe' } });
  expect(fake.sent).toHaveLength(2);
});

it('sends a call again that only brings its state', async () => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  const calling = ask(bridge, request('tools/call', { name: 'a' }, 9));
  fake.say(1, { resultType: 'input_required', requestState: 'later' });
  await expect.poll(() => fake.sent.length).toBe(3);
  expect(decode(fake.sent[2]?.outgoing.body ?? Buffer.alloc(0))).toMatchObject({
    params: { name: 'a', requestState: 'later' },
  });
  fake.say(2, { content: [] });
  expect(await calling).toMatchObject({ answer: { result: { content: [] } } });
});

it('gives each answer the name of its question, whatever that is', async () => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  void ask(bridge, request('tools/call', { name: 'a' }, 9));
  const inputRequests = JSON.parse('{"__proto__":{"method":"elicitation/create"}}');
  fake.say(1, { resultType: 'input_required', inputRequests });
  bridge.send(message({ id: 'mayday-ask-1', result: { action: 'accept' } }));
  expect(fake.sent[2]?.outgoing.body.toString()).toContain(
    '"inputResponses":{"__proto__":{"action":"accept"}}',
  );
});

it('takes back what the client was asked, and has not answered, when it cancels the call', async () => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  const heard: unknown[] = [];
  const cancel = bridge.request(request('tools/call', { name: 'a' }), {
    ...NOBODY,
    related: (said) => heard.push(decode(said)),
  });
  const another = { method: 'roots/list' };
  fake.say(1, { ...QUESTION, inputRequests: { ...QUESTION.inputRequests, another } });
  bridge.send(message({ id: 'mayday-ask-2', result: { roots: [] } }));
  cancel('enough');
  expect(heard.slice(2)).toEqual([
    {
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 'mayday-ask-1', reason: 'enough' },
    },
  ]);
});

it.each(['what_is_this', 7])(
  'gives no client of before a result of a type that nobody knows: %j',
  async (resultType) => {
    const fake = server();
    const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
    await opened(bridge, fake);
    const calling = ask(bridge, request('tools/call', { name: 'a' }, 9));
    fake.say(1, { resultType, content: [] });
    expect((await calling).lost).toMatchObject({
      kind: 'invalid_output',
      executed: 'maybe',
      message: expect.stringContaining(JSON.stringify(resultType)),
    });
  },
);

it.each(['complete', 'task', undefined])('passes a result on of the type %s', async (resultType) => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  const calling = ask(bridge, request('tools/call', { name: 'a' }, 9));
  fake.say(1, { ...(resultType === undefined ? {} : { resultType }), content: [] });
  expect((await calling).answer?.result).toMatchObject({ content: [] });
});

it('does not go on with a call that was cancelled while the client was asked', async () => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  const cancel = bridge.request(request('tools/call', { name: 'a' }), NOBODY);
  fake.say(1, QUESTION);
  cancel();
  bridge.send(message({ id: 'mayday-ask-1', result: { action: 'accept' } }));
  expect(fake.sent).toHaveLength(2);
});

it('hears changes of lists and of resources over one stream, and asks for it anew when it should have more', async () => {
  const fake = server();
  const heard: unknown[] = [];
  const bridge = new BridgeLink({ link: fake.link, onMessage: (said) => heard.push(decode(said)) });
  await opened(bridge, fake);
  bridge.send(message({ method: 'notifications/initialized' }));
  await ask(bridge, message({ id: 2, method: 'resources/subscribe', params: { uri: 'a:b' } }));
  const [first, second] = [fake.sent[1], fake.sent[2]];
  expect(decode(second?.outgoing.body ?? Buffer.alloc(0))).toMatchObject({
    method: 'subscriptions/listen',
    params: { notifications: { toolsListChanged: true, resourceSubscriptions: ['a:b'] } },
  });
  expect(first?.isCancelled).toBe(false);
  second?.sink.related(encode({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged' }));
  expect(first?.isCancelled).toBe(true);
  const _meta = { 'io.modelcontextprotocol/subscriptionId': 'x' };
  second?.sink.related(encode({ method: 'notifications/resources/updated', params: { uri: 'a:b', _meta } }));
  expect(heard).toEqual([{ method: 'notifications/resources/updated', params: { uri: 'a:b' } }]);
  await bridge.close();
  expect(second?.isCancelled).toBe(true);
});

const EXECUTED = 'dev.mayday/executed';

/** A call with a key, as an attempt of it comes. */
function attempt(id: number, executed?: string, key = 'k'): Outgoing {
  const _meta = {
    'dev.mayday/idempotency-key': key,
    ...(executed === undefined ? {} : { [EXECUTED]: executed }),
  };
  return request('tools/call', { name: 'buy', arguments: { n: 1 }, _meta }, id);
}

/** What the server was asked in this request. */
function askedIn({ outgoing }: Sent): object {
  const { params } = decode(outgoing.body) as { params: { _meta: { [name: string]: unknown } } };
  const { _meta, ...rest } = params;
  return { ...rest, executed: _meta[EXECUTED] };
}

const ANSWER = { action: 'accept', content: { name: 'ann' } };
const FIRST = { name: 'buy', arguments: { n: 1 } };
const SECOND = { ...FIRST, requestState: 'st', inputResponses: { who: ANSWER } };

it('says of a later round whether that one may have been executed, whatever became of the first', async () => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  const first = ask(bridge, attempt(2));
  fake.sent[1]?.sink.lost({ kind: 'disconnected', executed: 'maybe' });
  await first;
  void ask(bridge, attempt(3, 'maybe'));
  fake.say(2, QUESTION);
  bridge.send(message({ id: 'mayday-ask-1', result: ANSWER }));
  expect(fake.sent.slice(1).map(askedIn)).toEqual([
    { ...FIRST, executed: undefined },
    { ...FIRST, executed: 'maybe' },
    { ...SECOND, executed: 'no' },
  ]);
});

it.each([
  ['no', 'no'],
  ['maybe', 'maybe'],
] as const)('goes on with the round that was lost (%s), and asks nobody twice', async (executed, told) => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  const first = ask(bridge, attempt(2));
  fake.say(1, QUESTION);
  bridge.send(message({ id: 'mayday-ask-1', result: ANSWER }));
  fake.sent[2]?.sink.lost({ kind: 'rate_limited', executed });
  expect(await first).toMatchObject({ lost: { kind: 'rate_limited', executed: 'maybe' } });
  const second = ask(bridge, attempt(3, 'maybe'));
  expect(fake.sent.slice(3).map(askedIn)).toEqual([{ ...SECOND, executed: told }]);
  fake.sent[3]?.sink.lost({ kind: 'rate_limited', executed: 'no' });
  expect(await second).toMatchObject({ lost: { kind: 'rate_limited', executed: 'maybe' } });
  void ask(bridge, attempt(4, 'maybe'));
  expect(fake.sent.slice(4).map(askedIn)).toEqual([{ ...SECOND, executed: told }]);
});

it('begins anew with a call whose client has said too much to be remembered', async () => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  const first = ask(bridge, attempt(2));
  fake.say(1, QUESTION);
  bridge.send(
    message({ id: 'mayday-ask-1', result: { ...ANSWER, content: { x: 'y'.repeat(4 * 2 ** 20) } } }),
  );
  fake.sent[2]?.sink.lost({ kind: 'rate_limited', executed: 'no' });
  await first;
  void ask(bridge, attempt(3, 'maybe'));
  expect(fake.sent.slice(3).map(askedIn)).toEqual([{ ...FIRST, executed: 'maybe' }]);
});

it('takes no refusal of a later round for the answer to the call', async () => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  const first = ask(bridge, attempt(2));
  fake.say(1, QUESTION);
  bridge.send(message({ id: 'mayday-ask-1', result: ANSWER }));
  const refusal = {
    isError: true,
    content: [{ type: 'text', text: 'Slow down' }],
    _meta: {
      'dev.mayday/fault': {
        kind: 'rate_limited',
        reaction: 'retryable',
        executed: 'no',
        message: 'Slow down',
      },
    },
  };
  fake.say(2, refusal);
  expect(await first).toMatchObject({
    lost: { kind: 'rate_limited', executed: 'maybe', message: 'Slow down' },
  });
  const second = ask(bridge, attempt(3, 'maybe'));
  fake.say(3, refusal);
  expect(await second).toMatchObject({ lost: { kind: 'rate_limited', executed: 'maybe' } });
  void ask(bridge, attempt(4, 'maybe'));
  expect(fake.sent.slice(3).map(askedIn)).toEqual([
    { ...SECOND, executed: 'no' },
    { ...SECOND, executed: 'no' },
  ]);
});

it('begins anew with other arguments, another key, and after an answer', async () => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  const first = ask(bridge, attempt(2));
  fake.say(1, QUESTION);
  bridge.send(message({ id: 'mayday-ask-1', result: ANSWER }));
  void ask(bridge, attempt(3, undefined, 'other'));
  const _meta = { 'dev.mayday/idempotency-key': 'k' };
  void ask(bridge, request('tools/call', { name: 'buy', arguments: { n: 2 }, _meta }, 4));
  fake.say(2, { content: [] });
  await first;
  void ask(bridge, attempt(5, 'maybe'));
  expect(fake.sent.slice(3).map(askedIn)).toEqual([
    { ...FIRST, executed: undefined },
    { ...FIRST, arguments: { n: 2 }, executed: undefined },
    { ...FIRST, executed: 'maybe' },
  ]);
});

it('knows nothing of the rounds of a call that began elsewhere', async () => {
  const fake = server();
  const bridge = new BridgeLink({ link: fake.link, onMessage: () => undefined });
  await opened(bridge, fake);
  void ask(bridge, attempt(2, 'maybe'));
  fake.say(1, QUESTION);
  bridge.send(message({ id: 'mayday-ask-1', result: ANSWER }));
  expect(fake.sent.slice(2).map(askedIn)).toEqual([{ ...SECOND, executed: 'maybe' }]);
});
