/** What a bundle weighs: all dialects, one dialect, everything. Tree-shaking shown. `npm run bench:size` */
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const ENTRIES: readonly (readonly [name: string, goal: number | undefined, source: string])[] = [
  [
    'read + write, all dialects',
    25,
    `import { createLanguage } from '@mayday/core';
     import { DIALECTS } from '@mayday/core/dialects';
     import { foreign } from '@mayday/core/prose';
     export const { read, write } = createLanguage({ dialects: DIALECTS, foreign });`,
  ],
  [
    'read + write, closient alone',
    8,
    `import { createLanguage } from '@mayday/core';
     import { closient } from '@mayday/core/dialects/closient';
     export const { read, write } = createLanguage({ dialects: [closient] });`,
  ],
  [
    'read + write, mcp alone',
    8,
    `import { createLanguage } from '@mayday/core';
     import { mcp } from '@mayday/core/dialects/mcp';
     export const { read, write } = createLanguage({ dialects: [mcp] });`,
  ],
  ['fault constructors alone', undefined, `export { fault } from '@mayday/core';`],
  ['redact alone', undefined, `export { redact } from '@mayday/core/redact';`],
  ['read + write with prose and redaction', undefined, `export { read, write } from '@mayday/core';`],
];

console.log('| bundle | minified | gzipped | goal |\n|---|--:|--:|--:|');
for (const [name, goal, source] of ENTRIES) {
  const bundle = await rolldown({
    input: 'entry',
    platform: 'neutral',
    resolve: { conditionNames: ['@mayday/source', 'import', 'default'] },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) => (id === 'entry' ? source : null),
      },
    ],
  });
  const { output } = await bundle.generate({ minify: true, format: 'esm' });
  const code = output[0].code;
  const gzipped = gzipSync(code, { level: 9 }).length / 1000;
  console.log(
    `| ${name} | ${(code.length / 1000).toFixed(1)} kB | ${gzipped.toFixed(2)} kB | ${goal === undefined ? '' : `≤ ${goal} kB`} |`,
  );
}
