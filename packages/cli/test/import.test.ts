/** `mayday import` as a user has it: files of their own, and a gateway that serves what was imported. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are references of clients
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CURSOR, home, mayday, servers, withHome, work, write } from './import-files.ts';
import { PROGRAM, mayday as run, start } from './mayday.ts';

withHome();

const everything = fileURLToPath(
  new URL('../../../node_modules/.bin/mcp-server-everything', import.meta.url),
);

test('import, then the gateway from the client’s new entry, then a call', async () => {
  const file = write(
    '.cursor/mcp.json',
    JSON.stringify({
      mcpServers: {
        Everything: { command: process.execPath, args: [everything], env: { SAY: '${env:WORD}' } },
      },
    }),
  );
  expect((await mayday(['import', 'cursor'])).code).toBe(0);
  const { mayday: entry } = JSON.parse(readFileSync(file, 'utf8')).mcpServers;
  expect(entry).toEqual({
    command: process.execPath,
    args: [PROGRAM[0], 'gateway', '--stdio', '--config', join(work, 'mayday.yaml')],
    env: { WORD: '${env:WORD}' },
  });
  expect(await echo(entry.args.slice(1), { WORD: 'hello' })).toBe('Echo: two words');
});

test('a client’s file is settings of a gateway as it is', async () => {
  const file = write(
    'claude_desktop_config.json',
    `// mine\n${JSON.stringify({ mcpServers: { Everything: { command: process.execPath, args: [everything] }, gone: { type: 'websocket', url: 'http://x/ws' } } })}`,
  );
  expect(await echo(['gateway', '--stdio', '--config', file], {})).toBe('Echo: two words');
  const { code, err } = await mayday(['gateway', '--stdio', '--config', file]);
  expect([code, err]).toEqual([
    0,
    expect.stringContaining(
      `warning: ${file}:2: mcpServers.gone: Not served: servers of the type "websocket" are not supported`,
    ),
  ]);
});

test('mistakes in a client’s file are told with their lines, by the gateway too', async () => {
  const file = write('mcp.json', '{\n  "mcpServers": {\n    "a": { "command" "x" }\n  }\n}\n');
  expect(await mayday(['gateway', '--config', file])).toEqual({
    code: 2,
    out: '',
    err: `mayday: the configuration cannot be used\n${file}:3: Colon expected\n`,
  });
  expect(await mayday(['import', file])).toEqual({
    code: 2,
    out: '',
    err: `mayday: nothing was imported\n${file}:3: Colon expected\n`,
  });
  write('mcp.json', '{\n  "mcpServers": {\n    "a": { "command": "${NOT_SET}" }\n  }\n}\n');
  expect((await mayday(['gateway', '--config', file])).err).toContain(
    `${file}:3: upstreams.a.command: The environment variable NOT_SET is not set`,
  );
});

/** Calls the tool `echo` of the one server behind a gateway. */
async function echo(args: readonly string[], env: { readonly [name: string]: string }): Promise<unknown> {
  const child = start(args, { cwd: work, env: { HOME: home, ...env } });
  const asked = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'everything_echo', arguments: { message: 'two words' } } },
  ];
  for (const message of asked) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let out = '';
  for await (const chunk of child.stdout) {
    out += String(chunk);
    const answer = out.split('\n').find((line) => line.includes('"id":2'));
    if (answer === undefined) continue;
    child.kill();
    return JSON.parse(answer).result?.content?.[0]?.text;
  }
  return undefined;
}

test('more servers than a file of settings holds stay where they are', async () => {
  const server = { command: 'node', args: ['x'.repeat(600)] };
  const text = JSON.stringify({
    mcpServers: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`s${i}`, server])),
  });
  const file = write('mcp.json', text);
  const { code, err } = await mayday(['import', file]);
  expect([code, readFileSync(file, 'utf8') === text, readdirSync(work)]).toEqual([2, true, []]);
  expect(err).toContain('The file is larger than 262144 bytes');
});

test('variables that are not set here are no mistake', async () => {
  write('.cursor/mcp.json', CURSOR);
  const own =
    'keys:\n  - { name: a, key: "${KEY_A}" }\n  - { name: b, key: "${KEY_B}" }\nlisten: { port: "${PORT_C}" }\n';
  write('work/mayday.yaml', `upstreams: { z: { url: "\${BASE}/mcp" } }\n${own}`);
  expect((await mayday(['import', 'cursor', '--to', 'mayday.yaml'])).code).toBe(0);
});

