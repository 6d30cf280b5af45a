/** Whoever may not use something does not find it in what is said in place of a list, nor beside one. */
import { afterEach, describe, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, takeEvents, upstream } from '../../test/tools.ts';

afterEach(cleanUp);

const KEYS = [
  { name: 'ann', key: 'annkey-7Qz9xL2mVt4R' },
  { name: 'bob', key: 'bobkey-5Wc8pK3nHs6D' },
];
const BOB = { authorization: 'Bearer bobkey-5Wc8pK3nHs6D' };
const ACCESS = { rules: [{ deny: ['l/secret*', 'l/x://secret*'], callers: ['bob'] }] };
const VIRTUAL = { desk: { tools: ['l/*'] } };

const METHODS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
const TOOLS = [{ name: 'open' }, { name: 'secret_tool', description: 'HUSH', uri: 'x://secret/1' }];
const LIST = JSON.stringify(TOOLS);

interface Said {
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
  /** `$ID` is the id of the request. */
  readonly raw: string;
}

/** A server that says this to every list, behind a gateway with rules. */
async function saying(
  { status = 200, headers = {}, raw }: Said,
  rights: object = { keys: KEYS, access: ACCESS },
) {
  const { url } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body || '{"id":1,"method":"of a stream"}') as {
      id?: number;
      method: string;
    };
    if (id === undefined) response.writeHead(202).end();
    else if (method === 'initialize') json(response, 200, { jsonrpc: '2.0', id, result: OPENED });
    else {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(raw.replaceAll('$ID', String(id)));
    }
  });
  return open({
    ...rights,
    upstreams: { l: { url, retry: { attempts: 1 }, breaker: { failures: 3, open_ms: 60_000 } } },
    virtual: VIRTUAL,
  } as never);
}

const OPENED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, prompts: {}, resources: {} },
  serverInfo: { name: 'l', version: '1' },
};

const error = (message: string, data: string, code = -32603): string =>
  `{"jsonrpc":"2.0","id":$ID,"error":{"code":${code},"message":${JSON.stringify(message)},"data":${data}}}`;
const page = (url: string, message: string): string =>
  JSON.stringify({ mode: 'url', url, message, elicitationId: '7f1c9a52-aaaa-4bbb-8ccc-1234567890ab' });
const SSE = { 'content-type': 'text/event-stream' };

const FAILURES: readonly (readonly [string, Said])[] = [
  ['in the data of an error', { raw: error('list failed', `{"tools":${LIST}}`) }],
  ['deeper', { raw: error('list failed', `{"result":{"tools":${LIST}}}`) }],
  ['in lists', { raw: error('list failed', `{"partial":[${LIST}]}`) }],
  ['as the text of JSON', { raw: error('list failed', JSON.stringify(`{"tools":${LIST}}`)) }],
  ['as a word', { raw: error('list failed', '{"missing":"secret_tool HUSH"}') }],
  ['as a name', { raw: error('list failed', '{"secret_tool":1,"HUSH":2}') }],
  ['in its words', { raw: error('cannot describe secret_tool: HUSH', '{}') }],
  [
    'in words like a document',
    { raw: error('failed at [{"name":"secret_tool","description":"HUSH"}]', '{}') },
  ],
  [
    'behind a limit',
    { status: 429, headers: { 'retry-after': '7' }, raw: error('slow down', `{"tools":${LIST}}`) },
  ],
  [
    'behind a challenge',
    {
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="x"' },
      raw: error('login', `{"tools":${LIST}}`),
    },
  ],
  ['in a stream', { headers: SSE, raw: `data: ${error('e', `{"tools":${LIST}}`)}\n\n` }],
  [
    'in plain text',
    { status: 500, headers: { 'content-type': 'text/plain' }, raw: `oops {"tools":${LIST}}` },
  ],
  ['in a sentence', { status: 500, headers: { 'content-type': 'text/plain' }, raw: 'no secret_tool, HUSH' }],
  ['where a revision is agreed on', { raw: error('list failed', `{"tools":${LIST}}`, -32022) }],
  ...[-32020, -32021, -32022, -32042].flatMap((code): [string, Said][] => [
    [`in the words of ${code}`, { raw: error('cannot list secret_tool', '{}', code) }],
    [`in the data of ${code}`, { raw: error('no list', '{"a":["secret_tool"]}', code) }],
    [`under HTTP 400 with ${code}`, { status: 400, raw: error('no list', '{"a":["secret_tool"]}', code) }],
  ]),
  ['as a revision', { raw: error('no list', '{"supported":["secret_tool"]}', -32022) }],
  ['as a capability', { raw: error('no list', '{"requiredCapabilities":{"secret_tool":{}}}', -32021) }],
  [
    'in a capability',
    { raw: error('no list', '{"requiredCapabilities":{"sampling":{"secret_tool":{}}}}', -32021) },
  ],
  [
    'in the address of a page',
    { raw: error('log in', `{"elicitations":[${page('https://x.example/secret_tool', 'log in')}]}`, -32042) },
  ],
  [
    'in what is said of a page',
    { raw: error('log in', `{"elicitations":[${page('https://x.example/a', 'for secret_tool')}]}`, -32042) },
  ],
];

