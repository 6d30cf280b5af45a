import { expect, it } from 'vitest';
import type { SettingsProblem } from './problems.ts';
import { readSettings } from './read-settings.ts';

const UPSTREAMS =
  'upstreams: { bank: { url: "http://127.0.0.1:1/mcp" }, files: { url: "http://127.0.0.1:2/mcp" } }';

function problemsOf(text: string): readonly string[] {
  try {
    readSettings(`${text}\n${UPSTREAMS}`);
    return [];
  } catch (error) {
    return (error as { problems: readonly SettingsProblem[] }).problems.map(told);
  }
}

const warningsOf = (text: string): readonly string[] =>
  readSettings(`${text}\n${UPSTREAMS}`).warnings.map(told);

const told = ({ path, message }: SettingsProblem): string => `${path}: ${message}`;

it('reads the rules of the documentation', () => {
  const { settings, warnings } = readSettings(`
store: file:./mayday.db
keys:
  - { name: ann, key: ann-secret, tenant: acme, scopes: [bank:pay] }
  - { name: guest-web, key: guest-secret }
access:
  default: allow
  refusals: explicit
  rules:
    - { deny: ["bank/*"], callers: ["guest-*"] }
    - { deny: ["*/delete_*"], tenants: [acme] }
    - { approve: ["bank/pay"], ttl_ms: 600000 }
    - { allow: ["bank/*"], scopes: ["bank:pay"] }
${UPSTREAMS}`);
  expect(warnings).toEqual([]);
  expect(settings.keys[0]).toMatchObject({ tenant: 'acme', scopes: ['bank:pay'] });
  expect(settings.access.rules.map(({ deny, allow, approve }) => [deny, allow, approve])).toEqual([
    [['bank/*'], undefined, undefined],
    [['*/delete_*'], undefined, undefined],
    [undefined, undefined, ['bank/pay']],
    [undefined, ['bank/*'], undefined],
  ]);
  expect(settings.access.rules[2]?.ttlMs).toBe(600_000);
});

it.each([
  ['{}', 'access.rules.0: A rule has one of deny, allow and approve; none of them is here'],
  [
    '{ deny: ["bank/a"], allow: ["bank/b"] }',
    'access.rules.0: A rule has one of deny, allow and approve; here are deny and allow',
  ],
  ['{ deny: [] }', 'access.rules.0.deny: Expected at least one pattern'],
  ['{ deny: ["bank/a"], callers: [] }', 'access.rules.0.callers: Expected at least one pattern'],
  ['{ deny: "bank/a" }', 'access.rules.0.deny: Expected a list of texts'],
  ['{ deny: ["bank/a"], caller: [x] }', 'access.rules.0.caller: Unknown setting; did you mean callers?'],
  [
    '{ deny: ["bank/a"], scopes: [x] }',
    'access.rules.0.scopes: A rule with deny refuses whatever the scopes are; write allow, or leave them out',
  ],
  [
    '{ allow: ["bank/a"], ttl_ms: 1 }',
    'access.rules.0.ttl_ms: Only a rule with approve has a time; leave it out',
  ],
  [
    '{ approve: ["bank/a"] }',
    'access.rules.0.approve: Nobody could consent without a store; add `store: file:./mayday.db`',
  ],
])('does not take the rule %s', (rule, problem) => {
  expect(problemsOf(`access: { rules: [${rule}] }`)).toEqual([problem]);
});

it('takes a rule that asks for consent where there is a store', () => {
  expect(problemsOf('store: file:./x.db\naccess: { rules: [{ approve: ["bank/a"] }] }')).toEqual([]);
});

it.each([
  ['default: deny', 'access.default: Nobody may use anything: there is no rule with allow or approve'],
  [
    'default: deny, rules: [{ deny: ["bank/a"] }]',
    'access.default: Nobody may use anything: there is no rule with allow or approve',
  ],
  ['rules: [{ deny: ["bnak/*"] }]', 'access.rules.0.deny.0: It fits nothing; did you mean bank/*?'],
  ['rules: [{ deny: ["x/y"] }]', 'access.rules.0.deny.0: It fits nothing; known upstreams are bank, files'],
  [
    'rules: [{ allow: ["bank/a", pay] }]',
    'access.rules.0.allow.1: It fits nothing; patterns are of the form upstream/name, such as */pay',
  ],
  [
    'rules: [{ deny: ["bank/a"], callers: [ann] }]',
    'access.rules.0.callers: No key has such a name; the rule fits nobody',
  ],
  [
    'rules: [{ deny: ["bank/a"], tenants: ["*"] }]',
    'access.rules.0.tenants: No key is of such a tenant; the rule fits nobody',
  ],
  [
    'default: deny, rules: [{ allow: ["*"], scopes: [bank:pay] }]',
    'access.rules.0.scopes: No key that the rule fits has all of these scopes; it lets nobody pass',
  ],
  ['rules: [{ deny: ["*"] }]', 'access.rules: Nobody may use anything: all of it is denied to everybody'],
  [
    'rules: [{ deny: ["bank/*"] }, { deny: ["files*"] }]',
    'access.rules: Nobody may use anything: all of it is denied to everybody',
  ],
  [
    'rules: [{ deny: ["bank/*"] }, { allow: ["files/a", "bank/pay"] }]',
    'access.rules.1.allow.1: It is never reached: access.rules.0 decides all of it',
  ],
  [
    'rules: [{ allow: ["*/p*"] }, { deny: ["bank/a", "*/p*y"] }]',
    'access.rules.1.deny.1: It is never reached: access.rules.0 decides all of it',
  ],
])('warns of %s', (access, warning) => {
  expect(warningsOf(`access: { ${access} }`)).toEqual([warning]);
});

