/**
 * How often a property is tried: a quarter of what it takes to look well, as all of them start from one seed and find what
 * they find in any case. `FC_RUNS=1` tries all, and with `FC_SEED` others; `FC_RUNS=10` ten times as many.
 */
const SHARE = Number(process.env['FC_RUNS'] ?? 0.25);

export const runs = (thorough: number): number => Math.ceil(thorough * SHARE);
