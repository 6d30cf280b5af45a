/** However a request is written, what docs/policy.md refuses reaches no server. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratch, startGateway } from '../support/gateway.ts';
import { at } from '../support/house.ts';
import { post } from '../support/http.ts';
import { type HttpPuppet, startHttpPuppet } from '../support/http-puppet.ts';
import { keepGateway } from '../support/keep.ts';
import { ask, call, initialize, modern } from '../support/messages.ts';
import { fate, listed } from '../support/policy.ts';
import { executions, type Step } from '../support/puppet.ts';
import { stdio } from '../support/world.ts';

const ANN = 'ann-key-0123456789';
const STREAM = { 'content-type': 'text/event-stream' };
const NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';
const folder = scratch();
const ledger = join(folder, 'ledger');
let http: HttpPuppet;
beforeAll(async () => {
  http = await startHttpPuppet({ ledger });
});
afterAll(async () => {
  await http.close();
  rmSync(folder, { recursive: true });
});
const gateway = keepGateway(
  () =>
    startGateway({
      keys: [{ name: 'ann', key: ANN }],
      access: { rules: [{ deny: ['*/pay', '*/test://one', '*/hello', '*/untold'] }] },
      upstreams: { u: { url: http.url }, s: stdio({ ledger }) },
    }),
  [ledger],
);

