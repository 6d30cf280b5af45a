/** The edges of docs/policy.md: what is asked beside calls, who has no key, and what cannot be consented to. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, type Message, post, send } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize, modern } from '../support/messages.ts';
import { fate, listed, mayday, named, pause, times, together, tried, use } from '../support/policy.ts';
import { executions, type Step } from '../support/puppet.ts';
import { stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
const BOB = 'bob-key-0123456789';
const CAT = 'cat-key-0123456789';
const KEYS = [
  { name: 'ann', key: ANN },
  { name: 'bob', key: BOB, tenant: 'bobs' },
  { name: 'cat', key: CAT },
];
const ASK = 'approval_required/no';
const NO = 'forbidden/no';
const BIN = fileURLToPath(new URL('../../../cli/bin/mayday.js', import.meta.url));

const TEMPLATES = [
  { uriTemplate: 'open://{id}', name: 'open' },
  { uriTemplate: 'secret://{id}', name: 'secret' },
];
const ON: Record<string, Step[]> = {
  'resources/templates/list': [{ answer: { result: { resourceTemplates: TEMPLATES } } }],
  'completion/complete': [{ answer: { result: { completion: { values: ['x'] } } } }],
  'resources/subscribe': [{ answer: { result: {} } }],
};
const CAPABILITIES = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} };

const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
let other: HttpPuppet;
let plain: HttpPuppet;
beforeAll(async () => {
  const tools = named('echo', 'pay', 'counted', 'untold');
  http = await startHttpPuppet({ ledger, on: ON, capabilities: CAPABILITIES, tools });
  plain = await startHttpPuppet({ ledger });
  const none = [{ answer: { error: { code: -32002, message: 'Resource not found' } } }];
  other = await startHttpPuppet({ ledger, tools, on: { 'resources/read': none } });
});
afterAll(async () => {
  await Promise.all([http.close(), other.close(), plain.close()]);
  rmSync(folder, { recursive: true });
});

const RULES: readonly object[] = [
  { deny: ['*/untold'], tenants: ['*'] },
  { deny: ['u/secret://*', 'u/hello'] },
  { approve: ['*/pay'] },
];
function settings(rules = RULES, rates: readonly object[] = []): object {
  return {
    store: `file:${join(folder, 'mayday.db')}`,
    keys: KEYS,
    access: { rules },
    limits: { rates },
    upstreams: { u: { url: http.url }, v: { url: other.url }, s: stdio({ ledger }) },
  };
}
const gateway = keepGateway(
  () => startGateway(settings()),
  [ledger, join(folder, 'mayday.db'), join(folder, 'repeats.db')],
);

const asked = async (endpoint: string, body: Message | string, key = ANN): Promise<Message> =>
  (await post(at(gateway(), endpoint), body, { key })).message;
const reached = (method: string): number => http.arrivals.filter(({ body }) => body.includes(method)).length;

describe('a key without a tenant', () => {
  it('is of no tenants, not even of *', async () => {
    const fates = await Promise.all([
      tried(gateway(), 'u', 'untold', {}, { key: ANN }),
      tried(gateway(), 'u', 'untold', {}, { key: BOB }),
    ]);
    expect(fates).toEqual(['fine', NO]);
  });
});

describe('what would be refused', () => {
  it('is not completed', async () => {
    const complete = (ref: object): Message =>
      ask('completion/complete', { ref, argument: { name: 'id', value: 'x' } });
    const before = reached('completion/complete');
    const messages = [
      await asked('u', complete({ type: 'ref/prompt', name: 'hello' })),
      await asked('', complete({ type: 'ref/prompt', name: 'u_hello' })),
      await asked('u', complete({ type: 'ref/resource', uri: 'secret://{id}' })),
    ];
    expect(messages.map(fate)).toEqual([NO, NO, NO]);
    expect(reached('completion/complete')).toBe(before);
    expect(fate(await asked('u', complete({ type: 'ref/resource', uri: 'open://{id}' })))).toBe('fine');
  });

  it('is not watched', async () => {
    const before = reached('resources/subscribe');
    const watched = await asked('u', ask('resources/subscribe', { uri: 'secret://1' }));
    expect([fate(watched), reached('resources/subscribe')]).toEqual([NO, before]);
    const open = await asked('u', ask('resources/subscribe', { uri: 'open://1' }));
    expect([fate(open), reached('resources/subscribe')]).toEqual(['fine', before + 1]);
  });

  it('has no template on the list', async () => {
    const lists = await Promise.all(
      ['u', ''].map(async (name) =>
        listed(await asked(name, ask('resources/templates/list')), 'resourceTemplates', 'uriTemplate'),
      ),
    );
    expect(lists).toEqual([['open://{id}'], ['open://{id}']]);
  });

  it('at /mcp is asked of those who may be asked; else it is forbidden', async () => {
    const before = reached('secret://1');
    const secret = await asked('', ask('resources/read', { uri: 'secret://1' }));
    // The stdio server answers for any URI, and may be asked.
    expect(fate(secret)).toBe('fine');
    expect(reached('secret://1')).toBe(before);
  });
});

