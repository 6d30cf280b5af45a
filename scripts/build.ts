/** Builds the packages: `npm run build`. Packaging mistakes fail the build, not the release. */
import { copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type InlineConfig } from 'tsdown';

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
const LIBRARIES = ['core', 'policy', 'store', 'client', 'server', 'relay', 'gateway'];

/** Libraries that need Node; the others run anywhere JavaScript runs. */
const ON_NODE: ReadonlySet<string> = new Set(['store', 'server', 'relay', 'gateway']);

/** The floor of all of them; their `engines` say the same. */
const NODE = 'node20';

/** Files that run in a thread of their own, and so cannot be part of another one. */
const THREADS: { readonly [name: string]: readonly string[] } = { gateway: ['src/openapi/api-worker.ts'] };

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
});

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
});

const started = performance.now();
// npm packs the licence of a package's own folder, and only that.
for (const name of [...LIBRARIES, 'cli']) copyFileSync(`${root}LICENSE`, `${root}packages/${name}/LICENSE`);
for (const config of [...LIBRARIES.map(library), program('cli')]) await build(config);
process.stdout.write(
  `Built ${[...LIBRARIES, 'cli'].join(', ')} in ${seconds(performance.now() - started)} s\n`,
);

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