test('a server that is called like a virtual one gets a name of its own', async () => {
  const file = write('mcp.json', '{"mcpServers":{"desk":{"command":"node"}}}');
  const yaml = write(
    'work/mayday.yaml',
    'upstreams: { z: { command: node } }\nvirtual: { desk: { tools: ["z/*"] } }\n',
  );
  const { code, err } = await mayday(['import', file, '--to', 'mayday.yaml']);
  expect(code).toBe(0);
  expect(err).toContain('desk: is called desk-2 here');
  expect(readFileSync(yaml, 'utf8')).toContain('desk-2:');
});

/** What a client’s file starts the gateway from. */
function settingsOf(file: string): string {
  return JSON.parse(readFileSync(file, 'utf8')).mcpServers.mayday.args.at(-1);
}

test('each client keeps the servers that it had, under their names, whoever is imported beside it', async () => {
  const cursor = write('.cursor/mcp.json', servers(['memory', 'bank'], 'of-cursor'));
  const claude = write('.config/Claude/claude_desktop_config.json', servers(['memory'], 'of-claude'));
  const project = write('work/.cursor/mcp.json', servers(['memory'], 'of-project'));
  const other = write('work/mcp.json', servers(['memory'], 'of-nobody'));
  for (const word of ['cursor', 'claude-desktop', project, other])
    expect((await mayday(['import', word])).code).toBe(0);
  expect([cursor, claude, project, other].map(settingsOf)).toEqual(
    ['mayday.yaml', 'mayday.claude-desktop.yaml', 'mayday.cursor.yaml', 'mayday.mcp.yaml'].map((name) =>
      join(work, name),
    ),
  );
  const text = (file: string): string => readFileSync(settingsOf(file), 'utf8');
  expect(text(claude)).toMatch(
    /\nupstreams:\n {2}memory:\n {4}command: node\n {4}args:\n {6}- of-claude\n {6}- memory\n$/,
  );
  expect(text(cursor)).not.toContain('of-claude');
  expect(text(project)).toContain('of-project');
  expect(text(other)).toContain('of-nobody');
});

test('what a client has new goes to its own file, wherever the import is started', async () => {
  const cursor = write('.cursor/mcp.json', servers(['memory'], 'of-cursor'));
  const claude = write('.config/Claude/claude_desktop_config.json', servers(['memory'], 'of-claude'));
  for (const word of ['cursor', 'claude-desktop']) expect((await mayday(['import', word])).code).toBe(0);
  const before = readFileSync(settingsOf(cursor), 'utf8');
  const held = JSON.parse(readFileSync(claude, 'utf8'));
  held.mcpServers.notes = { command: 'node', args: ['notes'] };
  writeFileSync(claude, JSON.stringify(held));
  const { code, err } = await run(['import', 'claude-desktop'], '', { cwd: home, env: { HOME: home } });
  expect([code, err.includes('before as well')]).toEqual([0, false]);
  expect(settingsOf(claude)).toBe(join(work, 'mayday.claude-desktop.yaml'));
  expect(Object.keys(JSON.parse(readFileSync(claude, 'utf8')).mcpServers)).toEqual(['mayday']);
  expect(readFileSync(settingsOf(claude), 'utf8')).toMatch(/ {2}memory:\n(?: {4}.*\n)+ {2}notes:/);
  expect(readFileSync(settingsOf(cursor), 'utf8')).toBe(before);
});

test('a file that somebody wrote is added to with --to alone, and what the client gets besides is told', async () => {
  const own = 'upstreams:\n  shop: { command: node }\n  bank: { command: node }\n';
  const file = write('.cursor/mcp.json', servers(['memory'], 'x'));
  const yaml = write('work/mayday.yaml', own);
  const dry = await mayday(['import', 'cursor', '--dry-run', '--to', 'mayday.yaml']);
  expect([dry.code, dry.out.startsWith(own)]).toEqual([0, true]);
  expect(dry.err).toContain(`Cursor gets what was in ${yaml} before as well: shop, bank\n`);
  expect((await mayday(['import', 'cursor'])).code).toBe(0);
  expect(settingsOf(file)).toBe(join(work, 'mayday.cursor.yaml'));
  expect(readFileSync(yaml, 'utf8')).toBe(own);
});

test('a file that cannot be changed here is imported once, too', async () => {
  const list = '{"experimental":{"modelContextProtocolServers":[{"name":"a","command":"node"}]}}';
  write('.continue/config.json', list);
  for (const expected of [['mayday.yaml'], ['mayday.yaml']]) {
    expect((await mayday(['import', 'continue'])).code).toBe(0);
    expect(readdirSync(work)).toEqual(expected);
  }
});

test('at home, the file that is imported is not named among those that are not', async () => {
  const file = write('.cursor/mcp.json', CURSOR);
  const { code, err } = await run(['import', 'cursor', '--to', join(work, 'm.yaml')], '', {
    cwd: home,
    env: { HOME: home },
  });
  expect([code, JSON.parse(readFileSync(file, 'utf8')).mcpServers.github]).toEqual([0, undefined]);
  expect(err).not.toContain('not imported');
});

