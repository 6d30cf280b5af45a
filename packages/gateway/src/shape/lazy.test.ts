/** Three tools in place of many. */
import { afterEach, expect, it } from 'vitest';
import { namesIn, toolServer, toolsNamed } from '../../test/tool-server.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  json,
  open,
  type Posted,
  post,
  upstream,
} from '../../test/tools.ts';
import type { SettingsFile } from '../index.ts';

afterEach(cleanUp);

const MANY = Array.from({ length: 300 }, (_, i) => `tool_${i}`);

async function house(more: Partial<SettingsFile> = {}) {
  const files = await toolServer(() => [
    {
      name: 'readTextFile',
      description: 'Reads a text file.\nWith more to say.',
      inputSchema: { type: 'object', maximum: 1 },
    },
    { name: 'write_file', description: 'Writes a file', inputSchema: { type: 'object' } },
    ...toolsNamed('fails_often', ...MANY),
  ]);
  const search = await toolServer(() => toolsNamed('find'));
  const gateway = await open({
    joined: { discovery: 'lazy' },
    upstreams: {
      files: { url: files.url, tools: { discovery: 'lazy', rename: { write_file: 'save' } } },
      search: { url: search.url },
    },
    ...more,
  });
  return { gateway, files, search, joined: `${gateway.url}/mcp`, own: `${gateway.url}/files/mcp` };
}

function told({ message }: Posted): { readonly [key: string]: unknown } {
  const blocks = (message.result?.['content'] ?? []) as { text: string }[];
  expect(JSON.parse(String(blocks[0]?.text))).toEqual(message.result?.['structuredContent']);
  return message.result?.['structuredContent'] as { [key: string]: unknown };
}

it('lists three tools, and asks nobody for it', async () => {
  const { joined, own, files, search, gateway } = await house();
  for (const url of [joined, own])
    expect(namesIn((await post(url, call('tools/list'))).message.result)).toEqual([
      'search_tools',
      'describe_tools',
      'call_tool',
    ]);
  expect([files.lists(), search.lists()]).toEqual([0, 0]);
  const whole = await post(`${gateway.url}/search/mcp`, call('tools/list'));
  expect(namesIn(whole.message.result)).toEqual(['find']);
});

it('finds tools by words, those that fit best first', async () => {
  const { joined, own } = await house();
  const found = told(await post(joined, callTool('search_tools', { query: 'read file', limit: 2 })));
  expect(found).toEqual({
    tools: [
      { name: 'files_readTextFile', description: 'Reads a text file. With more to say.' },
      { name: 'files_save', description: 'Writes a file' },
    ],
    found: 303,
    total: 304,
  });
  const exact = told(await post(own, callTool('search_tools', { query: 'tool_7', limit: 1 })));
  expect(exact['tools']).toEqual([{ name: 'tool_7', description: 'does tool_7' }]);
  expect(told(await post(own, callTool('search_tools')))['tools']).toHaveLength(10);
  expect(told(await post(own, callTool('search_tools', { query: 'fials oftn' })))).toEqual({
    tools: [],
    found: 0,
    total: 303,
    did_you_mean: 'fails_often',
  });
});

it('describes tools as they are listed, and says what was meant by names that nobody has', async () => {
  const { joined } = await house();
  const names = ['files_readTextFile', 'search_fnd', 'zzzzzz'];
  expect(told(await post(joined, callTool('describe_tools', { names })))).toEqual({
    tools: [
      {
        name: 'files_readTextFile',
        description: 'Reads a text file.\nWith more to say.',
        inputSchema: { type: 'object', maximum: 1 },
      },
    ],
    unknown: [{ name: 'search_fnd', did_you_mean: 'search_find' }, { name: 'zzzzzz' }],
  });
});

it('calls a tool as if it were called by its name', async () => {
  const { joined, own, files, gateway } = await house();
  const args = '{"a":12345678901234567890,"b" : -0}';
  const body = `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"call_tool","arguments":{"name":"files_save","arguments":${args}},"_meta":{"k":1}}}`;
  const direct = await post(own, callTool('save', {}, 'x'));
  const called = await post(own, callTool('call_tool', { name: 'save', arguments: {} }, 'x'));
  expect(called.text).toBe(direct.text);
  await post(joined, body);
  expect(files.bodies().at(-1)).toContain(`"params":{"name":"write_file","arguments":${args},"_meta":{`);
  const failed = await post(joined, callTool('call_tool', { name: 'files_fails_often' }));
  expect(failed.text).toContain('Tool files_fails_often is tired');
  expect(gateway.faults.list(1)[0]).toMatchObject({ upstream: 'files', target: 'fails_often' });
});

