/** Bundles a source as somebody would ship it. */
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** What a bundle weighs, in kilobytes. */
export interface Weight {
  readonly minified: number;
  readonly gzipped: number;
}

/** Bundles the source, shakes the tree, minifies and compresses. */
export async function weigh(source: string): Promise<Weight> {
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
  const { code } = output[0];
  return { minified: code.length / 1000, gzipped: gzipSync(code, { level: 9 }).length / 1000 };
}
