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
  const input = { known, to: '/home/ann/work/mayday.yaml', home: machine.home, cwd: machine.cwd };
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

const AT = { to: '/home/ann/work/mayday.yaml', home: machine.home, cwd: machine.cwd, yaml: undefined };

test.each([
  ['excluded', { excluded: ['off'] }, []],
  [
    'not among those that are allowed',
    { allowed: ['on', 'other'] },
    ['1: mcp.allowed does not name mayday; add it'],
  ],
])('a server of Gemini CLI that is %s is not in use', (_, mcp, more) => {
  const [on, off] = ['1', '2'].map((arg) => ({ command: 'node', args: [arg], env: { T: `$T${arg}` } }));
  const text = JSON.stringify({ mcp, mcpServers: { on, off } });
  const known = clientAt('/home/ann/.gemini/settings.json', machine);
  const plan = planImport({ ...AT, known, text });
  expect(plan.placed.map(({ here }) => here)).toEqual(['on']);
  expect(plan.variables).toEqual(['T1']);
  expect(Object.keys(JSON.parse(plan.text ?? '').mcpServers)).toEqual(['off', 'mayday']);
  expect(plan.told.map(({ line, message }) => `${line}: ${message}`)).toEqual([
    '1: off: is not in use and stays where it is',
    ...more,
  ]);
});

test.each([
  [
    { tools: ['@a/read'], allowedTools: ['@a'] },
    ['tools does not name @mayday; add it', 'allowedTools does not name @mayday; add it'],
  ],
  [{ tools: ['*'], allowedTools: ['fs_read'] }, []],
  [{ tools: ['@a', '@mayday'] }, []],
])('an agent of Amazon Q is told which of its lists lack the new entry: %j', (lists, told) => {
  const text = JSON.stringify({ ...lists, mcpServers: { a: { command: 'node' } } });
  const known = clientAt('/home/ann/.aws/amazonq/agents/default.json', machine);
  expect(planImport({ ...AT, known, text }).told.map(({ message }) => message)).toEqual(told);
});

test.each([
  [{ tools: ['*'] }, undefined],
  [{ tools: ['read_text_file'] }, { allow: ['read_text_file'] }],
  [{ tools: [] }, { deny: ['*'] }],
  [
    { includeTools: ['odd', 'even(x)'], excludeTools: ['job'] },
    { allow: ['odd', 'even'], deny: ['job'] },
  ],
  [{ disabledTools: ['write_file'] }, { deny: ['write_file'] }],
  [{ disabledTools: [] }, undefined],
])('the tools that may be used stay those that might be: %j', (lists, tools) => {
  const known = clientAt('/home/ann/.gemini/settings.json', machine);
  const text = JSON.stringify({ mcpServers: { fs: { command: 'node', ...lists } } });
  const plan = planImport({ ...AT, known, text });
  expect(plan.placed.map(({ entry }) => entry)).toEqual([
    tools === undefined ? { command: 'node' } : { command: 'node', tools },
  ]);
  expect(plan.told).toEqual([]);
});

test('a list of tools that cannot be read is told', () => {
  const known = clientAt('/home/ann/.gemini/settings.json', machine);
  const text = JSON.stringify({ mcpServers: { fs: { command: 'node', includeTools: 'odd' } } });
  expect(planImport({ ...AT, known, text }).told.map(({ message }) => message)).toEqual([
    'fs: "includeTools" is left out: all tools of the server are passed on',
  ]);
});

test('the entry of Copilot CLI names what its older versions ask for', () => {
  const known = clientAt('/home/ann/.copilot/mcp-config.json', machine);
  const fs = { type: 'local', command: 'node', args: ['fs.js'], tools: ['*'] };
  const { entry, placed } = planImport({ ...AT, known, text: JSON.stringify({ mcpServers: { fs } }) });
  expect(entry).toEqual({
    mayday: {
      type: 'local',
      tools: ['*'],
      command: 'mayday',
      args: ['gateway', '--stdio', '--config', '/home/ann/work/mayday.yaml'],
    },
  });
  expect(placed.map((one) => one.entry)).toEqual([{ command: 'node', args: ['fs.js'] }]);
});
