/**
 * Gathers failures of published npm servers: `npm run gather -- NAMES.txt OUT.jsonl [FOLDER]`.
 *
 * One server at a time is installed into a folder outside of the repository, without its install scripts, and driven in
 * namespaces of its own: no network but the harness's, no rights, nothing of this machine's homes to see. Linux, as root.
 * What comes out has no labels: see `docs/reading.md`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

interface Ran {
  readonly code: number;
  readonly stdout: string;
}

function run(file: string, words: readonly string[], limit: number, cwd?: string): Promise<Ran> {
  return new Promise((done) => {
    const child = execFile(
      file,
      [...words],
      { cwd, timeout: limit, killSignal: 'SIGKILL', maxBuffer: 64e6 },
      (error, stdout) => done({ code: error === null ? 0 : 1, stdout }),
    );
    child.stdin?.end();
  });
}

const [, , list = '', out = '', folder = '/var/tmp/mayday-gather'] = process.argv;
if (list === '' || out === '') {
  console.error('Usage: npm run gather -- NAMES.txt OUT.jsonl [FOLDER]');
  process.exit(2);
}

/** What every server sees: node, and this harness. */
async function prepare(): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  copyFileSync(process.execPath, join(folder, 'node'));
  cpSync(import.meta.dirname, join(folder, 'harness'), { recursive: true });
  if (!existsSync(join(folder, 'key.pem')))
    await run(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        '30',
        '-subj',
        '/CN=upstream.example',
        '-keyout',
        join(folder, 'key.pem'),
        '-out',
        join(folder, 'cert.pem'),
      ],
      60_000,
    );
}

const AT_ONCE = 4;
const BATCH = 4;

const HIDDEN = ['/tmp', '/work', '/root', '/home'].map(
  (path) => `[ ! -d ${path} ] || mount -t tmpfs -o mode=1777 none ${path}`,
);

/** Several at once share what they have in common, which is most of it. */
async function install(names: readonly string[], root: string): Promise<boolean> {
  mkdirSync(root, { recursive: true, mode: 0o755 });
  writeFileSync(join(root, 'package.json'), '{"private": true}');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', '--loglevel=error', '--force'];
  const { code } = await run('npm', ['install', ...names, ...flags], 400_000, root);
  return code === 0;
}

function sdkOf(root: string, name: string): string {
  for (const [path, label] of [
    ['@modelcontextprotocol/sdk', 'ts-sdk'],
    ['@modelcontextprotocol/server', 'ts-sdk-v2(server)'],
  ] as const)
    for (const above of [join(root, 'node_modules', name), root]) {
      const manifest = join(above, 'node_modules', path, 'package.json');
      if (existsSync(manifest))
        return `${label}@${(JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version}`;
    }
  return 'bundled-or-other';
}

async function drive(name: string, root: string): Promise<void> {
  const server = serverOf(name);
  const form = createHash('sha256').update(server).digest()[0] ?? 0;
  const script = [
    'ip link set lo up',
    ...HIDDEN,
    `exec ${join(folder, 'node')} ${join(folder, 'harness/drive.ts')} "$@"`,
  ];
  const apart = [
    '-n',
    '-m',
    '-p',
    '-f',
    '--kill-child',
    '--mount-proc',
    'sh',
    '-c',
    script.join('; '),
    'drive',
  ];
  const { stdout } = await run('unshare', [...apart, root, name, String(form)], 260_000);
  const sdk = sdkOf(root, name);
  const lines = stdout.split('\n').filter((line) => line.endsWith('}'));
  for (const line of lines)
    appendFileSync(out, `${JSON.stringify({ server, sdk, ...(JSON.parse(line) as object) })}\n`);
  console.log(`${name}: ${lines.length} answers`);
}

function serverOf(name: string): string {
  return name.replace(/^@/, '').replace('/', '_');
}

await prepare();
const names = readFileSync(list, 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => line !== '' && !line.startsWith('#'));
const driving = new Set<Promise<void>>();

async function driveAll(batch: readonly string[], root: string): Promise<void> {
  for (const name of batch) {
    while (driving.size >= AT_ONCE) await Promise.race(driving);
    const driven = drive(name, root)
      .catch((error: unknown) => console.log(`${name}: ${String(error)}`))
      .then(() => void driving.delete(driven));
    driving.add(driven);
  }
  await Promise.all(driving);
  rmSync(root, { recursive: true, force: true });
}

/** What cannot be installed together is installed alone. */
async function installed(batch: readonly string[], root: string): Promise<readonly string[]> {
  if (await install(batch, root)) return batch;
  rmSync(root, { recursive: true, force: true });
  const alone: string[] = [];
  for (const name of batch.length > 1 ? batch : [])
    if (await install([...alone, name], root)) alone.push(name);
    else console.log(`${name}: not installed`);
  return alone;
}

// While one batch is driven, which is mostly waiting, the next one is installed.
let before: Promise<void> = Promise.resolve();
for (let at = 0; at < names.length; at += BATCH) {
  const root = join(folder, `batch-${at}`);
  const batch = await installed(names.slice(at, at + BATCH), root);
  await before;
  before = driveAll(batch, root);
}
await before;