describe('arguments', () => {
  const body = (args: string, name = 'pay'): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

  it('that differ in the digits of a number are others', async () => {
    const consent = await asked('u', body('{"n":9007199254740992,"key":"digits"}'));
    await mayday(gateway().folder, 'approvals', 'approve', faultOf(consent)['details'].approval_id);
    const others = ['9007199254740993', '9007199254740992.0', '9007199254740992e0', '"9007199254740992"'];
    const fates = await Promise.all(
      others.map(async (n) => fate(await asked('u', body(`{"n":${n},"key":"digits"}`)))),
    );
    expect(fates).toEqual(times(4, ASK));
    expect(fate(await asked('', body('{"key":"digits","n":9007199254740992}', 'u_pay')))).toBe('fine');
    expect(executions(ledger, 'digits')).toBe(1);
  });

  it.each([['u'], ['s'], ['']])('that have a member twice are refused at /%s', async (endpoint) => {
    const name = endpoint === '' ? 'u_pay' : 'pay';
    const messages = [
      await asked(endpoint, body('{"amount":1,"amount":1000000,"key":"twice"}', name)),
      await asked(endpoint, body('{"to":{"a":1,"\\u0061":2},"key":"twice"}', name)),
    ];
    expect(messages.map(fate)).toEqual(times(2, 'invalid_arguments/no'));
    expect(executions(ledger, 'twice')).toBe(0);
  });

  it('that nobody can look through are refused; long ones are cut, and meant whole', async () => {
    const huge = { pad: 'x'.repeat(300_000), key: 'huge' };
    expect(await tried(gateway(), 'u', 'pay', huge, { key: ANN })).toBe('too_large/no');
    const long = `begins ${'y'.repeat(5000)} ends`;
    const { message } = await use(gateway(), 'u', 'pay', { long }, { key: ANN });
    const id: string = faultOf(message)['details'].approval_id;
    const { out } = await mayday(gateway().folder, 'approvals');
    expect(out).toContain('begins');
    expect(out).not.toContain('y ends');
    await mayday(gateway().folder, 'approvals', 'approve', id);
    expect(await tried(gateway(), 'u', 'pay', { long: long.replace('ends', 'endz') }, { key: ANN })).toBe(
      ASK,
    );
    expect(await tried(gateway(), 'u', 'pay', { long }, { key: ANN })).toBe('fine');
  });

  it('wait for a person a hundred at a time; one more is overloaded', async () => {
    const fates = await together(101, (n) => tried(gateway(), 'v', 'pay', { n }, { key: CAT }));
    expect(fates).toEqual([...times(100, ASK), 'overloaded/no']);
    expect(await tried(gateway(), 'v', 'pay', { n: 'mine' }, { key: BOB })).toBe(ASK);
  });
});

