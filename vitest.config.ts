import { defineConfig } from 'vitest/config';

const major = Number(process.versions.node.split('.')[0]);
if (major < 22) {
  throw new Error(
    `Tests need Node 22 or newer, this is ${process.version}. Run them with \`npm test\`, which brings Node 24.`,
  );
}

const resolve = { conditions: ['@mayday/source', 'node', 'import', 'default'] };

/** Packages that keep nothing between two calls: their files can share a process, which saves its start. */
const PURE = 'packages/{core,policy}/{src,test}/**/*.test.ts';

/** What needs a Redis beside it. */
const STORE = 'packages/store/{src,test}/**/*.test.ts';

export default defineConfig({
  resolve,
  ssr: { resolve },
  test: {
    setupFiles: ['test/setup.ts'],
    testTimeout: 20_000,
    // Most tests wait for processes and clocks: more of them than there are cores get along.
    maxWorkers: 4,
    projects: [
      { extends: true, test: { name: 'pure', include: [PURE], isolate: false } },
      {
        extends: true,
        test: { name: 'store', include: [STORE], globalSetup: ['packages/store/test/install-redis.ts'] },
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
            'world/**/*.test.ts',
            'mutants/**/*.test.ts',
            'bench/*/*.test.ts',
            'reference/*/{src,test,acceptance}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', PURE, STORE],
        },
      },
    ],
  },
});
