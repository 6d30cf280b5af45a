import { erlmcp } from '@mayday/core/dialects/erlmcp';
import { describe, expect, it } from 'vitest';
import { settingsFrom } from '../options.ts';
import { Deadlines, deadlinesOf, dueAtOf } from './deadlines.ts';
import { declareKeys, listWithKeys } from './declare-keys.ts';
import { refuseEarly } from './early.ts';
import { safeNotification, safeStray } from './notifications.ts';
import { replayOf, unawaited, workedBy } from './once-answer.ts';
import { isPlainSuccess, safeSuccess } from './successes.ts';
import { safeTask } from './told-tasks.ts';

const LEAK = 'connect postgres://admin:hunter2-S3cr3tPassw0rd@10.0.0.5:5432/prod';
const leaks = (value: unknown): boolean => JSON.stringify(value).includes('hunter2');

describe('a request that is wrong from the start', () => {
  const boundary = (more: object = {}) =>
    ({
      settings: settingsFrom(),
      methods: { unpaged: ['tools/list'] },
      initialized: false,
      ...more,
    }) as never;
  const state = (method: string, params: object = {}, more: object = {}) =>
    ({ method, revision: '2025-11-25', message: { params }, extra: undefined, ...more }) as never;
  const strict = { settings: { ...settingsFrom(), dialect: erlmcp } };

  it('has a cursor for a list without pages', () => {
    expect(refuseEarly(boundary(), state('tools/list', { cursor: 'x' }))).toMatchObject({
      began: false,
      ours: true,
      ofRequest: true,
      code: -32602,
      thrown: {
        fault: {
          kind: 'invalid_arguments',
          message: 'Invalid cursor',
          subject: { type: 'cursor' },
          advice: 'List again from the start, without a cursor.',
        },
      },
    });
    expect(refuseEarly(boundary(), state('tools/list'))).toBeUndefined();
    expect(refuseEarly(boundary(), state('prompts/list', { cursor: 'x' }))).toBeUndefined();
    // What is no text is no cursor at all: the schema of the request says so.
    expect(refuseEarly(boundary(), state('tools/list', { cursor: 5 }))).toBeUndefined();
  });

  it('speaks another version than the connection', () => {
    const opened: { pinnedVersion?: string } = boundary();
    const asked = (version: unknown) =>
      refuseEarly(
        opened as never,
        state('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': version } }),
      );
    expect([asked(7), asked('2026-07-28'), asked('2026-07-28')]).toEqual([undefined, undefined, undefined]);
    const data = { supported: ['2026-07-28'], requested: 'x'.repeat(64) };
    expect(asked('x'.repeat(99))).toMatchObject({
      began: false,
      ours: true,
      ofRequest: true,
      code: -32022,
      data,
      thrown: {
        fault: {
          kind: 'unsupported',
          message: `Unsupported protocol version: ${'x'.repeat(64)}`,
          subject: { type: 'protocol_version', id: 'x'.repeat(64) },
          details: data,
        },
      },
    });
  });

  it('comes before the handshake, where a document forbids it', () => {
    expect(refuseEarly(boundary(strict), state('tools/list'))).toMatchObject({
      began: false,
      ours: true,
      thrown: {
        fault: {
          kind: 'not_ready',
          message: 'Server not initialized',
          details: { phase: 'pre_initialization' },
        },
      },
    });
    for (const method of ['initialize', 'ping', 'server/discover'])
      expect(refuseEarly(boundary(strict), state(method))).toBeUndefined();
    expect(refuseEarly(boundary({ ...strict, initialized: true }), state('tools/list'))).toBeUndefined();
    expect(refuseEarly(boundary(), state('tools/list'))).toBeUndefined();
    const stateless = [{ revision: '2026-07-28' }, { extra: { request: {} } }];
    for (const more of stateless)
      expect(refuseEarly(boundary(strict), state('tools/list', {}, more))).toBeUndefined();
  });
});

