/**
 * Property tests start from a fixed seed, so that a green commit stays green and a red one can be replayed. Set
 * `FC_SEED` to any integer to explore other cases.
 */
import fc from 'fast-check';
import { afterAll } from 'vitest';
import { endFile } from './after-file.ts';

const DEFAULT_SEED = 20_260_728;

fc.configureGlobal({ seed: Number(process.env['FC_SEED'] ?? DEFAULT_SEED) });

afterAll(endFile);