describe.each(FAILURES)('%s', (_where, said) => {
  it('is no list for whoever may not see all of it', async () => {
    const { url } = await saying(said);
    for (const path of ['/l/mcp', '/mcp', '/desk/mcp'])
      for (const method of METHODS) {
        // Until its circuit opens, and beyond.
        for (let count = 0; count < 4; count += 1) {
          const { text } = await post(`${url}${path}`, call(method), BOB);
          expect([path, method, text.replace(/secret|HUSH/g, '*** $&')]).toEqual([path, method, text]);
        }
      }
  });
});

it.each([
  ['list failed', { raw: error('list failed', '{"seconds":7,"none":[]}') }, 'list failed'],
  ['a limit', { status: 429, raw: error('slow down', `{"tools":${LIST}}`) }, 'slow down'],
])('is told with its code and its words: %s', async (_name, said, words) => {
  const { url } = await saying(said);
  const { message } = await post(`${url}/l/mcp`, call('tools/list'), BOB);
  expect(message.error).toMatchObject({ code: -32603, message: expect.stringContaining(words) });
});

it('says instead of words that name what is denied what went wrong', async () => {
  const { url } = await saying({ raw: error('cannot describe secret_tool', '{}') });
  const { message } = await post(`${url}/l/mcp`, call('tools/list'), BOB);
  expect(message.error?.message).toBe('Internal error');
});

describe.each([
  ['a name is denied', { keys: KEYS, access: ACCESS }],
  ['all is denied but one', { keys: KEYS, access: { default: 'deny', rules: [{ allow: ['l/open'] }] } }],
])('where %s, what a conversation needs to go on', (_rules, rights) => {
  it.each([
    [-32022, 'Unsupported protocol version', '{"supported":["2025-11-25"],"requested":"2099-01-01"}'],
    [-32020, 'Header mismatch: Mcp-Method says tools/list', undefined],
    [-32021, 'Missing required client capability', '{"requiredCapabilities":{"elicitation":{"url":{}}}}'],
    [
      -32021,
      'Missing required client capability',
      '{"requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}',
    ],
    [-32042, 'Log in first', `{"elicitations":[${page('https://login.example/connect', 'Log in')}]}`],
  ])('stays of %i: %s %s', async (code, words, data) => {
    const { url } = await saying({ raw: error(words, data ?? '{}', code) }, rights);
    const { message } = await post(`${url}/l/mcp`, call('tools/list'), BOB);
    expect(message.error).toMatchObject({ code, message: words });
    if (data !== undefined) expect(message.error?.data).toMatchObject(JSON.parse(data));
  });

  it('stays beside what goes', async () => {
    const { url } = await saying(
      { raw: error('no secret_tool', '{"supported":["2025-11-25"],"a":["secret_tool"]}', -32022) },
      rights,
    );
    const { message, text } = await post(`${url}/l/mcp`, call('tools/list'), BOB);
    expect(message.error).toMatchObject({ code: -32022, data: { supported: ['2025-11-25'] } });
    expect(text).not.toContain('secret');
  });
});

