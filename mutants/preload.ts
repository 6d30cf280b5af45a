/**
 * Loaded by every process that a test starts: gives it the mutated file instead of the one on disk, so that nothing is
 * ever written into the tree. The mutant of the moment stands in a file of its own, outside of it.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ACTIVE, type Active } from './worker-messages.ts';

const at = process.env[ACTIVE];
const active: Active | null = at === undefined ? null : JSON.parse(readFileSync(at, 'utf8'));
if (active !== null) {
  const target = pathToFileURL(active.path).href;
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      return url === target ? { ...loaded, source: active.code } : loaded;
    },
  });
}
