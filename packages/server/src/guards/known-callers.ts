/** Who has to know the caller, and who says it: a count for each caller begins once the caller is known. */
import type { Guard } from './guard.ts';

const identifying = new WeakSet<Guard>();
const counting = new WeakSet<Guard>();

/** Marks a guard that says who calls, and refuses everybody else. */
export function identifies(guard: Guard): Guard {
  identifying.add(guard);
  return guard;
}

/** Does it say who calls? */
export function isIdentifying(guard: Guard): boolean {
  return identifying.has(guard);
}

/** Marks a guard that counts for each caller. */
export function countsCallers(guard: Guard): Guard {
  counting.add(guard);
  return guard;
}

/**
 * The guards in their order, but for those that count for each caller: they are asked after those that say who it is.
 * Before that all callers would have one count, which strangers can use up, and by which they tell tools that there are
 * from tools that there are not.
 */
export function callersFirst(guards: readonly Guard[]): readonly Guard[] {
  const last = guards.findLastIndex((guard) => identifying.has(guard));
  const early = guards.slice(0, Math.max(0, last)).filter((guard) => counting.has(guard));
  if (early.length === 0) return guards;
  return [
    ...guards.slice(0, last + 1).filter((guard) => !counting.has(guard)),
    ...early,
    ...guards.slice(last + 1),
  ];
}
