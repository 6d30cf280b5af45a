/** Published servers, as they are and with the two lines added: what of their failures the model gets to read. */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { redact } from '@mayday/core/redact';

type Call = readonly [method: string, params: object];

interface Published {
  readonly name: string;
  /** The file that makes the server. */
  readonly file: string;
  readonly args: (folder: string) => readonly string[];
  readonly calls: (folder: string) => readonly Call[];
}

const tool = (name: string, args: object): Call => ['tools/call', { name, arguments: args }];

/** Three servers that everybody starts from, and ways to fail that their authors thought of. */
const SERVERS: readonly Published[] = [
  {
    name: 'server-filesystem',
    file: 'index.js',
    args: (folder) => [folder],
    calls: (folder) => [
      tool('edit_file', { path: join(folder, 'a.txt'), edits: [{ oldText: 'not there', newText: 'x' }] }),
      tool('read_text_file', { path: '/etc/hosts' }),
      tool('read_text_file', { path: join(folder, 'missing.txt') }),
      tool('read_text_file', { path: join(folder, 'a.txt'), head: 1, tail: 1 }),
      tool('read_text_file', { path: folder }),
      tool('move_file', { source: join(folder, 'a.txt'), destination: join(folder, 'b.txt') }),
      tool('write_file', { path: join(folder, 'no', 'such', 'c.txt'), content: 'x' }),
      tool('list_directory', { path: join(folder, 'a.txt') }),
      tool('get_file_info', { path: join(folder, 'missing.txt') }),
    ],
  },
  {
    name: 'server-memory',
    file: 'index.js',
    args: () => [],
    calls: () => [
      tool('add_observations', { observations: [{ entityName: 'zzz', contents: ['x'] }] }),
      tool('add_observations', { observations: [{ entityName: 'Ada Lovelace', contents: ['x'] }] }),
    ],
  },
  {
    name: 'server-everything',
    file: 'server/index.js',
    args: () => ['stdio'],
    calls: () => [
      tool('get-resource-reference', { resourceType: 'Text', resourceId: -1 }),
      tool('gzip-file-as-resource', { name: 'x.gz', data: 'ftp://example.com/x', outputType: 'resource' }),
      ['resources/read', { uri: 'demo://resource/dynamic/text/nope' }],
      ['prompts/get', { name: 'resource-prompt', arguments: { resourceType: 'Text', resourceId: '-1' } }],
    ],
  },
];

const SERVER = fileURLToPath(new URL('../packages/server/src/v1.ts', import.meta.url));

/** The two lines: an import, and the call around the server. */
function withGuard(source: string): string {
  const lines = `import { guard } from ${JSON.stringify(SERVER)};\nconst guarded = (...args) => guard(new McpServer(...args));\n`;
  const [shebang, rest] = source.startsWith('#!')
    ? [source.slice(0, source.indexOf('\n') + 1), source.slice(source.indexOf('\n') + 1)]
    : ['', source];
  return `${shebang}${lines}${rest.replaceAll('new McpServer(', 'guarded(')}`;
}

/** All answers of a server, as the words that a model gets. */
async function wordsOf(entry: string, args: readonly string[], calls: readonly Call[], home: string) {
  const child = spawn(process.execPath, ['--conditions=@mayday/source', '--no-warnings', entry, ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, MEMORY_FILE_PATH: join(home, 'memory.jsonl') },
  });
  const ask = asker(child);
  const clientInfo = { name: 'bench', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const words: string[] = [];
  for (const [method, params] of calls) words.push(await ask(method, params));
  child.kill();
  return words;
}

function asker(child: ChildProcess): (method: string, params: object) => Promise<string> {
  const waiting = new Map<number, (words: string) => void>();
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('utf8')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const { id, result, error } = JSON.parse(line);
      const blocks: { text?: string }[] = result?.content ?? [];
      waiting.get(id)?.(error?.message ?? blocks.map(({ text }) => text ?? '').join('\n'));
    }
  });
  let last = 0;
  return (method, params) =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    });
}

/** Runs them both ways. True when the share of failures whose words survive is as promised. */
export async function compareServers(folder: string, promised: number): Promise<boolean> {
  let [kept, all] = [0, 0];
  for (const server of SERVERS) {
    const dist = join(placeOf(folder, server.name), 'dist');
    const guarded = `${dist}-guarded`;
    if (!existsSync(dist))
      throw new Error(`Expected @modelcontextprotocol/${server.name} to be installed in ${folder}`);
    rmSync(guarded, { recursive: true, force: true });
    cpSync(dist, guarded, { recursive: true });
    writeFileSync(join(guarded, server.file), withGuard(readFileSync(join(dist, server.file), 'utf8')));
    const home = mkdtempSync(join(tmpdir(), 'words-'));
    mkdirSync(join(home, 'files'));
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(home, 'files', name), 'hello\n');
    const files = join(home, 'files');
    const calls = server.calls(files);
    const before = await wordsOf(join(dist, 'index.js'), server.args(files), calls, home);
    const after = await wordsOf(join(guarded, 'index.js'), server.args(files), calls, home);
    for (const [at, said] of before.entries()) {
      const words = redact(said.replace(/^(?:MCP error -?\d+: )+/, '').trim()).value;
      const usable = after[at]?.includes(words) === true || isClearer(words, after[at] ?? '');
      all++;
      if (usable) kept++;
      else console.log(`${server.name}: ${JSON.stringify(said)} became ${JSON.stringify(after[at])}`);
    }
    rmSync(home, { recursive: true });
    rmSync(guarded, { recursive: true });
  }
  const share = kept / all;
  const names = SERVERS.map(({ name }) => `${name} ${versionOf(folder, name)}`).join(', ');
  console.log(`${names}, each with two lines added: ${kept} of ${all} failures keep their words`);
  return share >= promised;
}

function placeOf(folder: string, name: string): string {
  return join(folder, 'node_modules/@modelcontextprotocol', name);
}

function versionOf(folder: string, name: string): string {
  const text = readFileSync(join(placeOf(folder, name), 'package.json'), 'utf8');
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** The SDK's own refusals get words of ours, which name the field. */
function isClearer(before: string, after: string): boolean {
  return (
    /Input validation error|Invalid arguments/.test(before) && /^Invalid (?:arguments|parameters)/.test(after)
  );
}