it('says what was meant, and what is wrong with arguments', async () => {
  const { joined, own } = await house();
  for (const [url, name, meant] of [
    [joined, 'files_sve', 'files_save'],
    [own, 'sav', 'save'],
  ] as const)
    expect((await post(url, callTool('call_tool', { name }))).message.result).toMatchObject({
      isError: true,
      content: [
        {
          text: `Invalid arguments for tool call_tool: name: Unknown tool: ${name}. Did you mean ${meant}? Find tools with search_tools.`,
        },
      ],
      _meta: {
        'dev.mayday/fault': { kind: 'invalid_arguments', executed: 'no', issues: [{ path: ['name'] }] },
      },
    });
  for (const [url, name, meant] of [
    [joined, 'files_sve', 'files_save'],
    [own, 'sav', 'save'],
  ] as const)
    expect(faultIn(await post(url, callTool(name)))).toMatchObject({
      kind: 'not_found',
      executed: 'no',
      subject: { type: 'tool', id: name },
      advice: `Did you mean ${meant}? Find tools with search_tools.`,
    });
  for (const [tool, args, path] of [
    ['call_tool', {}, 'name'],
    ['call_tool', { name: 'x', arguments: [] }, 'arguments'],
    ['search_tools', { query: 7 }, 'query'],
    ['search_tools', { limit: 51 }, 'limit'],
    ['describe_tools', { names: [] }, 'names'],
    ['describe_tools', { names: 'x' }, 'names'],
  ] as const)
    expect(faultIn(await post(own, callTool(tool, args)))).toMatchObject({
      kind: 'invalid_arguments',
      executed: 'no',
      issues: [{ path: [path] }],
    });
});

it('asks no server for a tool that is on no list, though its name begins as one of that server', async () => {
  const plain = await toolServer(() => toolsNamed('get-sum', 'echo'));
  const { joined, gateway } = await house({
    upstreams: { web: { url: plain.url, tools: { discovery: 'lazy' } } },
    virtual: { desk: { tools: ['web/*'], discovery: 'lazy' } },
  });
  for (const [url, name, meant] of [
    [joined, 'web_get-sm', 'web_get-sum'],
    [`${gateway.url}/desk/mcp`, 'web_get-sm', 'web_get-sum'],
    [`${gateway.url}/web/mcp`, 'get-sm', 'get-sum'],
  ] as const) {
    expect((await post(url, callTool('call_tool', { name }))).message.result).toMatchObject({
      isError: true,
      content: [
        {
          text: `Invalid arguments for tool call_tool: name: Unknown tool: ${name}. Did you mean ${meant}? Find tools with search_tools.`,
        },
      ],
      _meta: { 'dev.mayday/fault': { kind: 'invalid_arguments', executed: 'no' } },
    });
    const called = await post(url, callTool('call_tool', { name: meant, arguments: { a: 1 } }));
    expect(called.text).toContain('[\\"get-sum\\",{\\"a\\":1}]');
  }
  const names = plain.calls().map((params) => (params as { name: string }).name);
  expect(names).toEqual(['get-sum', 'get-sum', 'get-sum']);
});

it('asks a server that cannot list its tools', async () => {
  const asked: string[] = [];
  const silent = await upstream((body, response) => {
    const { id, method, params } = JSON.parse(body || '{}');
    asked.push(method);
    const said =
      method === 'tools/call'
        ? { result: { content: [{ type: 'text', text: `${params.name} ran` }] } }
        : { error: { code: -32603, message: 'Not now' } };
    if (id === undefined) response.writeHead(202).end();
    else json(response, 200, { jsonrpc: '2.0', id, ...said });
  });
  const { gateway } = await house({
    upstreams: { web: { url: silent.url, tools: { discovery: 'lazy' } } },
  });
  const called = await post(`${gateway.url}/web/mcp`, callTool('call_tool', { name: 'unlisted' }));
  expect(called.text).toContain('unlisted ran');
  expect(asked.filter((method) => method === 'tools/call')).toEqual(['tools/call']);
});

it('finds and calls for a caller what the caller may use', async () => {
  const { joined, files } = await house({
    access: { rules: [{ deny: ['files/write_file', 'files/tool_*'] }] },
  });
  const found = told(await post(joined, callTool('search_tools', { query: 'save' })));
  expect(found['total']).toBe(3);
  expect(faultIn(await post(joined, callTool('call_tool', { name: 'files_save' })))).toMatchObject({
    kind: 'forbidden',
    message: 'You may not use the tool files_save',
    // By the name that the caller called: a refusal of another tool would prove nothing to it.
    executed: 'no',
    subject: { type: 'tool', id: 'call_tool' },
  });
  expect(files.calls()).toEqual([]);
});

it('can be had of a virtual server', async () => {
  const { gateway } = await house({ virtual: { desk: { tools: ['*/find'], discovery: 'lazy' } } });
  const url = `${gateway.url}/desk/mcp`;
  expect(told(await post(url, callTool('search_tools')))).toMatchObject({ total: 1 });
  const called = await post(url, callTool('call_tool', { name: 'search_find', arguments: { q: 1 } }));
  expect(called.text).toContain('[\\"find\\",{\\"q\\":1}]');
});
