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
