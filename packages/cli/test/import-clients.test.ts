/** The file of every client, as its documentation shows it → `mayday.yaml`, the client’s new file, and what is told. */
import { readFileSync } from 'node:fs';
import { readSettings } from '@mayday/gateway';
import { expect, test } from 'vitest';
import { clientAt, type Machine } from '../src/import/places.ts';
import { planImport } from '../src/import/plan.ts';

const machine: Machine = { platform: 'linux', home: '/home/ann', cwd: '/home/ann/work', env: {} };

test.each([
  ['claude-desktop', '/home/ann/.config/Claude/claude_desktop_config.json'],
  ['claude-code', '/home/ann/.claude.json'],
  ['cursor', '/home/ann/.cursor/mcp.json'],
  ['vscode', '/home/ann/work/.vscode/mcp.json'],
  ['windsurf', '/home/ann/.codeium/windsurf/mcp_config.json'],
  ['zed', '/home/ann/.config/zed/settings.json'],
  [
    'cline',
    '/home/ann/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
  ],
  ['roo-code', '/home/ann/project/.roo/mcp.json'],
  ['gemini-cli', '/home/ann/.gemini/settings.json'],
  ['lm-studio', '/home/ann/.lmstudio/mcp.json'],
  ['continue', '/home/ann/.continue/config.yaml'],
  ['amazon-q', '/home/ann/.aws/amazonq/mcp.json'],
  ['junie', '/home/ann/.junie/mcp/mcp.json'],
])('%s', async (id, path) => {
  const known = clientAt(path, machine);
  expect(known?.client.id).toBe(id);
  const text = readFileSync(new URL(`./golden/import/${id}.before.txt`, import.meta.url), 'utf8');
  const input = {
    known,
    from: path,
    to: '/home/ann/work/mayday.yaml',
    home: machine.home,
    cwd: machine.cwd,
    launch: ['mayday'],
  };
  const plan = planImport({ ...input, text, yaml: undefined });
  expect([...plan.problems, ...plan.yamlProblems]).toEqual([]);
  const told = plan.told.map(({ line, message }) => `${line}: ${message}\n`).join('');
  await expect(plan.yaml).toMatchFileSnapshot(`./golden/import/${id}.yaml`);
  await expect(plan.text).toMatchFileSnapshot(`./golden/import/${id}.after.txt`);
  await expect(told).toMatchFileSnapshot(`./golden/import/${id}.told.txt`);

  // The gateway takes the file, with the variables that the new entry passes on.
  const env = Object.fromEntries(plan.variables.map((name) => [name, 'https://value.example']));
  const { settings } = readSettings(plan.yaml ?? '', { env, baseDir: '/home/ann/work' });
  expect([...settings.upstreams.keys()]).toEqual(plan.placed.map(({ here }) => here));

  // Doing it again changes nothing.
  const again = planImport({ ...input, text: plan.text ?? '', yaml: plan.yaml });
  expect([again.yaml, again.text]).toEqual([plan.yaml, plan.text]);
});

const AT = {
  from: '/home/ann/client.json',
  to: '/home/ann/work/mayday.yaml',
  home: machine.home,
  cwd: machine.cwd,
  launch: ['mayday'],
  yaml: undefined,
};

test.each([
  ['excluded', { excluded: ['off'] }, { excluded: ['off'] }],
  ['excluded, as the gateway was', { excluded: ['mayday', 'off'] }, { excluded: ['off'] }],
  [
    'not among those that are allowed',
    { allowed: ['other', 'on'], serverCommand: 'x' },
    { allowed: ['other', 'mayday'], serverCommand: 'x' },
  ],
])('a server of Gemini CLI that is %s is not in use, and the gateway is', (_, mcp, after) => {
  const [on, off] = ['1', '2'].map((arg) => ({ command: 'node', args: [arg], env: { T: `$T${arg}` } }));
  const text = JSON.stringify({ mcp, mcpServers: { on, off } });
  const known = clientAt('/home/ann/.gemini/settings.json', machine);
  const plan = planImport({ ...AT, known, text });
  expect(plan.placed.map(({ here }) => here)).toEqual(['on']);
  expect(plan.variables).toEqual(['T1']);
  expect(Object.keys(JSON.parse(plan.text ?? '').mcpServers)).toEqual(['off', 'mayday']);
  expect(plan.told.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '1: off: is not in use and stays where it is',
  ]);
  expect(JSON.parse(plan.text ?? '').mcp).toEqual(after);
});

