/** What a server says behind a refusal counts until the call is made again: it is judged right before that, and not before. */
import type { ServerResponse } from 'node:http';
import { createMCPClient } from '@ai-sdk/mcp';
import type { ToolSet } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { beBusy } from '../../../test/busy.ts';
import { resilientTools } from '../src/agents/ai-sdk.ts';
import { mendFetch } from '../src/index.ts';
import { BUSY, BUSY_RESULT } from './declared.ts';
import { FLAVOURS } from './flavours.ts';
import { answer, type Heard, type ScriptedServer, scriptedHttp, succeed } from './scripted-http.ts';

type Id = Heard['id'];

const LOG = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'booked' } };
const CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const paid = (id: Id) => ({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'paid' }] } });
const WAITS = { ...BUSY, kind: 'rate_limited', retry: { when: 'after_wait', after_ms: 1000 } };
const REFUSED = { ...BUSY_RESULT, _meta: { 'dev.mayday/fault': WAITS } };
/** Answers that declare a refusal: a result, an error, and either in a stream. */
const DECLARED = {
  result: (id: Id) => ({ jsonrpc: '2.0', id, result: REFUSED }),
  error: (id: Id) => ({ jsonrpc: '2.0', id, error: { code: -32000, message: 'busy', data: WAITS } }),
};
type Declared = `${'' | 'streamed '}${keyof typeof DECLARED}`;
const FORMS_DECLARED = ['result', 'error', 'streamed result', 'streamed error'] as const;

const data = (said: unknown): string => `data: ${JSON.stringify(said)}\n\n`;

/** How long a server waits before it says more: shorter than it asks its caller to wait. */
const LATER_MS = 150;

/** Until after the wait that a server asks for. */
const BUSY_MS = 1200;

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server[Symbol.asyncDispose]();
});

/** What is said of a call, and when. */
interface Telling {
  readonly status?: number;
  readonly headers?: object;
  /** On the standing stream, or in the stream of another call that is under way. */
  readonly beside?: boolean;
  /** Before the refusal, and not behind it. */
  readonly first?: boolean;
  /** This process does something else from then on, until the wait is over: what was said still waits to be read. */
  readonly busy?: boolean;
  /** The refusal is an answer that declares it, and no status. */
  readonly isAnswer?: boolean;
  /** How it does. */
  readonly declared?: Declared;
  readonly said: (id: Id, other: Id) => string;
}

function declare(response: ServerResponse, id: Id, declared: Declared): void {
  const said = DECLARED[declared.endsWith('result') ? 'result' : 'error'](id);
  if (declared.startsWith('streamed'))
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(data(said));
  else answer(response, said);
}

/** Refuses the first call of a tool, and says something elsewhere while its caller waits. The stream of `other` stays open. */
async function refusing({
  status = 429,
  headers,
  beside = false,
  first = false,
  busy = false,
  isAnswer = false,
  declared = 'result',
  said,
}: Telling) {
  let standing: ServerResponse | undefined;
  let other: ServerResponse | undefined;
  let otherId: Id;
  // In one phase of the loop: what is written is not read before.
  const tell = (id: Id): void => {
    setImmediate(() => (beside ? other : standing)?.write(said(id, otherId)));
    if (busy) setImmediate(beBusy, BUSY_MS);
  };
  const server = await scriptedHttp(
    (heard, response, count) => {
      if (heard.params?.name === 'other') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        other = response;
        otherId = heard.id;
        setTimeout(() => response.end(`\n\n${data(paid(heard.id))}`), 1500);
        return;
      }
      if (count > 1) return succeed(heard, response, 'again');
      const error = { code: -32000, message: 'Too many requests' };
      const refuse = (): void =>
        isAnswer
          ? declare(response, heard.id, declared)
          : status < 400
            ? void response.writeHead(status, { ...headers }).end()
            : answer(response, { jsonrpc: '2.0', id: heard.id, error }, status, {
                'retry-after': '1',
                ...headers,
              });
      if (first) tell(heard.id);
      else setTimeout(() => tell(heard.id), LATER_MS);
      if (first) setTimeout(refuse, LATER_MS);
      else refuse();
    },
    () => 's1',
    undefined,
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      standing = response;
    },
  );
  servers.push(server);
  return { server, hasStream: () => standing !== undefined, hasOther: () => other !== undefined };
}

