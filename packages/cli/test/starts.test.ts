/** What a command loads before it does anything: nobody waits for what the others need. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inProcess } from './mayday.ts';

/** Tells at the end what was loaded: the modules of Node by name, files by URL. */
const PROBE = `
  import { registerHooks } from 'node:module';
  const files = [];
  registerHooks({
    load(url, context, next) {
      files.push(url);
      return next(url, context);
    },
  });
  process.on('exit', () => process.stderr.write('\\nLOADED ' + [...files, ...process.moduleLoadList].join('|')));
`;

async function loadedBy(args: readonly string[], input = ''): Promise<readonly string[]> {
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(PROBE)}` };
  const { err } = await inProcess(args, input, { env });
  const told = err.split('\nLOADED ')[1] ?? '';
  expect(told).toContain('packages/cli/bin/mayday.js');
  return told.split('|');
}

/** The packages of ours, and those of others, that are among what was loaded. */
function packagesIn(loaded: readonly string[]): readonly string[] {
  const names = loaded.map(
    (url) =>
      /\/packages\/(\w+)\/dist\//.exec(url)?.[1] ??
      /\/node_modules\/([^/]+)\/(?!.*node_modules)/.exec(url)?.[1],
  );
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

/** Packages of others that the build has made one file of. */
function filesOfOthers(loaded: readonly string[]): readonly string[] {
  return loaded.flatMap((url) => /\/packages\/gateway\/dist\/(\w+\.cjs)$/.exec(url)?.[1] ?? []);
}

/** A whole HTTP client, which an import of `node:http` loads as well, and what speaks TLS. */
const DEAR = [
  'NativeModule internal/deps/undici/undici',
  'NativeModule tls',
  'NativeModule https',
  'NativeModule zlib',
];

const dearIn = (loaded: readonly string[]): readonly string[] => loaded.filter((name) => DEAR.includes(name));

describe('a command that needs no gateway loads none', () => {
  it.each([
    { args: ['--help'], input: '' },
    { args: ['--version'], input: '' },
    { args: ['explain', '-32001'], input: '' },
    { args: ['read'], input: '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"timed out"}}' },
    {
      args: ['translate', '--to', 'mcp'],
      input: '{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"late"}}',
    },
    { args: ['redact'], input: 'a word' },
    { args: ['catalog'], input: '' },
  ])('$args', async ({ args, input }) => {
    const loaded = await loadedBy(args, input);
    expect(packagesIn(loaded).filter((name) => !['cli', 'core'].includes(name))).toEqual([]);
    expect(dearIn(loaded)).toEqual([]);
  });
});

describe('what only a gateway that runs needs is not loaded for anything else', () => {
  it.each([
    ['gateway', '--help'],
    ['wrap', '--help'],
    ['keys', '--help'],
    ['doctor', '--help'],
    ['import', '--help'],
    ['keys', 'list', '--store', 'memory:'],
  ])('%s %s', async (...args) => {
    const loaded = await loadedBy(args);
    expect(packagesIn(loaded)).not.toContain('relay');
    expect(dearIn(loaded)).toEqual([]);
  });
});

describe('a gateway starts with what its servers need', () => {
  it('one command: no file is read, and nothing speaks TLS', async () => {
    const loaded = await loadedBy(['wrap', '--', process.execPath, '-e', '']);
    expect(packagesIn(loaded)).toEqual(['cli', 'console', 'core', 'gateway', 'policy', 'relay']);
    expect(dearIn(loaded)).toEqual([]);
  });

  it('a file of settings: its parser, and no other', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'mayday-starts-')), 'mayday.yaml');
    writeFileSync(file, `upstreams:\n  one:\n    command: ${process.execPath}\n    args: [-e, '']\n`);
    const loaded = await loadedBy(['gateway', '--stdio', '--config', file]);
    expect(packagesIn(loaded)).toEqual(['cli', 'console', 'core', 'gateway', 'policy', 'relay']);
    expect(filesOfOthers(loaded)).toEqual(['yaml.cjs']);
    expect(dearIn(loaded)).toEqual([]);
  });

  it('an API: what checks arguments is one file as well', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mayday-starts-'));
    const document = { openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: {} };
    writeFileSync(join(folder, 'api.json'), JSON.stringify(document));
    const file = join(folder, 'mayday.yaml');
    writeFileSync(file, 'upstreams:\n  one:\n    openapi: api.json\n    base_url: http://127.0.0.1:9\n');
    const loaded = await loadedBy(['gateway', '--stdio', '--config', file]);
    expect(packagesIn(loaded)).toEqual(['cli', 'console', 'core', 'gateway', 'policy', 'relay']);
    expect([...filesOfOthers(loaded)].sort()).toEqual(['ajv.cjs', 'yaml.cjs']);
  });
});
