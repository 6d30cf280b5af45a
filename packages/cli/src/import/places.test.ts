import { expect, test } from 'vitest';
import { CLIENTS } from './clients.ts';
import { clientAt, filesOf, type Machine } from './places.ts';

const LINUX: Machine = { platform: 'linux', home: '/home/ann', cwd: '/w', env: {} };
const MAC: Machine = { platform: 'darwin', home: '/Users/ann', cwd: '/w', env: { XDG_CONFIG_HOME: '/x' } };
const WINDOWS: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\ann',
  cwd: 'C:\\w',
  env: { APPDATA: 'C:\\Users\\ann\\AppData\\Roaming' },
};

test.each([
  ['claude-desktop', LINUX, '/home/ann/.config/Claude/claude_desktop_config.json'],
  ['claude-desktop', MAC, '/Users/ann/Library/Application Support/Claude/claude_desktop_config.json'],
  ['claude-desktop', WINDOWS, 'C:\\Users\\ann\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
  ['vscode', MAC, '/Users/ann/Library/Application Support/Code/User/mcp.json'],
  ['vscode', WINDOWS, 'C:\\Users\\ann\\AppData\\Roaming\\Code\\User\\mcp.json'],
  ['zed', MAC, '/Users/ann/.config/zed/settings.json'],
  ['zed', { ...LINUX, env: { XDG_CONFIG_HOME: '/x' } }, '/x/zed/settings.json'],
  ['zed', WINDOWS, 'C:\\Users\\ann\\AppData\\Roaming\\Zed\\settings.json'],
  ['cursor', WINDOWS, 'C:\\Users\\ann\\.cursor\\mcp.json'],
  ['windsurf', WINDOWS, 'C:\\Users\\ann\\.codeium\\windsurf\\mcp_config.json'],
] as const)('%s keeps its servers where its documentation says', (id, machine, path) => {
  const client = CLIENTS.find((item) => item.id === id);
  expect(client === undefined ? undefined : filesOf(client, machine)[0]).toBe(path);
  expect(clientAt(path, machine)).toEqual({ client, root: undefined });
});

test.each([
  ['/home/ann/shop/.vscode/mcp.json', 'vscode', '/home/ann/shop'],
  ['/home/ann/shop/.cursor/mcp.json', 'cursor', '/home/ann/shop'],
  ['/home/ann/shop/.mcp.json', 'claude-code', '/home/ann/shop'],
  ['/.mcp.json', 'claude-code', '/'],
])('%s is the file of a project', (path, id, root) => {
  const known = clientAt(path, LINUX);
  expect([known?.client.id, known?.root]).toEqual([id, root]);
});

test('a file of nobody is nobody’s', () => {
  expect(clientAt('/home/ann/mcp.json', LINUX)).toBeUndefined();
});