describe('a consent', () => {
  it('is not needed by the repeat of a call with an idempotency key', async () => {
    const request = call('pay', { key: 'idempotent' });
    request['params']._meta = { 'dev.mayday/idempotency-key': 'pay-once' };
    const refused = await asked('u', request);
    expect(fate(refused)).toBe(ASK);
    await mayday(gateway().folder, 'approvals', 'approve', faultOf(refused)['details'].approval_id);
    const messages = [await asked('u', request), await asked('u', request), await asked('u', request)];
    expect(messages.map(fate)).toEqual(times(3, 'fine'));
    expect(executions(ledger, 'idempotent')).toBe(1);
  });

  it('is for all rounds of a call, and for no other', async () => {
    const question = {
      method: 'elicitation/create',
      params: { mode: 'form', message: '?', requestedSchema: {} },
    };
    const first = { resultType: 'input_required', inputRequests: { a: question }, requestState: 'state-1' };
    const last = { resultType: 'complete', content: [] };
    const args = (key: string): object => ({
      key,
      attempts: [[{ answer: { result: first } }], [{ answer: { result: last } }]],
    });
    const round = { requestState: 'state-1', inputResponses: { a: { action: 'accept', content: {} } } };
    const made = async (arguments_: object, more: object = {}, key = ANN): Promise<Message> => {
      const body = call('pay', arguments_);
      body['params'] = { ...body['params'], ...more };
      return (await post(at(gateway(), 'u'), modern(body), { key, era: '2026' })).message;
    };
    const refused = await made(args('rounds'));
    await mayday(gateway().folder, 'approvals', 'approve', faultOf(refused)['details'].approval_id);
    const begun = await made(args('rounds'));
    expect(begun['result']?.resultType).toBe('input_required');
    const state = { ...round, requestState: begun['result']?.requestState };
    const strangers = [
      await made({ ...args('rounds'), more: 1 }, state),
      await made(args('rounds'), state, BOB),
    ];
    expect(strangers.map((message) => fate(message).split('/')[0])).toEqual(times(2, 'approval_required'));
    const ended = await made(args('rounds'), state);
    expect([fate(ended), ended['result']?.resultType]).toEqual(['fine', 'complete']);
    const again = [await made(args('rounds'), state), await made(args('rounds'))];
    expect(again.map((message) => fate(message).split('/')[0])).toEqual(times(2, 'approval_required'));
    expect(executions(ledger, 'rounds')).toBe(2);
  });

  it('is not given back by a round: who begins anew makes another call', async () => {
    const result = { resultType: 'input_required', inputRequests: {}, requestState: 'state-1' };
    const body = modern(call('pay', { key: 'anew', script: [{ answer: { result } }] }));
    const made = async (): Promise<Message> =>
      (await post(at(gateway(), 'u'), body, { key: ANN, era: '2026' })).message;
    const id: string = faultOf(await made())['details'].approval_id;
    await mayday(gateway().folder, 'approvals', 'approve', id);
    expect(fate(await made())).toBe('fine');
    await made();
    await made();
    expect(executions(ledger, 'anew')).toBe(1);
  });

  it('that a round would need and does not have: the round before may have been made', async () => {
    const body = call('pay', { key: 'forged' });
    body['params'] = { ...body['params'], requestState: 'forged', inputResponses: {} };
    const answer = await post(at(gateway(), 'u'), modern(body), { key: ANN, era: '2026' });
    expect([fate(answer.message), executions(ledger, 'forged')]).toEqual(['approval_required/maybe', 0]);
  });

  it('is written down: approved, used, and given back', async () => {
    const gone = await startGateway({
      store: `file:${join(folder, 'mayday.db')}`,
      keys: KEYS,
      access: { rules: RULES },
      upstreams: { gone: { url: 'http://127.0.0.1:1/mcp', retry: { attempts: 1 } } },
    });
    const { message } = await use(gone, 'gone', 'pay', {}, { key: BOB });
    const id: string = faultOf(message)['details'].approval_id;
    await mayday(gone.folder, 'approvals', 'approve', id);
    expect(await tried(gone, 'gone', 'pay', {}, { key: BOB })).toBe('unavailable/no');
    const { out } = await mayday(gone.folder, 'audit');
    await gone.stop('SIGKILL');
    const rows = out.split('\n').filter((line) => line.includes(id));
    const said = rows.map((line) => /approvals\.\w+/.exec(line)?.[0]);
    expect(said).toEqual(['approvals.approve', 'approvals.use', 'approvals.release']);
  });
});

