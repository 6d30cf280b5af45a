/** `mayday import --undo`: the client’s file as it was before, and nothing that was written since is lost unasked. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CURSOR, home, mayday, SECRET, servers, withHome, work, write } from './import-files.ts';

withHome();

const beside = (file: string): string[] =>
  readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.`));
const text = (file: string): string => readFileSync(file, 'utf8');

test('gives the file back byte for byte, shows the difference without secrets, and uses the copy up', async () => {
  const before = `\uFEFF// mine\r\n${CURSOR.replace('{', '{\r\n')}`;
  const file = write('.cursor/mcp.json', before, 0o640);
  await mayday(['import', 'cursor', '--offline']);
  const imported = text(file);
  const { code, out, err } = await mayday(['import', '--undo', 'cursor']);
  expect([code, out]).toEqual([0, '']);
  expect(text(file)).toBe(before);
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(err).toMatch(/^ {2}-.*"mayday"/m);
  expect(err).toMatch(/^ {2}\+.*"github"/m);
  expect(err).not.toContain(SECRET);
  const [undone = '', ...more] = beside(file);
  expect([undone, more]).toEqual([expect.stringMatching(/^mcp\.json\.undone-\d{8}T\d{6}Z$/), []]);
  expect(text(join(dirname(file), undone))).toBe(imported);
  const yaml = join(work, 'mayday.yaml');
  expect(existsSync(yaml)).toBe(true);
  expect(err).toContain(`Cursor does not start from ${yaml} any more`);
});

test('of several imports the last is undone first, and then the one before', async () => {
  const file = write('mcp.json', servers(['a'], 'x'));
  const states = [text(file)];
  for (const name of ['b', 'c']) {
    await mayday(['import', file]);
    const value = JSON.parse(text(file)) as { mcpServers: { [name: string]: unknown } };
    value.mcpServers[name] = { command: 'node', args: [name] };
    writeFileSync(file, JSON.stringify(value));
    states.push(text(file));
  }
  await mayday(['import', file]);
  // Nothing was written since the last one; before it, each time another server was.
  for (const [state, ...forced] of [[states[2]], [states[1], '--force'], [states[0], '--force']]) {
    const { code } = await mayday(['import', '--undo', ...forced.map(String), file]);
    expect([code, text(file)]).toEqual([0, state]);
  }
  const { code, err } = await mayday(['import', '--undo', file]);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('has no copy that an import made; nothing to undo'),
  ]);
});

test.each([
  [
    'another setting, and a comment',
    (now: string) => now.replace('{', '{"theme": "dark", // mine\n'),
    '"theme" is different, too',
  ],
  [
    'another setting, and a trailing comma',
    (now: string) => now.replace('{', '{"theme": "dark",').replace(/\}\s*$/, ',}'),
    'it has comments or trailing commas, which would be lost if only its servers were given back',
  ],
  [
    'another argument of the gateway, and another server',
    (now: string) =>
      now.replace('"--stdio"', '"--stdio", "--verbose"').replace('"mayday":', '"n": {}, "mayday":'),
    '"n"',
  ],
  [
    'another server',
    (now: string) => now.replace('"mayday":', '"new": {"command": "n"}, "mayday":'),
    '"new"',
  ],
  ['a comment', (now: string) => `// mine\n${now}`, 'it has comments or trailing commas'],
  ['no JSON any more', () => '{', ''],
])('a file that was changed since is left alone, unless it is forced: %s', async (_, change, told) => {
  const file = write('.cursor/mcp.json', CURSOR);
  await mayday(['import', 'cursor', '--offline']);
  const changed = change(text(file));
  writeFileSync(file, changed);
  const refused = await mayday(['import', '--undo', 'cursor']);
  expect([refused.code, text(file)]).toEqual([2, changed]);
  expect(refused.err).toContain(`${file} was changed since; nothing was changed`);
  expect(refused.err).toContain(told);
  const forced = await mayday(['import', '--undo', '--force', 'cursor']);
  expect([forced.code, text(file)]).toEqual([0, CURSOR]);
  const [undone = ''] = beside(file);
  expect(text(join(dirname(file), undone))).toBe(changed);
});

test.each([
  ['cline', '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'],
  ['zed', '.config/zed/settings.json'],
  ['gemini-cli', '.gemini/settings.json'],
  ['continue', '.continue/config.yaml'],
  ['amazon-q', '.aws/amazonq/mcp.json'],
  ['vscode', '.config/Code/User/mcp.json'],
])('knows what an import does to the file of %s', async (id, path) => {
  const before = text(join(import.meta.dirname, `golden/import/${id}.before.txt`));
  const file = write(path, before);
  expect((await mayday(['import', id, '--offline'])).code).toBe(0);
  expect(text(file)).not.toBe(before);
  const { code } = await mayday(['import', '--undo', id]);
  expect([code, text(file)]).toEqual([0, before]);
});

test('what the client itself has written since stays, where the entries are as the import left them', async () => {
  const servers = { github: { type: 'stdio', command: 'npx', args: ['server-github'] } };
  const state = (numStartups: number, mcpServers: object) => ({ numStartups, mcpServers, projects: {} });
  const file = write('.claude.json', JSON.stringify(state(1, servers), undefined, 2));
  await mayday(['import', 'claude-code', '--offline']);
  const imported = JSON.parse(text(file)) as { mcpServers: object };
  expect(Object.keys(imported.mcpServers)).toEqual(['mayday']);
  writeFileSync(file, JSON.stringify(state(2, imported.mcpServers)));
  const { code, err } = await mayday(['import', '--undo', 'claude-code']);
  expect([code, JSON.parse(text(file))]).toEqual([0, state(2, servers)]);
  expect(err).toContain('"numStartups" is different, too, and stays');
  expect(beside(file)).toEqual([expect.stringMatching(/^\.claude\.json\.undone-/)]);
});

test.each([
  ['the entry of the gateway as it was', {}],
  ['more that it passes on', { headers: { authorization: `Bearer \${LATER_TOKEN}` } }],
])('a second import is undone alone, whatever it found: %s', async (_, more) => {
  const file = write('.cursor/mcp.json', CURSOR);
  await mayday(['import', 'cursor', '--offline']);
  const value = JSON.parse(text(file)) as { mcpServers: { [name: string]: unknown } };
  value.mcpServers['later'] = { url: 'https://later.example/mcp', ...more };
  const before = `${JSON.stringify(value, undefined, 2)}\n`;
  writeFileSync(file, before);
  expect((await mayday(['import', 'cursor', '--offline'])).code).toBe(0);
  expect(Object.keys((JSON.parse(text(file)) as typeof value).mcpServers)).not.toContain('later');
  const { code, err } = await mayday(['import', '--undo', 'cursor']);
  expect([code, text(file)]).toEqual([0, before]);
  expect(err).toContain(`later: also in ${join(work, 'mayday.yaml')}, which the client still starts from`);
});

test('a dry run changes nothing, and a file that is as it was needs nothing', async () => {
  const file = write('.cursor/mcp.json', CURSOR);
  await mayday(['import', 'cursor', '--offline']);
  const imported = text(file);
  const dry = await mayday(['import', '--undo', '--dry-run', 'cursor']);
  expect([dry.code, dry.out, text(file), beside(file).length]).toEqual([0, '', imported, 1]);
  writeFileSync(file, CURSOR);
  const { code, err } = await mayday(['import', '--undo', 'cursor']);
  expect([code, text(file)]).toEqual([0, CURSOR]);
  expect(err).toContain('is as it was before the import');
});

test('links are followed, and of several files of a client that one is meant that was imported', async () => {
  const real = write('dotfiles/mcp.json', CURSOR);
  mkdirSync(join(home, '.cursor'));
  symlinkSync(real, join(home, '.cursor/mcp.json'));
  const project = write('work/.cursor/mcp.json', servers(['a'], 'x'));
  await mayday(['import', project]);
  expect((await mayday(['import', '--undo', 'cursor'])).code).toBe(0);
  expect([text(real), text(project)]).toEqual([CURSOR, servers(['a'], 'x')]);
});

test('says what it cannot do', async () => {
  const file = write('.cursor/mcp.json', CURSOR);
  for (const [args, why] of [
    [['--undo'], 'name the client or the file whose import is to be undone'],
    [['--undo', '--to', 'x.yaml', file], '--to'],
    [['--force', file], '--force'],
  ] as const) {
    const { code, err } = await mayday(['import', ...args]);
    expect([code, err]).toEqual([2, expect.stringContaining(why)]);
  }
  expect(text(file)).toBe(CURSOR);
});