test('without a word, the clients of this machine are listed', async () => {
  expect((await mayday(['import'])).code).toBe(1);
  const cursor = write('.cursor/mcp.json', CURSOR);
  const zed = write('.config/zed/settings.json', '{ "theme": "x" }');
  const code = write('work/.vscode/mcp.json', '{ nonsense');
  expect(await mayday(['import'])).toEqual({
    code: 0,
    out: `cursor  ${cursor}  (1 server)\nvscode  ${code}  (cannot be read)\nzed     ${zed}  (0 servers)\n`,
    err: '',
  });
});

test.each([
  [['cursr'], 'there is no file "cursr" and no client of that name; did you mean cursor?'],
  [['codex'], 'TOML, as Codex keeps its servers, is not read; write them into mayday.yaml yourself'],
  [['a', 'b'], 'one file or client at a time; import them one after the other'],
  [['--dryrun'], '`mayday import` has no flag --dryrun; did you mean --dry-run?'],
])('%j is wrong usage', async (args, sentence) => {
  expect(await mayday(['import', ...args])).toEqual({ code: 2, out: '', err: `mayday: ${sentence}\n` });
});

test('a client without a file is told where it was looked for', async () => {
  const { code, err } = await mayday(['import', 'Claude Desktop']);
  expect([code, err]).toEqual([
    2,
    `mayday: Claude Desktop has no file on this machine; looked for\n  ${join(home, '.config/Claude/claude_desktop_config.json')}\n`,
  ]);
});

test.each([
  ['nothing', '', 2],
  ['null', 'null', 1],
  ['a list', '[]', 1],
  ['no servers', '{"mcpServers": {}}', 1],
  ['servers of a wrong type', '{"mcpServers": 5}', 1],
  ['not UTF-8', Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 2],
  ['UTF-16', Buffer.from('\uFEFF{"mcpServers":{"a":{"command":"x"}}}', 'utf16le'), 2],
  ['too deep', `{"mcpServers":${'['.repeat(200_000)}`, 2],
  ['deep', `{"mcpServers":{"a":{"command":"x","env":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}}}`, 2],
  ['too large', `{"mcpServers":{}${' '.repeat(17 * 1024 * 1024)}}`, 2],
  [
    'too many',
    JSON.stringify({
      mcpServers: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`s${i}`, { command: 'x' }])),
    }),
    2,
  ],
  ['the same name twice', '{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}', 2],
  ['cut off', '{"mcpServers":{"a":{"command":"x"', 2],
  ['only what stays', '{"mcpServers":{"a":5,"b":{},"c":{"command":"x","args":"y"}}}', 1],
])('%s changes nothing and is no bug', async (_name, text, expected) => {
  const file = write('mcp.json', text);
  const { code, out, err } = await mayday(['import', file]);
  expect([code, out]).toEqual([expected, '']);
  expect(err.split('\n').length).toBeLessThan(10);
  expect(err).toContain(file);
  expect(readFileSync(file).equals(Buffer.from(text))).toBe(true);
  expect(existsSync(join(work, 'mayday.yaml'))).toBe(false);
});

test('names of objects’ own members, byte order marks and line ends stay what they are', async () => {
  const text =
    '\uFEFF{\r\n  "mcpServers": {\r\n    "__proto__": { "command": "x", "env": { "__proto__": "1", "constructor": "2" } }\r\n  }\r\n}\r\n';
  const file = write('mcp.json', text);
  expect((await mayday(['import', file])).code).toBe(0);
  const now = readFileSync(file, 'utf8');
  expect(now.startsWith('\uFEFF{\r\n  "mcpServers": {\r\n    "mayday": {\r\n')).toBe(true);
  expect(now.replaceAll('\r\n', '')).not.toContain('\n');
  expect(readFileSync(join(work, 'mayday.yaml'), 'utf8')).toMatch(
    /upstreams:\n {2}proto:\n {4}command: x\n {4}env:\n {6}__proto__: "1"\n {6}constructor: "2"\n$/,
  );
});

test('a file that the client starts from and that is gone is told', async () => {
  const file = write('.cursor/mcp.json', CURSOR);
  await mayday(['import', 'cursor']);
  const yaml = join(work, 'mayday.yaml');
  rmSync(yaml);
  const { err } = await mayday(['import', 'cursor']);
  expect(err).toBe(
    `nothing to import: Cursor starts the gateway already, and nothing else that it can serve\n${yaml}, which it starts from, is gone; bring it back, or the copy of ${file}\n`,
  );
});