describe('a reload', () => {
  it('holds for the next call, and sessions at /mcp are told', async () => {
    const url = at(gateway(), '');
    const opened = await post(url, initialize(), { key: ANN });
    const session = String(opened.headers['mcp-session-id']);
    await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, { key: ANN, session });
    const heard: string[] = [];
    const stop = new AbortController();
    send(url, undefined, {
      key: ANN,
      session,
      within: 30_000,
      headers: { accept: 'text/event-stream' },
      signal: stop.signal,
      onText: (text) => heard.push(text),
    }).catch(() => undefined);
    await pause(300);
    gateway().rewrite(settings([{ deny: ['u/echo'] }, ...RULES]));
    await expect
      .poll(() => heard.join(''), { timeout: 10_000 })
      .toContain('notifications/tools/list_changed');
    stop.abort();
    expect(await tried(gateway(), '', 'u_echo', {}, { key: ANN, session })).toBe(NO);
  });

  it('keeps what was counted when `calls` change, and nothing when the limit is another', async () => {
    const limit = { calls: 2, per_ms: 3_600_000, by: ['caller'], tools: ['*/counted'] };
    const one = (): Promise<string> => tried(gateway(), 'u', 'counted', {}, { key: BOB });
    const reload = async (rates: readonly object[]): Promise<void> => {
      const reloads = (): number => gateway().log().split('reloaded').length;
      const before = reloads();
      gateway().rewrite(settings(RULES, rates));
      await expect.poll(reloads, { timeout: 10_000 }).toBeGreaterThan(before);
    };
    await reload([limit]);
    expect([await one(), await one(), await one()]).toEqual(['fine', 'fine', 'rate_limited/no']);
    await reload([{ ...limit, calls: 3 }]);
    expect([await one(), await one()]).toEqual(['fine', 'rate_limited/no']);
    await reload([{ ...limit, calls: 3, by: ['caller', 'tool'] }]);
    expect(await one()).toBe('fine');
  });
});

describe('a call that the gateway repeats', () => {
  it('is counted once, and needs one consent', async () => {
    const limits = { rates: [{ calls: 1, per_ms: 3_600_000, by: ['caller'], tools: ['*/lookup'] }] };
    const own = await startGateway({
      store: `file:${join(folder, 'repeats.db')}`,
      keys: KEYS,
      access: { rules: [{ approve: ['w/echo'] }] },
      limits,
      upstreams: { w: { url: plain.url, retry: { repeatable: ['lookup', 'echo'] } } },
    });
    const fine: Step[] = [{ answer: { result: { content: [] } } }];
    const attempts = (key: string): object => ({ key, attempts: [[{ reset: true }], fine] });
    const counted = [
      await tried(own, 'w', 'lookup', attempts('again'), { key: ANN }),
      await tried(own, 'w', 'lookup', {}, { key: ANN }),
    ];
    const { message } = await use(own, 'w', 'echo', attempts('consented'), { key: ANN });
    await mayday(own.folder, 'approvals', 'approve', faultOf(message)['details'].approval_id);
    const consented = await tried(own, 'w', 'echo', attempts('consented'), { key: ANN });
    await own.stop('SIGKILL');
    expect([counted, executions(ledger, 'again')]).toEqual([['fine', 'rate_limited/no'], 2]);
    expect([consented, executions(ledger, 'consented')]).toEqual(['fine', 2]);
  });
});

describe('who has no key', () => {
  it('is none of any callers, also with --stdio', async () => {
    const own = scratch();
    const rules = [
      { deny: ['s/echo'], callers: ['*'] },
      { deny: ['s/pay'] },
      { allow: ['s/lookup'], scopes: ['x:y'] },
    ];
    writeFileSync(join(own, 'mayday.yaml'), JSON.stringify({ access: { rules }, upstreams: { s: stdio() } }));
    const child = spawn(process.execPath, [BIN, 'gateway', '--stdio', '--config', join(own, 'mayday.yaml')], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const answers = new Map<unknown, Message>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const message = JSON.parse(line) as Message;
      answers.set(message['id'], message);
    });
    const calls = ['s_echo', 's_pay', 's_lookup'].map((name, index) => call(name, {}, index + 1));
    for (const message of [{ ...initialize(), id: 0 }, ...calls, ask('tools/list', {}, 4)]) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    }
    await expect.poll(() => answers.size, { timeout: 20_000 }).toBe(5);
    child.kill('SIGKILL');
    rmSync(own, { recursive: true });
    expect([1, 2, 3].map((id) => fate(answers.get(id) ?? {}))).toEqual(['fine', NO, NO]);
    expect(listed(answers.get(4) ?? {}, 'tools')).toEqual(['s_echo']);
  });
});
