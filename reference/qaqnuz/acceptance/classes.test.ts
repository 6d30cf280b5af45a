import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Endpoint } from '../../acceptance/http.ts';
import { FAST_CLOCK, SLOW } from '../../acceptance/program.ts';
import { serveHttp } from '../../acceptance/reference.ts';
import { callTool, type Message, type Wire } from '../../acceptance/wire.ts';
import { ALL_SCOPES, failure, openPlatform, type Platform, textOf } from './platform.ts';

let platform: Platform;
let ada: Endpoint;
const answers = new Map<string, Message>();
const envelopes = new Map<string, Wire>();

/** What is tried, in this order, and the class of each. */
const TRIED: [string, string, string][] = [
  ['QA-9', 'arguments that break the schema', 'validation'],
  ['QA-10', 'a tool that cannot be reached', 'permission'],
  ['QA-10', 'an action that needs approval', 'permission'],
  ['QA-10 QA-14', 'no key', 'permission'],
  ['QA-12', 'a provider that fails', 'dependency'],
  ['QA-12', 'a provider that hangs up', 'dependency'],
  ['QA-12', 'a provider that stops in the middle', 'dependency'],
  ['QA-12', 'a provider that talks nonsense', 'dependency'],
  ['QA-13', 'a contact that does not exist', 'terminal'],
  ['QA-11', 'more calls than are allowed', 'retryable'],
];

const PROVIDER: Record<string, Wire> = {
  'a provider that fails': { status: 500, body: 'boom' },
  'a provider that hangs up': 'reset',
  'a provider that stops in the middle': 'cut',
  'a provider that talks nonsense': { status: 200, body: '<html>' },
};

async function attempt(name: string): Promise<Message> {
  if (PROVIDER[name] !== undefined) {
    platform.provider.reply = () => PROVIDER[name];
    return callTool(ada, 'check_stock', { sku: 'A1' });
  }
  const others: Record<string, () => Promise<Message>> = {
    'arguments that break the schema': () => callTool(ada, 'find_contacts', {}),
    'a tool that cannot be reached': () => callTool(ada, 'delete_everything', {}),
    'an action that needs approval': () => callTool(ada, 'issue_refund', { order: 'o1', amount_cents: 500 }),
    'no key': () => callTool(platform.caller(), 'find_contacts', { name: 'a' }),
    'a contact that does not exist': () => callTool(ada, 'get_contact', { id: 'nobody' }),
    'more calls than are allowed': async () => {
      let answer = await callTool(ada, 'find_contacts', { name: 'a' });
      for (let calls = 0; calls < 12 && answer.result?.isError !== true; calls += 1) {
        answer = await callTool(ada, 'find_contacts', { name: 'a' });
      }
      return answer;
    },
  };
  return (others[name] as () => Promise<Message>)();
}

beforeAll(async () => {
  platform = await openPlatform(['--per-key', '12']);
  const { key } = await platform.issue('acme', ALL_SCOPES);
  ada = platform.caller(`Bearer ${key}`);
  answers.set('success', await callTool(ada, 'find_contacts', { name: 'a' }));
  for (const [, name] of TRIED) {
    answers.set(name, await attempt(name));
  }
  const written = await platform.envelopes(60);
  envelopes.set('success', written[0]);
  for (const [, name] of TRIED) {
    const text = textOf(answers.get(name) as Message);
    envelopes.set(
      name,
      written.find((envelope) => envelope.sanitized_error === text),
    );
  }
}, SLOW);
afterAll(() => platform.close());

describe.each(TRIED)('%s %s', (id, name, errorClass) => {
  it(`${id} QA-4 QA-2: ${name} is one text with isError, and nothing else`, () => {
    const answer = answers.get(name);
    expect(Object.keys(answer ?? {}).sort()).toEqual(['id', 'jsonrpc', 'result']);
    expect(answer?.result).toEqual(failure(expect.stringMatching(/\w/)));
  });

  it(`${id} QA-5: the class of ${name} is ${errorClass}`, () => {
    expect(envelopes.get(name)?.error_class).toBe(errorClass);
  });

  it(`QA-1 QA-7: the envelope of ${name} has the same members as every other`, () => {
    const { retry_hint, ...rest } = envelopes.get(name) ?? {};
    expect(Object.keys(rest).sort()).toEqual(Object.keys(envelopes.get('success') ?? {}).sort());
    expect(rest.sanitized_error).toBe(textOf(answers.get(name) as Message));
    expect(['undefined', 'object']).toContain(typeof retry_hint);
  });

  it(`QA-8 QA-16 QA-22: ${name} has a hint only if it can be retried`, () => {
    const retriable = ['retryable', 'dependency'].includes(errorClass);
    const hinted = 'retry_hint' in (envelopes.get(name) ?? {});
    expect(hinted && !retriable).toBe(false);
  });
});

