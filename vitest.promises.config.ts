import { defineConfig } from 'vitest/config';
import shared from './vitest.config.ts';

/** What the five documents promise, held against the running reference servers: `npm run promises`. */
export default defineConfig({
  ...shared,
  test: { ...shared.test, include: ['reference/*/acceptance/**/*.test.ts'] },
});
