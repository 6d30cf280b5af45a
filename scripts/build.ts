/**
 * Builds the packages: `npm run build`, and what is built of the same sources is not built again; `-- --force` does it
 * all the same. Packaging mistakes fail the build, not the release.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'rolldown';
import { build, type InlineConfig } from 'tsdown';
import { build as buildPages } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

const shared: InlineConfig = {
  config: false,
  format: 'esm',
  clean: true,
  sourcemap: true,
  outDir: 'dist',
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  logLevel: 'warn',
  tsconfig: 'tsconfig.json',
};

/** The libraries to build, each after those it imports. */
const LIBRARIES = ['core', 'policy', 'store', 'client', 'server', 'relay', 'console', 'gateway'];

/** Libraries that need Node; the others run anywhere JavaScript runs. */
const ON_NODE: ReadonlySet<string> = new Set(['store', 'server', 'relay', 'console', 'gateway']);

/** The floor of all of them; their `engines` say the same. */
const NODE = 'node20';

/** Files that run in a thread of their own, and so cannot be part of another one. */
const THREADS: { readonly [name: string]: readonly string[] } = { gateway: ['src/openapi/api-worker.ts'] };

/** Sources and comments are read in `src`, which is packed beside `dist`: the maps lead there, and the code is the code alone. */
const LEAN = { sourcemapExcludeSources: true, comments: { jsdoc: false } } as const;

/** A library: types beside the code, and both checked as a user would install them. */
const library = (name: string): InlineConfig => ({
  ...shared,
  cwd: `${root}packages/${name}`,
  entry: [...entriesOf(name), ...(THREADS[name] ?? [])],
  platform: ON_NODE.has(name) ? 'node' : 'neutral',
  target: NODE,
  dts: true,
  publint: true,
  attw: { profile: 'esm-only' },
  outputOptions: LEAN,
});

/**
 * The same for Node, where what several paths need is one file: to find and open forty takes longer than all that is in
 * them. Bundlers take those, and leave out what nobody uses. The last to be built, so it is the one that is checked.
 */
const forNode = (name: string): InlineConfig => ({
  ...library(name),
  outDir: 'dist/node',
  platform: 'node',
  dts: false,
  outputOptions: {
    ...LEAN,
    codeSplitting: {
      groups: [
        { name: 'names', test: /src\/names\.ts$/, priority: 1 }, // all that `mayday --help` needs of it
        { name: 'shared', test: /src\//, minShareCount: 2 },
      ],
    },
  },
});

/** What is built of a library. */
const builds = (name: string): readonly InlineConfig[] =>
  name === 'core' ? [{ ...library(name), publint: false, attw: false }, forNode(name)] : [library(name)];

/** One entry for every public path: what the package exports under the source condition. */
function entriesOf(name: string): string[] {
  const { exports } = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, 'utf8')) as {
    readonly exports: { readonly [path: string]: { readonly '@mayday/source'?: string } };
  };
  return Object.values(exports)
    .map((target) => target['@mayday/source'])
    .filter((source) => source !== undefined);
}

/** A program: nothing to import, so no types. */
const program = (name: string): InlineConfig => ({
  ...shared,
  cwd: `${root}packages/${name}`,
  entry: 'src/main.ts',
  platform: 'node',
  target: NODE,
  dts: false,
  publint: true,
  outputOptions: {
    // What it has in it of others, it has with their licence.
    postBanner: ({ moduleIds }) =>
      moduleIds.some((id) => id.includes('/node_modules/yaml/')) ? noticeOf(['yaml']) : '',
  },
});

/** The licences of packages that are part of a file, as a comment. */
function noticeOf(packages: readonly string[]): string {
  const licences = packages.map(
    (name) => `${name}\n${readFileSync(`${root}node_modules/${name}/LICENSE`, 'utf8')}`,
  );
  return `/*! ${licences.join('\n')}*/`;
}

/** Of others, and each a file of its own, with the licences of all that is in it. */
const IN_ONE_FILE = [
  { name: 'yaml', input: 'node_modules/yaml/dist/index.js', of: ['yaml'] },
  {
    name: 'ajv',
    input: 'packages/gateway/src/openapi/ajv.ts',
    of: ['ajv', 'ajv-formats', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse'],
  },
] as const;

/**
 * What a gateway loads before it serves, in one file each, under `#name`: to find and open the seventy and ninety that they
 * come in takes several times as long as all that is in them.
 */
async function bundleOthers(): Promise<void> {
  for (const { name, input, of } of IN_ONE_FILE) {
    await bundle({
      input: `${root}${input}`,
      platform: 'node',
      output: {
        file: `${root}packages/gateway/dist/${name}.cjs`,
        format: 'cjs',
        minify: true,
        postBanner: noticeOf(of),
      },
    });
  }
}

/** What was built last, as a digest of all that goes into it; the lock names the versions of the tools. */
const STAMP = `${root}node_modules/.cache/mayday-build`;
const SOURCES: readonly string[] = [
  'packages/*/src/**/*',
  'packages/*/{package,tsconfig}.json',
  'packages/console/{index.html,vite.config.ts}',
  'scripts/build.ts',
  'tsconfig*.json',
  'package-lock.json',
];

function digest(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: root, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => `${found.parentPath}/${found.name}`)
    .sort())
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function isBuilt(stamp: string): boolean {
  const isThere = PACKAGES.every((name) => existsSync(`${root}packages/${name}/dist`));
  return isThere && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stamp;
}

const PACKAGES: readonly string[] = [...LIBRARIES, 'cli'];
const started = performance.now();
const stamp = digest();
// npm packs the licence of a package's own folder, and only that: also where nothing else has to be built.
for (const name of PACKAGES) copyFileSync(`${root}LICENSE`, `${root}packages/${name}/LICENSE`);
if (isBuilt(stamp) && !process.argv.includes('--force')) {
  process.stdout.write('Built already: the sources are the same\n');
  process.exit();
}
rmSync(STAMP, { force: true }); // a build that fails leaves nothing that counts
for (const config of [...LIBRARIES.flatMap(builds), program('cli')]) await build(config);
await bundleOthers();
await buildPages({ configFile: `${root}packages/console/vite.config.ts` });
mkdirSync(dirname(STAMP), { recursive: true });
writeFileSync(STAMP, stamp);
process.stdout.write(`Built ${PACKAGES.join(', ')} in ${seconds(performance.now() - started)} s\n`);

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