test.each([
  [
    { tools: ['fs_read', '@a/read', '@a/write', '@other'], allowedTools: ['@a'] },
    ['fs_read', '@mayday', '@other'],
    [
      'allowedTools has old names; name what may run without a question again, such as @mayday/server_tool (@mayday would be all of it)',
    ],
  ],
  [
    { tools: ['*'], allowedTools: ['@a/read'] },
    ['*'],
    [
      'allowedTools has old names; name what may run without a question again, such as @mayday/server_tool (@mayday would be all of it)',
    ],
  ],
  [{ tools: ['*'], allowedTools: ['fs_read'] }, ['*'], []],
  [{ tools: ['@a', '@mayday'] }, ['@a', '@mayday'], []],
])('an agent of Amazon Q uses the gateway in the place of its servers: %j', (lists, tools, told) => {
  const text = JSON.stringify({ ...lists, mcpServers: { a: { command: 'node' } } });
  const known = clientAt('/home/ann/.aws/amazonq/agents/default.json', machine);
  const plan = planImport({ ...AT, known, text });
  expect(plan.told.map(({ message }) => message)).toEqual(told);
  expect(JSON.parse(plan.text ?? '').tools).toEqual(tools);
});

const FILES = {
  gemini: '/home/ann/.gemini/settings.json',
  windsurf: '/home/ann/.codeium/windsurf/mcp_config.json',
  amazonQ: '/home/ann/.aws/amazonq/mcp.json',
  cline: '/home/ann/.cline/data/settings/cline_mcp_settings.json',
  roo: '/home/ann/project/.roo/mcp.json',
  copilot: '/home/ann/.copilot/mcp-config.json',
} as const;

function imported(file: string, value: object) {
  const text = JSON.stringify(value);
  return planImport({ ...AT, from: file, known: clientAt(file, machine), text });
}

test.each([
  [
    'gemini',
    { includeTools: ['read', 'list(path)'], excludeTools: ['write'] },
    { allow: ['read', 'list'], deny: ['write'] },
  ],
  ['gemini', { includeTools: [] }, { deny: ['*'] }],
  ['gemini', { excludeTools: [] }, undefined],
  ['windsurf', { disabledTools: ['write', 'write', 'move'] }, { deny: ['write', 'move'] }],
  ['amazonQ', { disabledTools: ['write'] }, { deny: ['write'] }],
  ['cline', { disabledTools: ['write'] }, { deny: ['write'] }],
  ['roo', { disabledTools: ['write'] }, { deny: ['write'] }],
  ['copilot', { type: 'local', tools: ['read'] }, { allow: ['read'] }],
  ['copilot', { type: 'local', tools: 'read, list' }, { allow: ['read', 'list'] }],
  ['copilot', { type: 'local', tools: ['*'] }, undefined],
  ['copilot', { type: 'local', tools: '*' }, undefined],
  ['copilot', { type: 'local', tools: [] }, { deny: ['*'] }],
] as const)('tools that the user of %s took away stay away: %j', (client, fields, tools) => {
  const plan = imported(FILES[client], { mcpServers: { fs: { command: 'node', ...fields } } });
  expect([plan.state, plan.placed[0]?.entry.tools]).toEqual(['new', tools]);
  expect(plan.told).toEqual([]);
});

test('tools that an agent of Amazon Q does not name are not there', () => {
  const mcpServers = { a: { command: 'node', disabledTools: ['list'] }, b: { command: 'deno' } };
  const lists = { tools: ['@a/read', '@a/list', '@b', '@mayday'], mcpServers };
  const plan = imported('/home/ann/.aws/amazonq/agents/default.json', lists);
  expect(plan.placed.map(({ entry }) => entry.tools)).toEqual([
    { allow: ['read', 'list'], deny: ['list'] },
    undefined,
  ]);
});