describe('a notification', () => {
  const SECRET = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
  const sent = (method: string | undefined, params: object | undefined, known: string[] = []) =>
    safeNotification({ jsonrpc: '2.0', method, params } as never, new Set(known)).params;

  it.each([
    ['notifications/message', { level: SECRET }],
    ['notifications/progress', { progressToken: SECRET, progress: SECRET, total: SECRET }],
    ['notifications/cancelled', { requestId: SECRET }],
    [
      'notifications/tasks/status',
      {
        taskId: SECRET,
        status: SECRET,
        createdAt: SECRET,
        lastUpdatedAt: SECRET,
        ttl: SECRET,
        pollInterval: SECRET,
      },
    ],
    ['notifications/elicitation/complete', { elicitationId: SECRET }],
    ['notifications/subscriptions/acknowledged', { notifications: [SECRET] }],
  ])('%s keeps its names, and loses what is in its words', (method, names) => {
    expect(sent(method, { ...names, why: LEAK })).toMatchObject(names);
    expect(leaks(sent(method, { ...names, why: LEAK }))).toBe(false);
    expect(sent('constructor', names)).not.toEqual(names);
  });

  it('of a resource keeps the address that the client named, and no password in another', () => {
    const uri = 'https://admin:hunter2@example.com/';
    const method = 'notifications/resources/updated';
    expect(sent(method, { uri }, [uri])).toEqual({ uri });
    expect(leaks(sent(method, { uri }))).toBe(false);
    expect(leaks(sent(method, { uri: 'https://example.com/a?page=2&token=hunter2hunter2' }))).toBe(false);
    const plain = 'file:///home/ann/notes/7f3a9c1e5b2d4f60.md?page=2';
    expect(sent(method, { uri: plain })).toEqual({ uri: plain });
    expect(sent(method, { uri: 7 })).toEqual({ uri: 7 });
    expect(sent(undefined, { uri: 'a:b' })).toEqual({ uri: 'a:b' });
  });

  it('keeps in its meta what messages find each other by, and is the same where nothing is secret', () => {
    const own = { progressToken: SECRET, 'io.modelcontextprotocol/related-task': SECRET };
    const safe = sent('notifications/message', { level: 'info', _meta: { ...own, why: LEAK } });
    expect(safe).toMatchObject({ level: 'info', _meta: own });
    expect(leaks(safe)).toBe(false);
    const fine = {
      jsonrpc: '2.0' as const,
      method: 'notifications/message',
      params: { data: 'x', _meta: own },
    };
    expect(safeNotification(fine, new Set())).toBe(fine);
    expect(sent('a/b', { _meta: 'x' })).toEqual({ _meta: 'x' });
    expect(sent('a/b', undefined)).toBeUndefined();
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    expect(sent('a/b', cyclic)).toBe(cyclic);
    expect(sent('a/b', { data: { toJSON: () => LEAK } })).toEqual({
      data: expect.not.stringContaining('hunter2'),
    });
  });

  it('an answer that came before the guard loses its secrets where it is a failure', () => {
    const stray = (more: object) => safeStray({ jsonrpc: '2.0', id: 1, ...more } as never, settingsFrom());
    const content = [{ type: 'text', text: LEAK }];
    expect(leaks(stray({ error: { code: 1, message: LEAK } }))).toBe(false);
    expect(leaks(stray({ result: { isError: true, content } }))).toBe(false);
    expect(stray({ result: { isError: false, content } }).result).toEqual({ isError: false, content });
  });

  it('a task that failed says why, without secrets', () => {
    const of = { settings: settingsFrom(), dialect: erlmcp };
    expect(leaks(safeTask('tasks/get', { statusMessage: LEAK, a: 1 }, of))).toBe(false);
    expect(safeTask('tasks/get', { statusMessage: 'fine', a: 1 }, of)).toEqual({
      statusMessage: 'fine',
      a: 1,
    });
    const tasks = [{ taskId: '1', status: 'failed', statusMessage: LEAK }, { taskId: '2' }, 3];
    const listed = safeTask('tasks/list', { tasks, nextCursor: 'x' }, of);
    expect(leaks(listed)).toBe(false);
    expect(listed).toMatchObject({
      tasks: [{ taskId: '1', status: 'failed' }, { taskId: '2' }, 3],
      nextCursor: 'x',
    });
    const begun = safeTask('tools/call', { task: tasks[0], _meta: { a: 1 } }, of);
    expect(leaks(begun)).toBe(false);
    expect(begun).toMatchObject({ task: { taskId: '1' }, _meta: { a: 1 } });
    const others = [
      ['tools/call', { statusMessage: LEAK }],
      ['tools/call', { task: 'paint', content: [] }],
      ['tasks/list', { tasks: 'none' }],
      ['tasks/get', { statusMessage: 7 }],
    ] as const;
    for (const [method, result] of others) expect(safeTask(method, result, of)).toBe(result);
  });
});