const eventually = (check: () => boolean) => expect.poll(check, { timeout: 5000 }).toBe(true);

type Saying = readonly [string, (id: Id) => string];

/** What speaks against a repetition wherever it comes. */
const BEHIND: readonly Saying[] = [
  ['a log', () => data(LOG)],
  ['a list with a log', () => data([LOG])],
  ['a text', () => 'data: payment booked\n\n'],
  ['other data', () => 'data: {"order":991}\n\n'],
  ['half its answer', (id) => `data: {"jsonrpc":"2.0","id":${id},"result":{"cont\n\n`],
  ['a field that nobody knows', () => 'paid: 991\n\n'],
  ['a comment that tells of work', () => ': booked\n\n'],
  ['an event of its own', () => 'event: paid\ndata: {"order":991}\n\n'],
];

/** What begins to tell of work: its end has not come when the call is to be made again. */
const HALF = (id: Id): string =>
  `data: {"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],\n`;
const UNFINISHED: readonly Saying[] = [
  ['a log without its blank line', () => data(LOG).slice(0, -1)],
  ['half a log', () => data(LOG).slice(0, 40)],
  ['half its answer, unfinished', HALF],
  ['a text without its blank line', () => 'data: paid 991\n'],
  ['a field without its blank line', () => 'order: 991\n'],
  ['a question under any id', () => 'data: {"jsonrpc":"2.0","id":1,"method":"elicitation/create",\n'],
];

/** Its own answer, in each form that it may come in. */
const ANSWERED: readonly (readonly [string, (id: Id) => string])[] = [
  ['alone', (id) => data(paid(id))],
  ['in a list', (id) => data([paid(id)])],
  ['in a list, behind a log', (id) => data([LOG, paid(id)])],
];

/** What leaves the refusal as it was. */
const NOTHING: readonly (readonly [string, (id: Id) => string])[] = [
  ['a comment', () => ': keep-alive\n\n'],
  ['a sign of life', () => 'event: ping\ndata: {}\n\n'],
  ['a ping', () => data({ jsonrpc: '2.0', id: 'p', method: 'ping' })],
  ['other tools', () => data(CHANGED)],
];