describe('the envelope', () => {
  it('QA-1: of a success has no class and no error', () => {
    expect(envelopes.get('success')).toMatchObject({ error_class: null, sanitized_error: null });
    expect(answers.get('success')?.result?.isError).toBe(false);
  });

  it('QA-11 QA-17 QA-18 QA-19 QA-20: the hint of a rate limit has its four members in their units', () => {
    const hint = envelopes.get('more calls than are allowed')?.retry_hint;
    expect(hint).toMatchObject({ retry_after_ms: expect.any(Number), max_attempts: expect.any(Number) });
    expect(Number.isInteger(hint.retry_after_ms)).toBe(true);
    expect(hint.retry_after_ms).toBeGreaterThan(0);
    expect(hint.retry_after_ms).toBeLessThanOrEqual(60_000);
    expect(hint.max_attempts).toBeGreaterThanOrEqual(1);
    expect(['fixed', 'exponential']).toContain(hint.backoff);
    expect(hint.jitter ?? 0.2).toBeGreaterThanOrEqual(0);
    expect(hint.jitter ?? 0.2).toBeLessThan(1);
    expect(
      Object.keys(hint).filter(
        (key) => !['retry_after_ms', 'max_attempts', 'backoff', 'jitter'].includes(key),
      ),
    ).toEqual([]);
  });

  it('QA-11: the words of a rate limit say rate limit', () => {
    expect(textOf(answers.get('more calls than are allowed') as Message)).toMatch(/rate limit/i);
  });

  it('QA-9: validation names every argument that is wrong', async () => {
    const { key } = await platform.issue('acme', ALL_SCOPES);
    const answer = await callTool(platform.caller(`Bearer ${key}`), 'issue_refund', {
      amount_cents: -1,
      colour: 1,
    });
    expect(textOf(answer)).toMatch(/order.*amount_cents.*colour/s);
  });

  it(
    'QA-1 QA-12: a provider that never answers ends in dependency',
    async () => {
      const { key } = await platform.issue('acme', ALL_SCOPES);
      platform.provider.reply = () => 'hang';
      const hasty = await serveHttp('qaqnuz', platform.folder, ['--provider', platform.provider.url], {
        preload: FAST_CLOCK,
      });
      const caller = new Endpoint(hasty.mcp, { authorization: `Bearer ${key}` });
      const answer = await callTool(caller, 'check_stock', { sku: 'A1' }).catch((error: Error) => ({
        result: error,
      }));
      await hasty.stop();
      expect(answer.result?.isError).toBe(true);
      expect((await platform.envelopes(1))[0]?.error_class).toBe('dependency');
    },
    SLOW,
  );
});

describe('the order of the checks', () => {
  it(
    'QA-10 QA-11: key, entitlement, rate, reach, arguments, consent',
    async () => {
      await platform.operator('add-brand', 'order');
      const { key } = await platform.issue('order', 'payments.refund');
      const caller = platform.caller(`Bearer ${key}`);
      const call = async (tool: string, args: Wire): Promise<Wire> =>
        textOf(await callTool(caller, tool, args));
      expect(textOf(await callTool(platform.caller('Bearer no'), 'nope', {}))).toBe('Unauthorized');
      await platform.operator('entitle', 'order', 'off');
      const plan = await call('nope', {});
      expect(plan).toMatch(/plan/);
      expect(await call('issue_refund', {})).toBe(plan);
      await platform.operator('entitle', 'order', 'on');
      const unreachable = await call('nope', {});
      expect(await call('find_contacts', {})).toBe(unreachable);
      expect(await call('issue_refund', { order: 'o1' })).toMatch(/amount_cents/);
      expect(await call('issue_refund', { order: 'o1', amount_cents: 5 })).toMatch(/requires approval/);
    },
    SLOW,
  );

  it('QA-11: refusals do not use up the limit', async () => {
    const { key } = await platform.issue('acme', 'contacts.read');
    const caller = platform.caller(`Bearer ${key}`);
    for (let calls = 0; calls < 14; calls += 1) {
      await callTool(caller, 'delete_everything', {});
    }
    expect((await callTool(caller, 'find_contacts', { name: 'a' })).result?.isError).toBe(false);
  });
});
