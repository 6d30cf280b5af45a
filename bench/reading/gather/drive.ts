/**
 * Drives one installed server and prints what it answers, one line each: bad input, no credentials, no network, and an
 * upstream with every status. Runs as the first process of namespaces of its own, without a network: see `main.ts`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { badChoice, type Schema, valid, wrongTypes } from './arguments.ts';
import { type Mode, startUpstream } from './upstream.ts';

interface Tool {
  readonly name: string;
  readonly inputSchema?: Schema;
  readonly annotations?: unknown;
}

interface Answer {
  readonly id?: number;
  readonly error?: unknown;
  readonly result?: {
    readonly tools?: readonly Tool[];
    readonly capabilities?: { readonly [name: string]: unknown };
  };
}

const NOBODY = 65_534;
/** Of util-linux: starts a program with the rights of another user. */
const SETPRIV = '/usr/bin/setpriv';
const START_MS = 60_000;
const CALL_MS = 12_000;
const TOOLS = 8;
/** What every key is set to. */
const VALUE = 'example0123456789abcdef01234567';
const MODE_FILE = '/tmp/mode';
const STATUSES: readonly Mode[] = [
  '400',
  '401',
  '402',
  '403',
  '404',
  '409',
  '422',
  '429',
  '500',
  '502',
  '503',
  '504',
  'html200',
  'badjson',
  'reset',
  'refused',
];

const [, , root = '', name = '', form = '0'] = process.argv;
const folder = join(root, 'node_modules', name);
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  readonly bin?: string | { readonly [name: string]: string };
};

function entry(): string {
  const { bin } = manifest;
  if (typeof bin === 'string') return join(folder, bin);
  const all = Object.entries(bin ?? {});
  const [, path] = all.find(([key]) => name.endsWith(key)) ??
    all.find(([key]) => key.includes('mcp')) ??
    all[0] ?? ['', ''];
  return join(folder, path);
}

/** The environment variables that a package's own sources name. */
function variables(): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (path: string, depth: number): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory() && entry.name !== 'node_modules' && depth < 6) look(inner, depth + 1);
      else if (/\.[cm]?js$/.test(entry.name) && statSync(inner).size < 3e6)
        for (const { 1: plain, 2: quoted } of readFileSync(inner, 'utf8').matchAll(
          /\benv(?:\.([A-Z][A-Z0-9_]{2,60})\b|\[["']([A-Z][A-Z0-9_]{2,60})["']\])/g,
        ))
          found.add(plain ?? quoted ?? '');
    }
  };
  look(folder, 0);
  return found;
}

const NOT_OURS =
  /^(?:PATH|HOME|USER|PWD|SHELL|TERM|CI|NODE_|npm_|XDG|LANG|LC_|TZ|TMP|TEMP|DEBUG|LOG|VITEST|JEST|APPDATA|LOCALAPPDATA|PORT$|.*(?:_PORT|_PROXY|TRANSPORT|_MODE|ENABLE\w*|DISABLE\w*|LEVEL|TIMEOUT\w*|_MS|DEBUG|VERBOSE|READ_?ONLY|MAX_\w+|LIMIT|NO_COLOR|FORCE_COLOR)$)/i;

/** Values of the right shape that open no door. */
function credentials(): { readonly [name: string]: string } {
  const entries = [...variables()]
    .filter((variable) => !NOT_OURS.test(variable))
    .flatMap((variable) => {
      if (/(?:URL|URI|ENDPOINT|BASE|ORIGIN|SERVER)$/.test(variable))
        return [[variable, 'http://upstream.example']];
      if (/(?:HOST|DOMAIN|HOSTNAME|INSTANCE|SITE)$/.test(variable)) return [[variable, 'upstream.example']];
      if (/EMAIL/.test(variable)) return [[variable, 'alice@example.com']];
      if (
        /KEY|TOKEN|SECRET|PASS|PAT$|AUTH|CRED|_ID$|^.*ID$|USER|ACCOUNT|WORKSPACE|TEAM|ORG|PROJECT|REGION/.test(
          variable,
        )
      )
        return [[variable, VALUE]];
      return [];
    });
  return Object.fromEntries(entries) as { readonly [name: string]: string };
}

/** One running server. */
class Running {
  readonly child: ChildProcess;
  readonly waiting = new Map<number, (answer: Answer) => void>();
  isOver = false;
  next = 1;

