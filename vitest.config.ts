import { defineConfig } from 'vitest/config';
import { ACTIVE } from './mutants/worker-messages.ts';
import { COMPILE_CACHE } from './test/compile-cache.ts';
import { LongestFirst } from './test/longest-first.ts';
import { RedFiles } from './test/red-files.ts';
import { REFERENCE_BUNDLES } from './test/reference-bundles.ts';
import { SecondTries } from './test/second-tries.ts';

const major = Number(process.versions.node.split('.')[0]);
if (major < 22) {
  throw new Error(
    `Tests need Node 22 or newer, this is ${process.version}. Run them with \`npm test\`, which brings Node 24.`,
  );
}

// For the processes that run the files, and for those that these start.
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE.NODE_COMPILE_CACHE;

const resolve = { conditions: ['@mayday/source', 'node', 'import', 'default'] };

/** Their files share a process, which saves its start and its imports: nothing they leave behind is seen by another. */
const TOGETHER = [
  'packages/{gateway,console,server,cli}/src/**/*.test.ts',
  'packages/{gateway,server,cli}/test/**/*.test.ts',
  'packages/{server,gateway,cli}/acceptance/**/*.test.ts',
  'test/*.test.ts',
];

/** The same, with the reference servers bundled. */
const REFERENCES = 'reference/*/{src,test,acceptance}/**/*.test.ts';

/** What computes more than it waits; the files of the first share a process too. */
const COMPUTES = 'packages/{core,policy,relay,client}/{src,test}/**/*.test.ts';
const WORLD = 'world/**/*.test.ts';

/**
 * Node runs the files as they are, without the runner of Vite between them: what computes takes a seventh less. Not
 * where Vite has a mutant to put in place of one.
 */
const BY_NODE =
  ACTIVE in process.env
    ? {}
    : {
        execArgv: ['--conditions=@mayday/source', '--disable-warning=ExperimentalWarning'],
        experimental: { viteModuleRunner: false, nodeLoader: false },
      };

/** What is true only of a process in which nothing else has happened yet. */
const ALONE = ['packages/server/test/endpoints.test.ts'];

/** What needs a browser beside it. */
const PAGES = 'packages/console/test/**/*.test.ts';

/** What needs a Redis beside it. */
const STORE = 'packages/store/{src,test}/**/*.test.ts';

export default defineConfig({
  resolve,
  ssr: { resolve },
  test: {
    ...BY_NODE,
    setupFiles: ['test/setup.ts'],
    // What hangs is red all the same; what only starves beside other tests is not.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What waits for processes can starve on a busy machine; what a property test has found is found.
    retry: { count: 2, condition: /^(?!Property failed)/ },
    reporters: ['default', new SecondTries(), new RedFiles()],
    // Most tests wait for processes and clocks: more of them than there are cores get along.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: 'together', include: TOGETHER, exclude: ALONE, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'references',
          include: [REFERENCES],
          isolate: false,
          env: REFERENCE_BUNDLES,
          globalSetup: ['test/reference-bundles.ts'],
        },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
      { extends: true, test: { name: 'computes', include: [COMPUTES], isolate: false } },
      // What it finds it finds again: nothing there waits for a process.
      { extends: true, test: { name: 'world', include: [WORLD], retry: 0 } },
      {
        extends: true,
        test: {
          name: 'store',
          include: [STORE],
          isolate: false,
          globalSetup: ['packages/store/test/install-redis.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          include: [PAGES],
          // One page, and what is done there one after the other: a second try begins where the first has ended.
          retry: 0,
          globalSetup: ['packages/console/test/install-chromium.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'all',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'packages/*/acceptance/**/*.test.ts',
            'packages/*/fuzz/**/*.test.ts',
            'test/**/*.test.ts',
            'mutants/**/*.test.ts',
            'bench/*/*.test.ts',
          ],
          exclude: ['**/node_modules/**', ...TOGETHER, COMPUTES, PAGES, STORE],
        },
      },
    ],
  },
});
