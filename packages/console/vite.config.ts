/** How the pages are made: `npm run build` calls it. */
import { defineConfig } from 'vite';

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
  },
  logLevel: 'warn',
});