test.each([[['@a/read', 'fs_read']], [['@a']], [['@a', '@builtin']]])(
  'a server of which an agent of Amazon Q uses nothing stays where it is: %j',
  (tools) => {
    const mcpServers = { a: { command: 'node' }, b: { command: 'deno' } };
    const plan = imported('/home/ann/.aws/amazonq/agents/default.json', { tools, mcpServers });
    expect(plan.placed.map(({ here }) => here)).toEqual(['a']);
    expect(plan.told.map(({ message }) => message)).toEqual(['b: is not in use and stays where it is']);
    expect(JSON.parse(plan.text ?? '').tools).toEqual(['@mayday', ...tools.slice(1)]);
    const { a, b } = JSON.parse(plan.text ?? '').mcpServers;
    expect([a, b]).toEqual([{ command: 'node', disabled: true }, { command: 'deno' }]);
  },
);

test.each([
  [
    { agent: { profiles: { ask: { context_servers: { a: { tools: { read: true } } } }, write: {} } } },
    'context_servers',
    'agent.profiles.ask.context_servers has old names; name the tools again under mayday, such as server_tool',
  ],
  [
    { agent: { plan: { tools: { 'a_*': false } }, build: { tools: { bash: true } } } },
    'mcpServers',
    'agent.plan.tools has old names; name the tools again, such as mayday_server_tool',
  ],
  [
    { tools: { a_write: false, abc_write: false } },
    'mcpServers',
    'tools has old names; name the tools again, such as mayday_server_tool',
  ],
  [{ tools: { abc_write: false }, agent: { profiles: { ask: { context_servers: {} } } } }, 'mcpServers'],
])('lists of single tools that have old names are told of: %j', (lists, section, ...told) => {
  const plan = imported('/home/ann/client.json', { ...lists, [section]: { a: { command: 'node' } } });
  expect(plan.told.map(({ message }) => message)).toEqual(told);
});

test('an agent of Amazon Q that uses no server keeps its servers', () => {
  const mcpServers = { a: { command: 'node' } };
  const plan = imported('/home/ann/.aws/amazonq/agents/default.json', { tools: ['fs_read'], mcpServers });
  expect([plan.state, plan.placed]).toEqual(['left', []]);
});

test.each([{ includeTools: 5 }, { disabledTools: { write: true } }, { tools: [1] }])(
  'a server whose list of tools cannot be read stays where it is: %j',
  (fields) => {
    const plan = imported(FILES.gemini, { mcpServers: { fs: { command: 'node', ...fields } } });
    expect([plan.state, plan.told.map(({ message }) => message)]).toEqual([
      'left',
      [`fs: stays where it is: "${Object.keys(fields)[0]}" is no list of names of tools`],
    ]);
  },
);

test('an entry of Copilot CLI has what the client refuses its file without', () => {
  const plan = imported(FILES.copilot, {
    mcpServers: { fs: { type: 'local', command: 'node', tools: ['*'] } },
  });
  expect(JSON.parse(plan.text ?? '').mcpServers.mayday).toMatchObject({ type: 'local', tools: ['*'] });
});

test('a client that was put back and has changed since gets what it has now, and nothing of before', () => {
  const at = { ...AT, known: undefined };
  const file = (server: object): string => JSON.stringify({ mcpServers: { files: server } });
  const before = planImport({ ...at, text: file({ command: 'node', args: ['1.js'] }), yaml: undefined });
  const now = file({ command: 'node', args: ['2.js'], excludeTools: ['write'] });
  const again = planImport({ ...at, text: now, yaml: before.yaml });
  expect(again.placed.map(({ here, entry }) => [here, entry])).toEqual([
    ['files', { command: 'node', args: ['2.js'], tools: { deny: ['write'] } }],
  ]);
  expect(again.yaml).not.toContain('1.js');
  expect(again.besides).toEqual([]);
});