describe('a success', () => {
  const plain = { jsonrpc: '2.0' as const, result: { content: [] } };

  it('is plain when the handler said so, and nobody has anything against it', () => {
    const is = (state: object, message: object = plain) => isPlainSuccess(state as never, message as never);
    expect(is({ returned: 'success' })).toBe(true);
    expect(is({ returned: 'error' })).toBe(false);
    expect(is({ returned: 'success', passage: {} })).toBe(false);
    expect(is({ returned: 'success' }, { result: { isError: false } })).toBe(false);
    expect(is({ returned: 'success' }, { error: {} })).toBe(false);
  });

  it('leaves without claims of a failure; a question without secrets', () => {
    const safe = (state: object, result?: object) =>
      safeSuccess(
        { told: [], meta() {}, header() {}, ...state } as never,
        { jsonrpc: '2.0', result } as never,
        settingsFrom(),
      ).result;
    expect(safe({ method: 'tools/call' }, { _meta: { 'dev.mayday/fault': 1 } })).toEqual({});
    expect(leaks(safe({ method: 'tasks/get' }, { statusMessage: LEAK }))).toBe(false);
    expect(safe({ method: 'tasks/get', returned: 'success' }, { statusMessage: LEAK })).toEqual({
      statusMessage: LEAK,
    });
    const inputRequests = { a: { method: 'elicitation/create', params: { message: LEAK } } };
    expect(leaks(safe({ method: 'tools/call', returned: 'question' }, { inputRequests }))).toBe(false);
    expect(safe({ method: 'tools/call' })).toBeUndefined();
  });

  it('asks and tells in a closed dialect no more than its answers may', () => {
    const said = 'duplicate key value violates unique constraint "orders_pk"';
    const safe = (state: object, result: object) =>
      safeSuccess(
        { told: [], ...state } as never,
        { jsonrpc: '2.0', result } as never,
        settingsFrom({ dialect: 'qaqnuz' }),
      ).result;
    const asked = (message: string) => ({ a: { method: 'elicitation/create', params: { message } } });
    expect(safe({ method: 'tools/call', returned: 'question' }, { inputRequests: asked(said) })).toEqual({
      inputRequests: asked('The server asks for something'),
    });
    const task = { taskId: 't', status: 'failed' };
    expect(safe({ method: 'tasks/get' }, { ...task, statusMessage: said })).toEqual(task);
  });
});

describe('a tool that knows repeated calls by a key', () => {
  const KEY = 'dev.mayday/idempotency-key';
  const settings = settingsFrom();
  const off = { ...settings, idempotency: false as const };
  const declared = (tool: object, of = settings) => {
    const copy = { ...tool };
    declareKeys(copy, of);
    return copy;
  };

  it('says so, unless it only reads, or its author or the operator says otherwise', () => {
    expect(declared({})).toEqual({ _meta: { [KEY]: true } });
    expect(declared({ _meta: { a: 1 } })).toEqual({ _meta: { a: 1, [KEY]: true } });
    for (const tool of [{ annotations: { readOnlyHint: true } }, { _meta: { [KEY]: false } }])
      expect(declared(tool)).toEqual(tool);
    expect(declared({}, off)).toEqual({});
  });

  it('says so in a list that was written by hand', () => {
    const tools = [{ name: 'a' }, null, 'odd', { name: 'b', annotations: { readOnlyHint: true } }];
    expect(listWithKeys({ tools, next: 1 }, settings)).toEqual({
      tools: [{ name: 'a', _meta: { [KEY]: true } }, ...tools.slice(1)],
      next: 1,
    });
    const odd = { tools: 'odd' };
    expect(listWithKeys(odd, settings)).toBe(odd);
  });
});