/** Bodies that a server reads as a call of `NAME`, which is denied; `KEY` says whether it was reached. */
const DISGUISES: readonly (readonly [what: string, body: string])[] = [
  [
    'plain',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"NAME","arguments":{"key":"KEY"}}}',
  ],
  [
    'the name twice',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"FINE","name":"NAME","arguments":{"key":"KEY"}}}',
  ],
  [
    'the parameters twice',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"FINE","arguments":{}},"params":{"name":"NAME","arguments":{"key":"KEY"}}}',
  ],
  [
    'the method twice',
    '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"NAME","arguments":{"key":"KEY"}}}',
  ],
  [
    'the method before and after',
    '{"method":"tools/list","jsonrpc":"2.0","id":1,"params":{"name":"NAME","arguments":{"key":"KEY"}},"method":"tools/call"}',
  ],
  [
    'escapes in the name',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ESCAPED","arguments":{"key":"KEY"}}}',
  ],
  [
    'escapes in the members',
    '{"jsonrpc":"2.0","id":1,"m\\u0065thod":"tools/c\\u0061ll","p\\u0061rams":{"n\\u0061me":"NAME","arguments":{"key":"KEY"}}}',
  ],
  [
    'a plain member and an escaped one',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"FINE","n\\u0061me":"NAME","arguments":{"key":"KEY"}}}',
  ],
  [
    'an escaped method after a plain one',
    '{"jsonrpc":"2.0","id":1,"method":"ping","m\\u0065thod":"tools/call","params":{"name":"NAME","arguments":{"key":"KEY"}}}',
  ],
  [
    'the name last, after much',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"key":"KEY","name":"FINE","pad":"${'x'.repeat(200_000)}"},"name":"NAME"}}`,
  ],
  [
    'white space',
    '\n\t {\r\n "jsonrpc" : "2.0" , "id" : 1 , "method" : "tools/call" , "params" : { "name" : "NAME" , "arguments" : { "key" : "KEY" } } } \n',
  ],
  [
    'a byte order mark',
    '\uFEFF{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"NAME","arguments":{"key":"KEY"}}}',
  ],
  [
    'a batch',
    '[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"NAME","arguments":{"key":"KEY"}}}]',
  ],
  [
    'a notification',
    '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"NAME","arguments":{"key":"KEY"}}}',
  ],
  [
    'an id that is null',
    '{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"NAME","arguments":{"key":"KEY"}}}',
  ],
  [
    'two messages',
    '{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"NAME","arguments":{"key":"KEY"}}}',
  ],
];

function worn(body: string, prefix: string, key: string): string {
  return body
    .replaceAll('ESCAPED', `${prefix}p\\u0061y`)
    .replaceAll('NAME', `${prefix}pay`)
    .replaceAll('FINE', `${prefix}echo`)
    .replaceAll('KEY', key);
}

/** A session, where this endpoint has sessions. */
async function opened(url: string): Promise<{ session?: string }> {
  const { headers } = await post(url, initialize(), { key: ANN });
  const session = headers['mcp-session-id'];
  return session === undefined ? {} : { session: String(session) };
}

describe.each([
  ['u', ''],
  ['s', ''],
  ['', 'u_'],
  ['', 's_'],
])('at /%s with the prefix "%s"', (endpoint, prefix) => {
  // One for all of them: each is a process.
  let where: { session?: string } | undefined;
  it.each(DISGUISES)('%s', async (what, body) => {
    const key = `${endpoint}:${prefix}:${what}`;
    const url = at(gateway(), endpoint);
    where ??= await opened(url);
    await Promise.all([
      post(url, worn(body, prefix, key), { key: ANN }),
      post(url, worn(body, prefix, key), { key: ANN, ...where }),
    ]);
    expect(executions(ledger, key)).toBe(0);
  });
});

describe('headers of 2026-07-28', () => {
  it.each([
    ['u', ''],
    ['s', ''],
    ['', 'u_'],
  ])('that say otherwise do not help at /%s', async (endpoint, prefix) => {
    const body = modern(call(`${prefix}pay`, { key: `header:${endpoint}` }));
    const answers = await Promise.all(
      [{ 'mcp-name': `${prefix}echo` }, { 'mcp-method': 'ping' }, { 'mcp-method': 'tools/list' }].map(
        (headers) => post(at(gateway(), endpoint), body, { key: ANN, era: '2026', headers }),
      ),
    );
    expect(answers.filter(({ message }) => fate(message) === 'fine')).toEqual([]);
    expect(executions(ledger, `header:${endpoint}`)).toBe(0);
  });
});

describe('a call without a name', () => {
  const NAMELESS: [string][] = [
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["pay"]}'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{}}}'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":null}}'],
    ['{"jsonrpc":"2.0","id":1,"method":"prompts/get"}'],
    ['{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{}}'],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/read"}'],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}'],
  ];
  const closed = keepGateway(
    () =>
      startGateway({
        keys: [{ name: 'ann', key: ANN }],
        access: { default: 'deny', rules: [{ allow: ['u/echo'] }] },
        upstreams: { u: { url: http.url } },
      }),
    [ledger],
  );

  it.each(NAMELESS)('is fitted by no rule, and refused with default: deny: %s', async (body) => {
    const method = /"method":"([a-z/]+)"/.exec(body)?.[1] ?? '';
    const before = http.arrivals.length;
    const { message } = await post(at(closed(), 'u'), body, { key: ANN });
    const reached = http.arrivals.slice(before).filter((each) => each.body.includes(method));
    expect(reached.map((each) => each.body)).toEqual([]);
    expect(fate(message)).toMatch(/^\w+\/no$/);
  });
});

describe('other spellings', () => {
  it.each([
    ['prompts/get', '{"name":"NOT","name":"hello"}'],
    ['prompts/get', '{"name":"h\\u0065llo"}'],
    ['resources/read', '{"uri":"NOT","uri":"test://one"}'],
    ['resources/read', '{"uri":"test:\\/\\/one"}'],
  ])('of %s with %s', async (method, params) => {
    const before = http.arrivals.length;
    const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
    const { message } = await post(at(gateway(), 'u'), body, { key: ANN });
    expect(fate(message)).not.toBe('fine');
    const reached = http.arrivals.slice(before).filter((each) => each.body.includes(method));
    expect(reached).toEqual([]);
  });
});

describe('a list', () => {
  const HIDDEN = '{"name":"untold","inputSchema":{"type":"object"}}';
  const LEFT = '{ "name":"left", "inputSchema":{"type":"object","maximum":12345678901234567890.10},"x":1.0 }';
  const LIST = `{"jsonrpc":"2.0","id":$ID,"result":{"tools":[${HIDDEN}, ${LEFT}],"ttlMs":0}}`;
  const WAYS: [string, string, Step[]][] = [
    ['as JSON', 'u', [{ head: 200 }, { say: LIST }]],
    ['as a stream', 'u', [{ head: 200, headers: STREAM }, { say: `event: message\ndata: ${LIST}\n\n` }]],
    [
      'after other messages',
      'u',
      [
        { head: 200, headers: STREAM },
        { say: `data: ${NOTE}\n\n` },
        { wait: 100 },
        { say: `data: ${LIST}\n\n` },
      ],
    ],
    [
      'in many lines',
      'u',
      [{ head: 200, headers: STREAM }, { say: `data: ${LIST.replace(', {', ',\ndata: {')}\n\n` }],
    ],
    ['as a line', 's', [{ say: LIST }]],
    ['as a line at /mcp', '', [{ say: LIST }]],
  ];
  it.each(WAYS)('that came %s has what is left, in the bytes that came', async (what, endpoint, script) => {
    const request = ask('tools/list', { _meta: { 'test/puppet': { script } } });
    const answer = await post(at(gateway(), endpoint), request, { key: ANN });
    expect(answer.body, what).not.toContain('untold');
    const names = listed(answer.message, 'tools');
    expect(names.filter((name) => name.endsWith('left')).length).toBeGreaterThan(0);
  });

  it('of a server’s own endpoint keeps every digit', async () => {
    const request = ask('tools/list', {
      _meta: { 'test/puppet': { script: [{ head: 200 }, { say: LIST }] } },
    });
    const { body } = await post(at(gateway(), 'u'), request, { key: ANN });
    expect(body).toContain(LEFT);
  });

  it.each([
    ['is no answer', '{"result":{"tools":[{"name":"untold"}]}}'],
    ['comes twice', '{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"untold"}],"tools":[]}}'],
    ['is an object', '{"jsonrpc":"2.0","id":$ID,"result":{"tools":{"name":"untold"}}}'],
  ])('that %s does not show it either', async (_what, say) => {
    const request = ask('tools/list', { _meta: { 'test/puppet': { script: [{ head: 200 }, { say }] } } });
    const { body } = await post(at(gateway(), 'u'), request, { key: ANN });
    expect(body).not.toContain('untold');
  });

  it('does not show a tool under two names', async () => {
    const twice = '{"name":"left","name":"untold","inputSchema":{"type":"object"}}';
    const say = `{"jsonrpc":"2.0","id":$ID,"result":{"tools":[${twice}]}}`;
    const request = ask('tools/list', { _meta: { 'test/puppet': { script: [{ head: 200 }, { say }] } } });
    const { message } = await post(at(gateway(), 'u'), request, { key: ANN });
    expect(listed(message, 'tools')).not.toContain('untold');
  });
});
