import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONFIGURATION, SOURCES } from './compiled.ts';
import { install, nodeOf, type Packed, pack } from './packed.ts';

const run = promisify(execFile);
const MINUTES = 60_000;

/** As a newcomer has them beside ours. */
const SDK = ['@modelcontextprotocol/server@2.4.0', '@modelcontextprotocol/client@2.4.0', 'zod@4'];

/** What those who write TypeScript, or still use the other SDK, have beside them. */
const TYPED = ['@modelcontextprotocol/sdk@1.32.2', '@types/node@24'];

let folder: string;
let packed: readonly Packed[];
/** Why the older versions of Node are not here, if they are not. */
let missing: string | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mayday-packed-'));
  packed = await pack(folder);
  const tarballs = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  await install(join(folder, 'user'), [...tarballs.map((name) => join(folder, name)), ...SDK, ...TYPED]);
  missing = await reasonOf(
    install(join(folder, 'nodes'), [nodeOf('floor', '20.0.0'), nodeOf('middle', '22')]),
  );
  await copyFile(join(import.meta.dirname, 'tour.mjs'), join(folder, 'user/tour.mjs'));
}, 5 * MINUTES);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a tarball', () => {
  it('is made of every package', () => {
    expect(packed.map(({ name }) => name).sort()).toEqual([
      '@mayday/cli',
      '@mayday/client',
      '@mayday/console',
      '@mayday/core',
      '@mayday/gateway',
      '@mayday/policy',
      '@mayday/relay',
      '@mayday/server',
      '@mayday/store',
    ]);
  });

  it.each(['cli', 'client', 'console', 'core', 'gateway', 'policy', 'relay', 'server', 'store'])(
    'of %s holds what is used, with its licence and its source maps, and nothing else',
    async (name) => {
      const files = packed.find((one) => one.name === `@mayday/${name}`)?.files ?? [];
      expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
      const unmapped = files.filter(
        (file) => /^dist\/(?!pages\/).*\.js$/.test(file) && !files.includes(`${file}.map`),
      );
      const texts = unmapped.map((file) =>
        readFile(join(folder, 'user/node_modules/@mayday', name, file), 'utf8'),
      );
      // What only hands on what is elsewhere has nothing to map.
      expect((await Promise.all(texts)).filter((text) => /\bfunction\b|=>/.test(text))).toEqual([]);
      expect(files).toContainEqual(expect.stringMatching(/^dist\/.*\.js\.map$/));
      expect(files.filter((file) => !KNOWN.test(file))).toEqual([]);
      expect(files.filter((file) => /test|fixture|golden|acceptance|fuzz/.test(file))).toEqual([]);
    },
  );
});

describe('the page of a package', () => {
  it.each(['cli', 'client', 'console', 'core', 'gateway', 'policy', 'relay', 'server', 'store'])(
    'links to nothing that only the repository has: %s',
    async (name) => {
      const page = await readFile(join(folder, 'user/node_modules/@mayday', name, 'README.md'), 'utf8');
      const links = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string);
      const files = packed.find((one) => one.name === `@mayday/${name}`)?.files ?? [];
      expect(links.filter((link) => !/^(?:https:|#)/.test(link) && !files.includes(link))).toEqual([]);
    },
  );
});

const KNOWN =
  /^(?:LICENSE|README\.md|package\.json|bin\/mayday\.js|catalog\.lock\.json|schema\/[\w.-]+\.json|dist\/[\w/.-]+\.(?:js|js\.map|d\.ts|d\.ts\.map)|dist\/(?:ajv|yaml)\.cjs|dist\/pages\/(?:index\.html|assets\/[\w-]+\.(?:js|css))|src\/[\w/.-]+\.ts)$/;

const TOLD = {
  entries: { core: 24, policy: 1, relay: 1, store: 1, gateway: 1 },
  guarded: ['cancelled 4711', true, 'not_found'],
  gateway: ['noon', 'short'],
  commandLine: 'unsupported',
  memory: 1,
};

describe('the packages, installed elsewhere,', () => {
  it.for([
    ['20.0.0', 'nodes/node_modules/floor/bin/node'],
    ['22', 'nodes/node_modules/middle/bin/node'],
  ] as const)(
    'work on Node %s, and say which Node a store in a file needs',
    { timeout: MINUTES },
    async ([version, node], { skip }) => {
      skip(missing !== undefined, `Node ${version} is missing: ${missing}`);
      const told = await tour(join(folder, node));
      expect(told).toEqual({ ...TOLD, file: expect.stringContaining('needs Node 24.16 or newer') });
    },
  );

  it('work on Node 24 with all they have', { timeout: MINUTES }, async () => {
    expect(await tour(process.execPath)).toEqual({ ...TOLD, file: 1 });
  });
});

describe('the types, installed elsewhere,', () => {
  it('take the clients of both SDKs, as ES modules and compiled to CommonJS', {
    timeout: 3 * MINUTES,
  }, async () => {
    const user = join(folder, 'user');
    for (const [name, source] of Object.entries(SOURCES)) await writeFile(join(user, name), source);
    await writeFile(join(user, 'tsconfig.json'), CONFIGURATION);
    const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc');
    const told = await run(tsc, ['-p', user]).catch(({ stdout }: { readonly stdout: string }) => ({
      stdout,
    }));
    expect(told.stdout).toBe('');
  });
});

/** What went wrong, where something did. */
async function reasonOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

async function tour(node: string): Promise<unknown> {
  const { stdout } = await run(node, ['tour.mjs'], { cwd: join(folder, 'user') });
  return JSON.parse(stdout);
}
