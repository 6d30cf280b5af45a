/** What a bundle weighs: all dialects, each dialect alone, everything. Tree-shaking shown. `npm run bench:size` */
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

type Entry = readonly [name: string, goal: number | undefined, source: string];

/** The dialects by their paths, and what those export. */
const DIALECTS: readonly (readonly [path: string, name: string])[] = [
  ['closient', 'closient'],
  ['onx', 'onx'],
  ['erlmcp', 'erlmcp'],
  ['qaqnuz', 'qaqnuz'],
  ['platica', 'platica'],
  ['mcp', 'mcp'],
  ['problem', 'problem'],
  ['tool-failure', 'toolFailure'],
  ['mayday', 'mayday'],
];

const ENTRIES: readonly Entry[] = [
  [
    'read + write, all dialects',
    25,
    `import { createLanguage } from '@mayday/core';
     import { DIALECTS } from '@mayday/core/dialects';
     import { foreign } from '@mayday/core/prose';
     export const { read, write } = createLanguage({ dialects: DIALECTS, foreign });`,
  ],
  [
    'what every dialect shares',
    undefined,
    `import { createLanguage } from '@mayday/core';
     export const { read, write } = createLanguage({ dialects: [] });`,
  ],
  ...DIALECTS.map(alone),
  ['fault constructors alone', undefined, `export { fault } from '@mayday/core';`],
  ['redact alone', undefined, `export { redact } from '@mayday/core/redact';`],
  ['read + write with prose and redaction', 45, `export { read, write } from '@mayday/core';`],
];

function alone([path, name]: readonly [path: string, name: string]): Entry {
  const source = `import { createLanguage } from '@mayday/core';
     import { ${name} } from '@mayday/core/dialects/${path}';
     export const { read, write } = createLanguage({ dialects: [${name}] });`;
  return [`read + write, ${path} alone`, 8, source];
}

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