describe('a deadline', () => {
  const due = (asked: unknown, deadlineMs: unknown = 1000, guards: unknown[] = []) =>
    dueAtOf(
      { startedAt: 500, hasMeta: asked !== undefined, meta: () => asked } as never,
      { deadlineMs, guards } as never,
    );

  it.each([
    [undefined, 1500],
    [2000, 1500],
    [1500, 1400],
    [700, 680],
    [502, 501],
    [501, 501],
    [500, 500],
    [400, 500],
    [0, 1500],
    [-1, 1500],
    ['700', 1500],
  ])('that a caller sets to %j ends at %i: the answer has a way to go', (asked, at) => {
    expect(due(asked)).toBe(at);
  });

  it('is the server’s own, a function’s, or none', () => {
    expect([due(undefined, () => 7), due(undefined, false), due(2500, false)]).toEqual([
      507,
      Number.POSITIVE_INFINITY,
      2400,
    ]);
  });

  it('is one timer for all, armed for the earliest', () => {
    const timers: { run: () => void; ms: number }[] = [];
    const cleared: unknown[] = [];
    const clock = {
      now: () => 1000,
      setTimeout: (run: () => void, ms: number) => timers.push({ run, ms }),
      clearTimeout: (timer: unknown) => void cleared.push(timer),
    } as never;
    expect(deadlinesOf(clock)).toBe(deadlinesOf(clock));
    const deadlines = new Deadlines(clock);
    const swept: string[] = [];
    const source = (name: string, next: number) => ({
      expireDue() {
        swept.push(name);
        return next;
      },
    });
    const [a, b] = [source('a', 1500), source('b', 1200)];
    for (const one of [a, b]) deadlines.join(one);
    for (const at of [1100, 1100, 1300, 1050, 900]) deadlines.notice(at);
    expect([timers.map(({ ms }) => ms), cleared]).toEqual([
      [100, 50, 0],
      [1, 2],
    ]);
    timers[2]?.run();
    expect([swept, timers.slice(3).map(({ ms }) => ms), cleared.slice(2)]).toEqual([
      ['a', 'b'],
      [500, 200],
      [4],
    ]);
    deadlines.leave(a);
    timers[4]?.run();
    expect(swept).toEqual(['a', 'b', 'b']);
    deadlines.notice(-1);
    const far = new Deadlines(clock);
    far.notice(2 ** 40);
    expect(timers.at(-1)?.ms).toBe(2 ** 31 - 1);
  });
});

describe('a call under its key', () => {
  const state = (revision: string) => ({ id: 7, revision, method: 'tools/call', told: [] }) as never;
  const settings = settingsFrom();

  it('is repeated from what it answered, in the form of the caller’s revision', () => {
    const result = { resultType: 'complete', a: 1 };
    const of = (revision: string, stored: object) =>
      replayOf({ result: stored, replayed: true }, state(revision));
    expect(of('2025-11-25', result)).toEqual({ jsonrpc: '2.0', id: 7, result: { a: 1 } });
    expect(of('2026-07-28', result)).toEqual({ jsonrpc: '2.0', id: 7, result });
    expect(of('2026-07-28', { a: 1 }).result).toEqual(result);
    const error = { code: -32042, message: 'Sign in' };
    expect(replayOf({ error }, state('2025-11-25'))).toEqual({ jsonrpc: '2.0', id: 7, error });
  });

  it('has worked, has asked for more, or has failed', () => {
    const worked = (failure: unknown, result?: object) =>
      workedBy(failure as never, { jsonrpc: '2.0', result } as never, state('2026-07-28'), settings);
    expect(worked(undefined, { a: 1 })).toEqual({ result: { a: 1 }, replayed: false });
    const { failure } = unawaited() as { failure: { thrown: unknown } };
    expect(worked({ ...failure, authored: true }, { a: 1 })).toMatchObject({
      result: { a: 1 },
      told: { kind: 'disconnected' },
    });
    expect(failure).toMatchObject({
      began: true,
      ours: true,
      asTool: true,
      thrown: {
        fault: {
          kind: 'disconnected',
          message: 'The first call with this idempotency key was given up',
          subject: { type: 'key' },
          retryable: false,
          executed: 'maybe',
          advice: expect.stringContaining('check'),
        },
      },
    });
    const error = { code: -32042, message: 'Sign in' };
    const kept = { ...failure, kept: true } as never;
    expect(workedBy(kept, { jsonrpc: '2.0', error }, state('2026-07-28'), settings)).toEqual({ error });
    expect(worked({ ...failure, began: false })).toMatchObject({ unbegun: true });
    expect(worked(failure)).toMatchObject({ failure: { thrown: { fault: { kind: 'disconnected' } } } });
  });
});
