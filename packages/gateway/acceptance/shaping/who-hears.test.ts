/** Who hears which name, from docs/shaping.md: callers what they see here, the server and the operator what the server has. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { faultOf, type Message, post, send, words } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { call, modern } from '../support/messages.ts';
import { fate, mayday } from '../support/policy.ts';
import { executions } from '../support/puppet.ts';
import { PATIENT, told, tool } from '../support/shaping.ts';
import { failing, stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
const OPERATOR = 'operator-key-0123456789';
const TOOLS = ['inner_pay', 'inner_deny', 'inner_ask', 'inner_rate', 'inner_retry', 'inner_cost'].map(
  (name) => tool(name),
);
const TOOLS_SHAPE = {
  rename: {
    inner_pay: 'outer_pay',
    inner_deny: 'outer_deny',
    inner_ask: 'outer_ask',
    inner_rate: 'outer_rate',
    inner_retry: 'outer_retry',
  },
};
const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ tools: TOOLS, ledger });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});
const gateway = keepGateway(
  () =>
    startGateway({
      store: `file:${join(folder, 'mayday.db')}`,
      keys: [
        { name: 'ann', key: ANN },
        { name: 'op', key: OPERATOR, role: 'operator' },
      ],
      access: {
        rules: [
          { deny: ['*/inner_deny'] },
          { deny: ['*/outer_pay', '*/outer_rate', '*/desk_pay'] },
          { approve: ['u/inner_ask'] },
        ],
      },
      limits: {
        rates: [{ calls: 2, per_ms: 600_000, by: ['tool'], tools: ['u/inner_rate'] }],
      },
      joined: PATIENT,
      upstreams: {
        u: {
          url: http.url,
          tools: TOOLS_SHAPE,
          retry: { repeatable: ['inner_retry'], never_repeat: ['outer_retry'] },
        },
        s: stdio({ tools: TOOLS, ledger }, { tools: TOOLS_SHAPE }),
      },
      virtual: { desk: { tools: ['u/*'], rename: { 'u/inner_pay': 'desk_pay' } } },
    }),
  [ledger, join(folder, 'mayday.db')],
);
const PLACES: [endpoint: string, name: string][] = [
  ['u', 'outer_pay'],
  ['s', 'outer_pay'],
  ['', 'u_outer_pay'],
  ['', 's_outer_pay'],
  ['desk', 'desk_pay'],
];

describe.each(PLACES)('at /%s the caller of %s', (endpoint, name) => {
  it('hears this name where the server says its own', async () => {
    const script = [failing('Tool inner_pay failed: the till is empty')];
    const { message } = await post(at(gateway(), endpoint), call(name, { script }), { key: ANN });
    expect(words(message)).toContain(name);
    expect(words(message)).not.toMatch(/[^_a-z]inner_pay/);
    expect(String(faultOf(message)['message'])).not.toContain('inner_pay');
  });

  it('hears it where the server knows no such tool', async () => {
    const script = [{ answer: { error: { code: -32602, message: 'Unknown tool: inner_pay' } } }];
    const { message, body } = await post(at(gateway(), endpoint), call(name, { script }), { key: ANN });
    expect(faultOf(message)['kind']).toBe('not_found');
    expect(faultOf(message)['subject']).toEqual({ type: 'tool', id: name });
    expect(faultOf(message)['message']).toContain(name);
    expect(body).not.toContain('inner_pay');
  });
});

describe('the server', () => {
  it.each([
    ['u', 'outer_pay'],
    ['', 'u_outer_pay'],
    ['desk', 'desk_pay'],
  ])('hears its own name from /%s, in the header too', async (endpoint, name) => {
    const request = modern(call(name, { text: `header-${endpoint}` }));
    const { message } = await post(at(gateway(), endpoint), request, { key: ANN, era: '2026' });
    expect(message['result']?.content[0].text).toBe(`inner_pay: header-${endpoint}`);
    const arrived = http.arrivals.find(({ body }) => body.includes(`"header-${endpoint}"`));
    expect(arrived?.headers['mcp-name']).toBe('inner_pay');
    expect(JSON.parse(arrived?.body ?? '{}').params.name).toBe('inner_pay');
  });
});