const BESIDE: readonly (readonly [string, string])[] = [
  ['in other capitals', `"Tools":${LIST},"tools":[]`],
  ['in other capitals, behind it', `"tools":[],"TOOLS":${LIST}`],
  ['in its meta', `"tools":[],"_meta":{"tools":${LIST},"kept":1}`],
  ['deeper in its meta', `"tools":[],"_meta":{"x":{"all":${LIST}},"kept":1}`],
  ['in another member', `"tools":[],"extra":{"tools":${LIST}}`],
  ['as a name in its meta', `"tools":[],"_meta":{"x/denied":["secret_tool"],"kept":1}`],
  ['as a key in its meta', `"tools":[],"_meta":{"x/notes":{"secret_tool":{"cost":5}},"kept":1}`],
  ['as the name of a member of its meta', `"tools":[],"_meta":{"secret_tool":{},"kept":1}`],
  ['as a word of a member', `"tools":[],"next":"and then (l/secret_tool)."`],
  ['under another name of an item', `"tools":[{"name":"open","Name":"secret_tool","description":"HUSH"}]`],
];

it.each(BESIDE)('is no list beside one: %s', async (_where, members) => {
  const { url } = await saying({
    raw: `{"jsonrpc":"2.0","id":$ID,"result":{${members},"n":12345678901234567890}}`,
  });
  for (const path of ['/l/mcp', '/mcp', '/desk/mcp'])
    for (const method of METHODS) {
      const { text } = await post(`${url}${path}`, call(method), BOB);
      expect([path, method, text.replace(/secret|HUSH/g, '*** $&')]).toEqual([path, method, text]);
    }
  const { text } = await post(`${url}/l/mcp`, call('tools/list'), BOB);
  expect(text).toContain('"tools":[]');
  expect(text).toContain('"n":12345678901234567890');
  if (members.includes('kept')) expect(text).toContain('"_meta":{"kept":1}');
});

describe('a name that is denied on the list itself', () => {
  const rights = { keys: KEYS, access: { default: 'deny', rules: [{ allow: ['l/open'] }] } };
  const listing = async (members: string): Promise<string> => {
    const tools = JSON.stringify([{ name: 'open' }, { name: 'pay' }]);
    const raw = `{"jsonrpc":"2.0","id":$ID,"result":{"tools":${tools},${members}}}`;
    const { url } = await saying({ raw }, rights);
    const { message } = await post(`${url}/l/mcp`, call('tools/list'), BOB);
    const { tools: listed, ...beside } = message.result as { tools: object };
    expect(listed).toEqual([{ name: 'open' }]);
    return JSON.stringify(beside);
  };

  it.each(['"_meta":{"x":{"pay":1},"kept":"2.1-rc"}', '"_meta":{"kept":"2.1-rc"},"next":"pay, or open"'])(
    'is in no member beside it: %s',
    async (members) => {
      expect(await listing(members)).toBe('{"_meta":{"kept":"2.1-rc"}}');
    },
  );

  it('may be a part of a word, and stand where its client goes on', async () => {
    const said = '"_meta":{"x":"payload of my-gateway 2"},"nextCursor":"pay"';
    expect(await listing(said)).toBe(`{${said}}`);
  });
});

it('is no list where an error arrives outside of its call', async () => {
  const raw = `id: 7\ndata: ${error('e', `{"tools":${LIST}}`)}\n\n`;
  const { url } = await saying({ headers: SSE, raw }, { access: { rules: [{ deny: ['l/secret*'] }] } });
  const headers = { accept: 'text/event-stream', 'mcp-session-id': 's', 'last-event-id': '6' };
  const response = await fetch(`${url}/l/mcp`, { headers });
  const told = (await takeEvents(response, 1)).join();
  expect(told).toContain('"message":"e"');
  expect(told).not.toMatch(/secret|HUSH/);
});
