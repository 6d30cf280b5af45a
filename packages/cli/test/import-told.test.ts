// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of clients
/** What an import tells of an entry is what is lost with it, and nothing else. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { mayday } from './mayday.ts';

async function told(entry: object): Promise<string> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'mayday-home-')));
  const file = join(home, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { one: entry } }));
  const run = { cwd: home, env: { HOME: home } };
  return (await mayday(['import', file, '--dry-run', '--offline'], '', run)).err;
}

test('an empty list of approvals and a flag that is off are not lost', async () => {
  const err = await told({ command: 'x', alwaysAllow: [], trust: false, autoApprove: ['read'] });
  expect(err).toContain('"autoApprove" is left out');
  expect(err).not.toMatch(/"alwaysAllow" is|"trust" is/);
});

test('a placeholder for each user is named, for nobody fills it in', async () => {
  const err = await told({ url: 'https://a.example/mcp', headers: { 'X-User': '{{LIBRECHAT_USER_ID}}' } });
  expect(err).toContain(
    'one: headers has {{LIBRECHAT_USER_ID}}, which is for each user of the client and stays as it is here',
  );
});

test.each([
  [{ command: 7 }, 'one: stays where it is: its command is no text'],
  [{ command: true, args: [] }, 'one: stays where it is: its command is no text'],
  [{ url: 7 }, 'one: stays where it is: its url is no text'],
])('what is no command and no address is not made one: %j', async (entry, line) => {
  expect(await told(entry)).toContain(line);
});

test('of a dry run, nothing is said to be written', async () => {
  const err = await told({ command: 'x', env: { TOKEN: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789' } });
  expect(err).toMatch(/secrets would be in .*mayday\.yaml too: upstreams\.one\.env\.TOKEN/);
});

test('what an entry gives to its server itself is needed from nobody', async () => {
  const err = await told({
    command: 'npx',
    args: [
      '-y',
      'mcp-remote',
      'https://x.example/sse',
      '--header',
      'Authorization:${AUTH_HEADER}',
      '${OTHER}',
    ],
    env: { AUTH_HEADER: 'Bearer abc' },
  });
  expect(err).toMatch(/needed in the environment[^\n]*OTHER/);
  expect(err).not.toContain('"AUTH_HEADER": "${AUTH_HEADER}"');
  expect(err).not.toMatch(/needed in the environment[^\n]*AUTH_HEADER/);
});

test('what an entry has of the client’s environment is another than what it gives to its server by that name', async () => {
  const err = await told({
    command: 'npx',
    args: ['--theirs', '${env:API_KEY}', '--own', '${API_KEY}', '--path', '${HOME}'],
    env: { API_KEY: 'own words', HOME: '${HOME}' },
  });
  expect(err).toMatch(/- \$\{API_KEY_2\}\n.*- --own\n.*- \$\{API_KEY\}\n.*- --path\n.*- \$\{CLIENT_HOME\}/);
  expect(err).toContain('"API_KEY_2": "${env:API_KEY}"');
});

test('how long clients wait for servers that are slow to start is told, where there are some', async () => {
  const line = /servers that are slow to start have 8 s .*joined\.start_timeout_ms in .*mayday\.yaml/;
  expect(await told({ command: 'x' })).toMatch(line);
  expect(await told({ url: 'https://a.example/mcp' })).not.toMatch(line);
});

/** What is told where a client of this name has one server, and these variables are set. */
async function toldFor(client: string, path: string, entry: object, env: { [name: string]: string }) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'mayday-home-')));
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), JSON.stringify({ mcpServers: { one: entry } }));
  const { err } = await mayday(['import', client, '--dry-run', '--offline'], '', {
    cwd: home,
    env: { ...env, HOME: home },
  });
  return err;
}

const SET = {
  GITHUB_TOKEN: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  AWS_PROFILE: 'work',
  DOCKER_HOST: 'unix:///x',
  TMPDIR: tmpdir(),
  EDITOR: 'vi',
};
const ALL = 'Claude Code lets servers see its whole environment';

test('servers that saw the whole environment of their client see less, which is told with names', async () => {
  const entry = { command: 'x', env: { DOCKER_HOST: 'unix:///y' } };
  const err = await toldFor('claude-code', '.claude.json', entry, SET);
  const line = err.split('\n').find((one) => one.startsWith(ALL));
  expect(line).toContain('set here: AWS_PROFILE, GITHUB_TOKEN;');
  expect(err).not.toContain('ghp_');
});

test('nobody is told so where nothing is lost', async () => {
  const url = { url: 'https://a.example/mcp' };
  expect(await toldFor('claude-code', '.claude.json', url, SET)).not.toContain('whole environment');
  const cursor = await toldFor('cursor', '.cursor/mcp.json', { command: 'x' }, SET);
  expect(cursor).not.toContain('whole environment');
});