describe('rules, limits and retries know the server’s', () => {
  it.each([
    ['u', 'outer_deny'],
    ['s', 'outer_deny'],
    ['', 'u_outer_deny'],
    ['desk', 'u_outer_deny'],
  ])('a rule holds at /%s for %s, and its refusal names what was called', async (endpoint, name) => {
    const { message, body } = await post(at(gateway(), endpoint), call(name), { key: ANN });
    expect(fate(message)).toBe('forbidden/no');
    expect(body).not.toContain('inner_deny');
  });

  it('a rule about the new name holds for nothing', async () => {
    expect(await told(gateway(), 'u', 'outer_pay', {}, { key: ANN })).toBe('inner_pay: fine');
    expect(await told(gateway(), 'desk', 'desk_pay', {}, { key: ANN })).toBe('inner_pay: fine');
  });

  it('a limit counts all endpoints together', async () => {
    const fates = [
      await told(gateway(), 'u', 'outer_rate', {}, { key: ANN }),
      await told(gateway(), 'desk', 'u_outer_rate', {}, { key: ANN }),
      await told(gateway(), '', 'u_outer_rate', {}, { key: ANN }),
    ];
    expect(fates).toEqual(['inner_rate: fine', 'inner_rate: fine', 'rate_limited/no']);
  });

  it('what is repeatable is tried again, whatever it is called', async () => {
    const attempts = [
      [{ reset: true }],
      [{ answer: { result: { content: [{ type: 'text', text: 'done' }] } } }],
    ];
    const args = { key: 'retry', attempts };
    expect(await told(gateway(), '', 'u_outer_retry', args, { key: ANN })).toBe('done');
    expect(executions(ledger, 'retry')).toBe(2);
  });

  it('the same call at another endpoint is the same call', async () => {
    const ask = async (endpoint: string, name: string): Promise<string> => {
      const request = call(name, { key: 'same' });
      request['params']._meta = { 'dev.mayday/idempotency-key': 'same-0001' };
      return fate((await post(at(gateway(), endpoint), request, { key: ANN })).message);
    };
    const fates = [await ask('u', 'outer_pay'), await ask('', 'u_outer_pay'), await ask('desk', 'desk_pay')];
    expect(fates).toEqual(['fine', 'fine', 'fine']);
    expect(executions(ledger, 'same')).toBe(1);
  });

  it('a consent is asked for, shown and kept by the server’s name', async () => {
    const asked = await post(at(gateway(), 'desk'), call('u_outer_ask', { n: 1 }), { key: ANN });
    expect(fate(asked.message)).toBe('approval_required/no');
    expect(asked.body).not.toContain('inner_ask');
    const id = String(faultOf(asked.message)['details']?.approval_id);
    const list = await mayday(gateway().folder, 'approvals');
    expect(list.all).toContain('u/inner_ask');
    expect(list.all).not.toContain('outer_ask');
    expect((await mayday(gateway().folder, 'approvals', 'approve', id)).code).toBe(0);
    expect(await told(gateway(), '', 'u_outer_ask', { n: 1 }, { key: ANN })).toBe('inner_ask: fine');
    const audit = await mayday(gateway().folder, 'audit');
    expect(audit.all).toContain('inner_ask');
    expect(audit.all).not.toContain('outer_ask');
  });
});

describe('the operator', () => {
  const faults = async (): Promise<Message[]> => {
    const { messages } = await send(`${gateway().url}/-/faults?limit=1000`, undefined, { key: OPERATOR });
    return messages[0]?.['faults'];
  };

  it.each(PLACES)(
    'reads the server’s name for a call at /%s of %s, with the words of the caller',
    async (endpoint, name) => {
      const script = [failing(`Tool inner_pay failed: till-${endpoint}-${name}`)];
      const { message } = await post(at(gateway(), endpoint), call(name, { script }), { key: ANN });
      const id = faultOf(message)['correlation_id'];
      const record = (await faults()).find(({ fault }) => fault.correlation_id === id);
      expect(record).toMatchObject({ target: 'inner_pay', fault: { message: faultOf(message)['message'] } });
      await expect
        .poll(() => gateway().log())
        .toMatch(new RegExp(`tool=inner_pay .*${id}|tool=inner_pay .*till`));
    },
  );

  it('reads the name that was called where nobody has it', async () => {
    const { message } = await post(at(gateway(), 'u'), call('nobody_has_it'), { key: ANN });
    const id = faultOf(message)['correlation_id'];
    const record = (await faults()).find(({ fault }) => fault.correlation_id === id);
    expect(record).toMatchObject({ upstream: 'u', target: 'nobody_has_it' });
  });

  it('never reads the other names as targets', async () => {
    const targets = (await faults()).map(({ target }) => target);
    expect(targets).toContain('inner_deny');
    expect(targets.filter((target) => /outer_|desk_pay/.test(String(target)))).toEqual([]);
  });

  it('reads it with `mayday faults`, too', async () => {
    const script = [failing('The till is empty')];
    await post(at(gateway(), 'desk'), call('desk_pay', { script }), { key: ANN });
    const read = async (): Promise<string> => (await mayday(gateway().folder, 'faults')).all;
    await expect.poll(read, { timeout: 20_000, interval: 200 }).toMatch(/ u +inner_pay .*The till is empty/);
  });

  it('reads it of a tool that is held back', async () => {
    const script = [failing('503 Service Unavailable: the backend is down')];
    for (let time = 0; time < 8; time += 1) {
      await post(at(gateway(), 's'), call('outer_rate', { script }), { key: ANN, within: 20_000 });
    }
    const { messages } = await send(`${gateway().url}/-/status`, undefined, { key: OPERATOR });
    const row = messages[0]?.['upstreams'].find((each: Message) => each['name'] === 's');
    expect(JSON.stringify(row.troubled)).toContain('inner_rate');
    expect(JSON.stringify(row.troubled)).not.toContain('outer_rate');
  });
});

it('a key of the store can be for a virtual server alone', async () => {
  const made = await mayday(gateway().folder, 'keys', 'create', 'dora', '--upstreams', 'desk');
  expect(`${made.code} ${made.all}`).toMatch(/^0 /);
  const key = made.out.trim();
  expect(await told(gateway(), 'desk', 'desk_pay', {}, { key })).toBe('inner_pay: fine');
  const others = await Promise.all(
    ['u', 's', ''].map((name) => told(gateway(), name, 'outer_pay', {}, { key })),
  );
  expect(others).toEqual(['forbidden/no', 'forbidden/no', 'forbidden/no']);
});