describe.each(FLAVOURS)('$name', ({ http }) => {
  const called = async (tool: string, telling: Telling) => {
    const { server, hasStream, hasOther } = await refusing(telling);
    const client = http(server.url, { deadlineMs: 10_000 });
    await client.connect();
    await client.listTools();
    await eventually(hasStream);
    const other = telling.beside === true ? client.call({ name: 'other' }) : undefined;
    if (other !== undefined) await eventually(hasOther);
    const outcome = await client.call({ name: tool });
    if (other !== undefined) expect(await other).toMatchObject({ ok: true });
    await client.close();
    return { outcome, runs: server.calls(tool) };
  };

  it.each(BEHIND)('on the standing stream: %s', async (_, said) => {
    const { outcome, runs } = await called('write', { said });
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'rate_limited', executed: 'maybe' } });
  });

  it.each(BEHIND)('on the standing stream, behind a refusal in an answer: %s', async (_, said) => {
    const { outcome, runs } = await called('write', { isAnswer: true, said });
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'rate_limited', executed: 'maybe' } });
  });

  it.each(BEHIND)('in the stream of another call: %s', async (_, said) => {
    const { outcome, runs } = await called('write', { beside: true, said });
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'rate_limited', executed: 'maybe' } });
  });

  /** All at once: each of them waits. */
  const allRepeated = async (telling: Omit<Telling, 'said'>, saying: readonly Saying[]) => {
    const all = saying.map(async ([name, said]) => {
      const { outcome, runs } = await called('write', { ...telling, said });
      expect(JSON.stringify(outcome)).not.toContain('dev.mayday/refusal');
      return [name, runs, outcome.ok ? 'yes' : outcome.fault.executed] as const;
    });
    return (await Promise.all(all)).filter(([, runs, executed]) => runs > 1 || executed === 'no');
  };

  it.each(FORMS_DECLARED)(
    'in the stream of another call, behind a refusal in an answer, a %s',
    async (declared) => {
      const declaring = { beside: true, isAnswer: true, declared };
      expect(await allRepeated(declaring, [...BEHIND, ...UNFINISHED])).toEqual([]);
      const [answered, alive] = await Promise.all([
        called('write', { ...declaring, said: (id) => data(paid(id)) }),
        called('write', { ...declaring, said: () => ': keep-alive\n\n' }),
      ]);
      expect(answered).toMatchObject({
        runs: 1,
        outcome: { ok: true, result: { content: [{ text: 'paid' }] } },
      });
      expect(alive).toMatchObject({ runs: 2, outcome: { ok: true, attempts: 2 } });
    },
  );

  it.each([false, true])(
    'in the stream of another call, what has begun there; before the refusal: %s',
    async (first) => {
      expect(await allRepeated({ beside: true, first }, UNFINISHED)).toEqual([]);
    },
  );

  it('in the stream of another call, half the answer to that one says nothing', async () => {
    const half = (_: Id, other: Id): string => HALF(other);
    const both = [false, true].map((isAnswer) => called('write', { beside: true, isAnswer, said: half }));
    for (const { outcome, runs } of await Promise.all(both)) {
      expect(runs).toBe(2);
      expect(outcome).toMatchObject({ ok: true, attempts: 2 });
    }
  });

  it.each([false, true])('while its caller is busy, in the stream of another call: %s', async (beside) => {
    const told = await called('write', { beside, busy: true, said: () => data(LOG) });
    expect(told.runs).toBe(1);
    expect(told.outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    const answered = await called('write', { beside, busy: true, said: (id) => data(paid(id)) });
    expect(answered.runs).toBe(1);
    expect(answered.outcome).toMatchObject({ ok: true, result: { content: [{ text: 'paid' }] } });
  });

  it.each([...BEHIND, ...ANSWERED.slice(1)])('there, before the refusal: %s', async (_, said) => {
    const { outcome, runs } = await called('write', { beside: true, first: true, said });
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ ok: false, fault: { kind: 'rate_limited', executed: 'maybe' } });
  });

  it.each(ANSWERED)('its own answer, %s, is what the call is told', async (_, said) => {
    for (const beside of [false, true]) {
      const { outcome, runs } = await called('write', { beside, said });
      expect(runs).toBe(1);
      expect(outcome).toMatchObject({ ok: true, result: { content: [{ text: 'paid' }] } });
    }
  });

  it.each(NOTHING)('%s says nothing', async (_, said) => {
    for (const beside of [false, true]) {
      const { outcome, runs } = await called('write', { beside, said });
      expect(runs).toBe(2);
      expect(outcome).toMatchObject({ ok: true, attempts: 2 });
    }
  });

  it('a tool that reads is called again, unless its server says meanwhile that its tools have changed', async () => {
    expect(await called('read', { status: 503, said: () => '' })).toMatchObject({
      runs: 2,
      outcome: { ok: true },
    });
    const { outcome, runs } = await called('read', { status: 503, said: () => data(CHANGED) });
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    expect(outcome.ok ? '' : outcome.text).toContain('It may have happened');
  });

  it('a tool that reads is not called again where that is said while its caller is busy', async () => {
    const { outcome, runs } = await called('read', { status: 503, busy: true, said: () => data(CHANGED) });
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
  });

  it.each([307, 308])('a server that has told of work is not followed: %i', async (status) => {
    const moved = { status, headers: { location: '/mcp2' }, first: true };
    expect(await called('write', { ...moved, said: () => ': hi\n\n' })).toMatchObject({
      runs: 2,
      outcome: { ok: true },
    });
    for (const [, said] of BEHIND) {
      const { outcome, runs } = await called('write', { ...moved, said });
      expect(runs).toBe(1);
      expect(outcome).toMatchObject({ ok: false, fault: { executed: 'maybe' } });
    }
  });
});

