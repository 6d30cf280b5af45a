import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { almostJson } from '../../test/bytes.ts';
import { decode } from '../framing/json.ts';
import { peek } from '../framing/peek.ts';
import type { HowAnswered } from './link.ts';
import { NamelessErrors } from './nameless.ts';
import { type Pending, PendingRequests } from './pending.ts';
import { ServerLines } from './server-lines.ts';
import { toWire } from './wire-request.ts';

interface Told {
  readonly answered: Buffer[];
  readonly related: Buffer[];
  readonly lost: string[];
}

/** Three requests that wait, under the wire ids 1, 2 and 3. */
function setUp(
  shared: boolean,
  onRest: (rest: HowAnswered['rest']) => void = () => {},
): {
  lines: ServerLines;
  told: Told[];
  pending: PendingRequests;
  replies: Buffer[];
} {
  const pending = new PendingRequests();
  const replies: Buffer[] = [];
  const told: Told[] = [0, 1, 2].map((i) => {
    const one: Told = { answered: [], related: [], lost: [] };
    const body = Buffer.from(`{"id":"same","method":"x","params":{"_meta":{"progressToken":"t${i}"}}}`);
    const sink = {
      answered: (bytes: Buffer, _head: unknown, how?: HowAnswered) => {
        one.answered.push(bytes);
        onRest(how?.rest);
      },
      related: (bytes: Buffer) => one.related.push(bytes),
      lost: (fault: { kind: string }) => one.lost.push(fault.kind),
    };
    const message = { body, peek: peek(body), revision: '2025-11-25' } as const;
    pending.add(toWire(message, pending.nextId(), sink, shared).pending);
    return one;
  });
  const lines = new ServerLines({
    tellsInAnyWords: false,
    pending,
    nameless: new NamelessErrors(),
    shared,
    note: () => {},
    now: () => 0,
    onOwnAnswer: () => false,
    onStray: () => undefined,
    onAnswered: () => {},
    onMessage: () => {},
    onRelated: ({ sink }: Pending, bytes) => sink.related(bytes),
    reply: (bytes) => replies.push(bytes),
  });
  return { lines, told, pending, replies };
}

const odd = fc.oneof(
  fc.constantFrom(1, 2, 3, '1', '2', -1, 1.5, 4, null, { toString: 1 }, [1], 'x'),
  fc.jsonValue(),
);
const message = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id: odd, result: fc.jsonValue() }, { requiredKeys: ['result'] }),
  fc.record({ jsonrpc: fc.constant('2.0'), id: odd, error: fc.jsonValue() }, { requiredKeys: ['error'] }),
  fc.record({ id: odd, method: fc.constantFrom('ping', 'sampling/createMessage'), params: fc.jsonValue() }),
  fc.record({
    method: fc.constant('notifications/progress'),
    params: fc.record({ progressToken: odd, progress: odd }),
  }),
  fc.record({
    method: fc.constant('notifications/x'),
    params: fc.record({ _meta: fc.record({ 'io.modelcontextprotocol/subscriptionId': odd }) }),
  }),
);

it('tells nobody twice, and nobody what is not theirs, whatever a server writes', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(almostJson(message), { maxLength: 12 }), (shared, written) => {
      const { lines, told, pending, replies } = setUp(shared);
      for (const line of written) lines.receive(line);
      const open = told.filter(({ answered, lost }) => answered.length + lost.length === 0).length;
      expect(open).toBe(pending.size);
      for (const [i, { answered, lost, related }] of told.entries()) {
        expect(answered.length + lost.length).toBeLessThanOrEqual(1);
        for (const bytes of answered) expect(decode(bytes)).toMatchObject({ id: 'same' });
        const tokens = related
          .map((bytes) => decode(bytes) as { method?: string; params?: { progressToken?: unknown } })
          .filter(({ method }) => shared && method === 'notifications/progress')
          .map(({ params }) => params?.progressToken);
        expect(tokens).toEqual(tokens.map(() => `t${i}`));
      }
      for (const bytes of [
        ...told.flatMap(({ related, answered }) => [...related, ...answered]),
        ...replies,
      ]) {
        expect(peek(bytes).kind).not.toBe('invalid');
      }
    }),
    { numRuns: runs(3000) },
  );
});

it('answers the one that a broken or too long answer names, or the only one', () => {
  const { lines, told, pending } = setUp(true);
  lines.receive(Buffer.from('{"jsonrpc":"2.0","id":2,"result":{"cut'));
  lines.tooLong(Buffer.from('{"jsonrpc":"2.0","result":"xxxx'), 10);
  lines.tooLong(Buffer.from('{"jsonrpc":"2.0","id":3,"result":"xxxx'), 10);
  lines.tooLong(Buffer.from('{"jsonrpc":"2.0","method":"notifications/x","params":"xxxx'), 10);
  expect(told.map(({ lost }) => lost)).toEqual([[], ['invalid_output'], ['invalid_output']]);
  lines.receive(Buffer.from('{"level":"info","id":1}'));
  lines.receive(Buffer.from('noise'));
  expect(pending.size).toBe(1);
  lines.tooLong(Buffer.from('xxxx'), 10);
  expect(told[0]?.lost).toEqual(['invalid_output']);
});

it('progress behind a refusal takes it back, also where callers share the process', () => {
  const heard: boolean[] = [];
  const { lines } = setUp(true, (rest) => rest?.whenOver((isAll) => heard.push(isAll)));
  lines.receive(Buffer.from('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}'));
  const params = { progressToken: 1, progress: 1 };
  lines.receive(Buffer.from(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })));
  expect(heard).toEqual([false]);
});

