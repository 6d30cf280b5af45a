/** How the pages are made: `npm run build` calls it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** What is in the pages of others, each with its licence. */
const OTHERS = ['preact', '@preact/signals', '@preact/signals-core'];

function licenceOf(name: string): string {
  const file = new URL(`../../node_modules/${name}/LICENSE`, import.meta.url);
  return `${name}\n${readFileSync(fileURLToPath(file), 'utf8')}`;
}

/** The licences of those that are in a file, as a comment. */
function noticeFor(moduleIds: readonly string[]): string {
  const held = OTHERS.filter((name) => moduleIds.some((id) => id.includes(`/node_modules/${name}/`)));
  return held.length === 0 ? '' : `/*! ${held.map(licenceOf).join('\n')}*/`;
}

export default defineConfig({
  root: import.meta.dirname,
  // A proxy may have a path before ours: whatever the page names is named from where it is.
  base: './',
  resolve: { conditions: ['@mayday/source', 'browser', 'import', 'default'] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist/pages',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    // Nothing may stand in the page itself, and no picture in a style.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { output: { postBanner: ({ moduleIds }) => noticeFor(moduleIds) } },
  },
  logLevel: 'warn',
});