  constructor(environment: { readonly [name: string]: string }) {
    const home = `/tmp/home-${Math.random().toString(36).slice(2)}`;
    mkdirSync(home);
    chownSync(home, NOBODY, NOBODY);
    this.child = spawn(
      SETPRIV,
      [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', process.execPath, entry()],
      {
        cwd: home,
        stdio: ['pipe', 'pipe', 'ignore'],
        env: {
          PATH: '/usr/bin:/bin',
          HOME: home,
          NODE_OPTIONS: `--require ${resolve(import.meta.dirname, 'preload.cjs')}`,
          NODE_TLS_REJECT_UNAUTHORIZED: '0',
          NODE_NO_WARNINGS: '1',
          GATHER_MODE_FILE: MODE_FILE,
          ...environment,
        },
      },
    );
    this.child.stdin?.on('error', () => undefined);
    this.child.on('exit', () => {
      this.isOver = true;
      for (const done of this.waiting.values()) done({});
    });
    createInterface({ input: this.child.stdout as NonNullable<ChildProcess['stdout']> }).on(
      'line',
      (line) => {
        try {
          const answer = JSON.parse(line) as Answer;
          if (answer.id !== undefined) this.waiting.get(answer.id)?.(answer);
        } catch {
          // what a server prints beside the protocol
        }
      },
    );
  }

  request(method: string, params: unknown, limit = CALL_MS): Promise<Answer | undefined> {
    const id = this.next++;
    if (this.isOver) return Promise.resolve(undefined);
    return new Promise((done) => {
      const finish = (answer: Answer | undefined): void => {
        clearTimeout(timer);
        this.waiting.delete(id);
        done(answer?.id === undefined ? undefined : answer);
      };
      const timer = setTimeout(() => finish(undefined), limit);
      this.waiting.set(id, finish);
      this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }
}

function record(kase: string, wire: Answer | undefined): void {
  if (wire === undefined) return;
  const { result } = wire as { readonly result?: { readonly isError?: boolean } };
  const line = JSON.stringify({ case: kase, wire })
    .replaceAll(root, '/srv/app')
    .replaceAll(/\/tmp\/home-\w+/g, '/home/alice')
    .replaceAll(VALUE, 'EXAMPLE');
  if (line.length < 3000 || result === undefined) process.stdout.write(`${line.slice(0, 20_000)}\n`);
}

interface Started {
  readonly server: Running;
  readonly tools: readonly Tool[];
  readonly capabilities: { readonly [name: string]: unknown };
}

async function start(environment: { readonly [name: string]: string }): Promise<Started | undefined> {
  const server = new Running(environment);
  const hello = await server.request(
    'initialize',
    { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'gather', version: '1.0.0' } },
    START_MS,
  );
  if (hello?.result === undefined) {
    record('initialize', hello);
    server.child.kill('SIGKILL');
    return undefined;
  }
  server.child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const list = await server.request('tools/list', {});
  const tools = list?.result?.tools ?? [];
  if (list !== undefined && tools.length === 0) record('tools_list', list);
  return { server, tools, capabilities: hello.result.capabilities ?? {} };
}

/** Spread over the list, since neighbours are alike; readers first, since they need no state. */
function chosen(tools: readonly Tool[]): readonly Tool[] {
  const step = Math.max(1, Math.floor(tools.length / TOOLS));
  return tools.filter((_, at) => at % step === 0).slice(0, TOOLS);
}

const schemaOf = (tool: Tool): Schema => tool.inputSchema ?? {};

async function boundary({ server, capabilities }: Started): Promise<void> {
  record('unknown_tool', await server.request('tools/call', { name: 'no_such_tool', arguments: {} }));
  if ('resources' in capabilities)
    record(
      'resources_read_bogus',
      await server.request('resources/read', { uri: 'nowhere://no/such/thing' }),
    );
  if ('prompts' in capabilities)
    record('prompts_get_bogus', await server.request('prompts/get', { name: 'no_such_prompt' }));
}

async function badInput({ server, tools }: Started): Promise<void> {
  for (const tool of chosen(tools).slice(0, 5)) {
    const schema = schemaOf(tool);
    const call = (given: unknown): Promise<Answer | undefined> =>
      server.request('tools/call', { name: tool.name, arguments: given });
    if ((schema.required ?? []).length > 0) record(`no_args#${tool.name}`, await call({}));
    const wrong = wrongTypes(schema);
    if (wrong !== undefined) record(`wrong_types#${tool.name}`, await call(wrong));
    const choice = badChoice(schema);
    if (choice !== undefined) record(`bad_enum#${tool.name}`, await call(choice));
  }
}

function call(server: Running, tool: Tool): Promise<Answer | undefined> {
  return server.request('tools/call', { name: tool.name, arguments: valid(schemaOf(tool)) });
}

async function main(): Promise<void> {
  const upstream = await startUpstream(
    Number(form),
    join(root, '..', 'key.pem'),
    join(root, '..', 'cert.pem'),
  );
  const become = async (mode: Mode): Promise<void> => {
    writeFileSync(MODE_FILE, mode === 'offline' ? 'offline' : 'here');
    await upstream.mode(mode);
  };
  await become('offline');
  const known = credentials();
  const bare = await start({});
  if (bare !== undefined) {
    await boundary(bare);
    for (const tool of chosen(bare.tools).slice(0, 3))
      record(`valid#${tool.name}`, await call(bare.server, tool));
  }
  let started = bare;
  if (Object.keys(known).length > 0) {
    bare?.server.child.kill('SIGKILL');
    started = await start(known);
    if (started === undefined) {
      // Some ask their upstream before they answer.
      await become('404');
      started = await start(known);
    }
    if (started !== undefined && bare === undefined) await boundary(started);
  }
  if (started === undefined) return;
  const { server, tools } = started;
  await badInput(started);
  await become('offline');
  for (const tool of chosen(tools).slice(0, 3))
    record(`valid@offline#${tool.name}`, await call(server, tool));
  const asking: Tool[] = [];
  for (const tool of chosen(tools)) {
    await become('404');
    const answer = await call(server, tool);
    if (upstream.hits() > 0 && answer !== undefined) asking.push(tool);
    if (asking.length === 2) break;
  }
  if (asking.length === 0) return;
  for (const mode of STATUSES) {
    await become(mode);
    await Promise.all(
      asking.map(async (tool) => {
        const before = upstream.hits();
        const answer = await call(server, tool);
        if (mode === 'refused' || upstream.hits() > before) record(`valid@${mode}#${tool.name}`, answer);
      }),
    );
  }
}

const limit = setTimeout(() => process.exit(0), 240_000);
limit.unref();
await main();
process.exit(0);
