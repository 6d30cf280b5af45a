import { fileURLToPath } from 'node:url';
/**
 * Property tests start from a fixed seed, so that a green commit stays green and a red one can be replayed. Set
 * `FC_SEED` to any integer to explore other cases.
 */
import fc from 'fast-check';

const DEFAULT_SEED = 20_260_728;

fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? DEFAULT_SEED) });

/** Compiled sources, kept between the processes that tests start: each would strip the types again otherwise. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(
  new URL('../node_modules/.cache/mayday-test', import.meta.url),
);