describe.each(FLAVOURS)('$name, in place of the answer to another call', ({ http }) => {
  const FORMS: readonly (readonly [string, (own: Id, others: Id) => unknown])[] = [
    ['in a list', (own, others) => [paid(own), paid(others)]],
    ['alone', (_, others) => paid(others)],
  ];
  it.each(FORMS.flatMap(([form, made]) => [true, false].map((first) => [form, first, made] as const)))(
    '%s, before the refusal: %s',
    async (_, first, made) => {
      let paying: Id;
      let refuse = (): void => undefined;
      const server = await scriptedHttp((heard, response, count) => {
        if (heard.params?.name === 'other') {
          setTimeout(() => answer(response, made(heard.id, paying)), LATER_MS);
          if (first) setTimeout(() => refuse(), 2 * LATER_MS);
          return;
        }
        if (count > 1) return succeed(heard, response, 'again');
        paying = heard.id;
        refuse = () => answer(response, '', 429, { 'retry-after': '1' });
        if (!first) refuse();
      });
      servers.push(server);
      const client = http(server.url, { deadlineMs: 10_000 });
      await client.connect();
      const call = client.call({ name: 'write' });
      await eventually(() => server.calls('write') === 1);
      await client.call({ name: 'other' });
      const outcome = await call;
      await client.close();
      expect(server.calls('write')).toBe(1);
      expect(outcome).toMatchObject(first ? { ok: false, fault: { executed: 'maybe' } } : { ok: true });
    },
  );
});

describe('in the Vercel AI SDK', () => {
  const called = async (said: (id: Id) => string, more: Partial<Telling> = {}) => {
    const { server, hasStream } = await refusing({ said, ...more });
    const mcp = await createMCPClient({
      transport: { type: 'http', url: server.url, fetch: mendFetch() as typeof fetch },
    });
    const tools = resilientTools((await mcp.tools()) as ToolSet, { deadlineMs: 10_000 });
    await eventually(hasStream);
    const options = { toolCallId: '1', messages: [], context: {} } as never;
    const outcome = await Promise.resolve(tools['write']?.execute?.({}, options)).catch(
      (thrown: unknown) => thrown,
    );
    await mcp.close();
    return { outcome, runs: server.calls('write') };
  };

  it.each(BEHIND)('on the standing stream: %s', async (_, said) => {
    const { outcome, runs } = await called(said);
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ fault: { kind: 'rate_limited', executed: 'maybe' } });
  });

  it.each(ANSWERED)('its own answer, %s, is what the call is told', async (_, said) => {
    const { outcome, runs } = await called(said);
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ content: [{ text: 'paid' }] });
  });

  it.each(NOTHING)('%s says nothing', async (_, said) => {
    const { outcome, runs } = await called(said);
    expect(runs).toBe(2);
    expect(outcome).toMatchObject({ content: [{ text: 'again' }] });
  });

  it('on the standing stream, while its caller is busy', async () => {
    const { outcome, runs } = await called(() => data(LOG), { busy: true });
    expect(runs).toBe(1);
    expect(outcome).toMatchObject({ fault: { kind: 'rate_limited', executed: 'maybe' } });
  });

  describe.each(FORMS_DECLARED)('behind a refusal in an answer, a %s', (declared) => {
    const declaring = { isAnswer: true, declared };

    it.each(BEHIND)('on the standing stream: %s', async (_, said) => {
      const { outcome, runs } = await called(said, declaring);
      expect(runs).toBe(1);
      expect(outcome).toMatchObject({ fault: { kind: 'rate_limited', executed: 'maybe' } });
      expect(JSON.stringify(outcome)).not.toContain('dev.mayday/refusal');
    });

    it('its own answer is what the call is told', async () => {
      const { outcome, runs } = await called((id) => data(paid(id)), declaring);
      expect(runs).toBe(1);
      expect(outcome).toMatchObject({ content: [{ text: 'paid' }] });
    });

    it('a sign of life says nothing', async () => {
      const { outcome, runs } = await called(() => ': keep-alive\n\n', declaring);
      expect(runs).toBe(2);
      expect(outcome).toMatchObject({ content: [{ text: 'again' }] });
    });
  });
});