const REFUSED = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}';
const LATE = '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}';

it.each([
  ['a batch', `[${LATE}]`],
  ['a batch with other things', `[7,{"jsonrpc":"2.0","method":"notifications/initialized"},${LATE}]`],
  ['an answer that names its id twice', LATE.replace('"id"', '"id":9,"id"')],
  ['an answer that is cut off', LATE.slice(0, -3)],
  ['an answer that is nested too deeply', LATE.replace('[]', `${'['.repeat(1200)}${']'.repeat(1200)}`)],
])('a second answer takes a refusal back, also as %s', (_what, line) => {
  for (const shared of [false, true]) {
    const heard: boolean[] = [];
    const { lines } = setUp(shared, (rest) => rest?.whenOver((isAll) => heard.push(isAll)));
    lines.receive(Buffer.from(REFUSED));
    expect(heard).toEqual([]);
    lines.receive(Buffer.from(line));
    expect(heard).toEqual([false]);
  }
});

const LOGGED = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"booked"}}';

it.each([
  ['a log', LOGGED, true],
  ['a question', '{"jsonrpc":"2.0","id":"q","method":"elicitation/create"}', true],
  ['a change', '{"jsonrpc":"2.0","method":"notifications/resources/updated"}', true],
  ['a log in a list', `[${LOGGED}]`, true],
  ['a log that is cut off', LOGGED.slice(0, -9), true],
  ['a second answer that is cut off', LATE.slice(0, -3), true],
  ['its first half', LATE.slice(0, 30), true],
  ['the half answer to another', LATE.slice(0, -3).replace('"id":1', '"id":2'), false],
  ['a line of a log', 'payment booked', false],
  ['an object of a log', '{"level":"info","msg":"booked"}', false],
  ['other tools', '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', false],
])('until the call is made again, %s behind its refusal takes that back', (_what, line, isTaken) => {
  vi.useFakeTimers();
  try {
    for (const shared of [false, true]) {
      const heard: (boolean | string)[] = [];
      const { lines } = setUp(shared, (rest) => {
        rest?.whenTakenBack(() => heard.push('taken back'));
        rest?.whenOver((isAll) => heard.push(isAll));
      });
      lines.receive(Buffer.from(REFUSED));
      vi.advanceTimersByTime(5000);
      lines.receive(Buffer.from(line));
      expect(heard).toEqual(isTaken ? [true, 'taken back'] : [true]);
    }
  } finally {
    vi.useRealTimers();
  }
});

it('a second answer that has begun takes a refusal back, and that of another does not', () => {
  const heard: boolean[] = [];
  const { lines } = setUp(false, (rest) => rest?.whenOver((isAll) => heard.push(isAll)));
  lines.receive(Buffer.from(REFUSED));
  lines.begun(Buffer.from(LATE.slice(0, 30).replace('"id":1', '"id":2')));
  expect(heard).toEqual([]);
  lines.begun(Buffer.from(LATE.slice(0, 30)));
  expect(heard).toEqual([false]);
});

it('a process that ends behind its refusal takes it back, and none that was given long before', () => {
  vi.useFakeTimers();
  try {
    const heard: (boolean | string)[] = [];
    const { lines } = setUp(false, (rest) => {
      rest?.whenTakenBack(() => heard.push('taken back'));
      rest?.whenOver((isAll) => heard.push(isAll));
    });
    lines.receive(Buffer.from(REFUSED));
    lines.ended();
    expect(heard.splice(0)).toEqual([false]);
    lines.receive(Buffer.from(REFUSED.replace('"id":1', '"id":2')));
    vi.advanceTimersByTime(100);
    expect(heard).toEqual([true]);
    lines.ended();
    expect(heard.splice(0)).toEqual([true, 'taken back']);
    lines.receive(Buffer.from(REFUSED.replace('"id":1', '"id":3')));
    vi.advanceTimersByTime(1500);
    lines.ended();
    expect(heard).toEqual([true]);
  } finally {
    vi.useRealTimers();
  }
});

it('a process that has ended before anybody asked whether its refusal was all has taken it back', () => {
  const rests: HowAnswered['rest'][] = [];
  const { lines } = setUp(false, (rest) => rests.push(rest));
  lines.receive(Buffer.from(REFUSED));
  lines.ended();
  const heard: boolean[] = [];
  rests[0]?.whenOver((isAll) => heard.push(isAll));
  expect(heard).toEqual([false]);
});

it('a second answer that is too long takes a refusal back', () => {
  const heard: boolean[] = [];
  const { lines } = setUp(false, (rest) => rest?.whenOver((isAll) => heard.push(isAll)));
  lines.receive(Buffer.from(REFUSED));
  lines.tooLong(Buffer.from(LATE.slice(0, -3)), 10);
  expect(heard).toEqual([false]);
});

it.each([
  [1, `[${LATE}]`],
  [1, '[{"jsonrpc":"2.0","id":4711,"result":{}}]'],
  [1, '[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"booked"}}]'],
  [0, '[{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}]'],
  [0, '[7]'],
  [0, '[]'],
  [0, '[{"level":"info","id":1}]'],
])('tells of work %i times: %s', (times, line) => {
  const { lines } = setUp(false);
  lines.receive(Buffer.from(line));
  expect(lines.told).toBe(times);
});