const PAYERS = `keys:
  - { name: ann, key: ann-secret, tenant: acme, scopes: [bank:see, bank:pay] }
  - { name: bob, key: bob-secret, scopes: [bank:see] }`;

it.each([
  '{ allow: ["*"], scopes: [bank:see, bank:payy] }',
  '{ allow: ["*"], scopes: [bank:pay], callers: [bob] }',
  '{ allow: ["*"], scopes: [bank:see, bank:pay, x], tenants: [acme] }',
])('warns of scopes that nobody has whom the rule is for: %s', (rule) => {
  const fitsNobody = 'No key that the rule fits has all of these scopes; it lets nobody pass';
  const access = `access: { rules: [${rule}] }`;
  expect(warningsOf(`${PAYERS}\n${access}`)).toContain(`access.rules.0.scopes: ${fitsNobody}`);
  const others =
    'oauth: { resource: "https://x.example", issuers: [{ name: l, issuer: "https://l.example" }] }';
  for (const more of ['store: "file:./x.db"', others])
    expect(warningsOf(`${PAYERS}\n${access}\n${more}`).join()).not.toContain('scopes');
});

it.each([
  '{ allow: ["*"], scopes: [bank:see, bank:pay] }',
  '{ allow: ["*"], scopes: [bank:see], callers: [b*] }',
])('does not warn of scopes that somebody has: %s', (rule) => {
  expect(warningsOf(`${PAYERS}\naccess: { rules: [${rule}] }`)).toEqual([]);
});

it('warns of a key that may use nothing, unless it is an operator’s', () => {
  const keys = `keys:
  - { name: ann, key: ann-secret, upstreams: [] }
  - { name: bob, key: bob-secret, upstreams: [bank] }
  - { name: ops, key: ops-secret, role: operator, upstreams: [] }`;
  expect(warningsOf(keys)).toEqual([
    'keys.0.upstreams: This key may use nothing; name its upstreams, or leave this out',
  ]);
});

it.each([
  [
    'rates: [{ calls: 1, per_ms: 9, tools: ["bnak/*"] }]',
    'limits.rates.0.tools.0: It fits nothing; did you mean bank/*?',
  ],
  [
    'rates: [{ calls: 5, per_ms: 9, costs: { "bnak/pay": 2 } }]',
    'limits.rates.0.costs.bnak/pay: It fits nothing; did you mean bank/pay?',
  ],
  [
    'concurrency: [{ calls: 1, tools: ["bank/a", pay] }]',
    'limits.concurrency.0.tools.1: It fits nothing; patterns are of the form upstream/name, such as */pay',
  ],
])('warns of the limits %s', (limits, warning) => {
  expect(warningsOf(`limits: { ${limits} }`)).toEqual([warning]);
});

it('warns of a store that nobody else reaches', () => {
  expect(warningsOf('store: "memory:"\naccess: { rules: [{ approve: ["bank/a"] }] }')).toEqual([
    'access.rules.0.approve: A store in memory is known to this process alone; `mayday approvals` cannot reach it',
  ]);
});

it.each([
  'rules: [{ allow: ["bank/pay"] }, { deny: ["*"] }]',
  'rules: [{ deny: ["bank/pay"] }, { allow: ["bank/*"] }]',
  'rules: [{ deny: ["*"], callers: [ann] }, { allow: ["bank/*"] }]',
  'rules: [{ deny: ["bank/*"] }]',
])('has nothing to say about %s', (access) => {
  expect(warningsOf(`keys: [{ name: ann, key: ann-secret }]\naccess: { ${access} }`)).toEqual([]);
});

it('does not judge who calls where keys are in a store', () => {
  expect(warningsOf('store: file:./x.db\naccess: { rules: [{ deny: ["bank/a"], callers: [ann] }] }')).toEqual(
    [],
  );
});
