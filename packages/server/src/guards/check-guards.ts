/** Guards are checked when they are set: one that nobody asks is an open door. */

import { nearest } from '../boundary/nearest.ts';
import { expect, expectKnown, expectMethodNames, isPlainObject } from '../options-check.ts';
import type { Guard } from './guard.ts';

const HOOKS = ['before', 'hides', 'deadlineMs', 'result', 'after', 'over', 'dropped'] as const;
const MEMBERS: readonly string[] = ['name', 'stage', 'counts', 'methods', ...HOOKS];

/** Throws a sentence about what is no list of guards, or about a guard that does not do what it seems to. */
export function checkGuards(guards: unknown): void {
  const isList = Array.isArray(guards) && guards.every(isGuard);
  expect(guards === undefined || isList, 'guards', 'a list of guards, each with a name', guards);
  for (const guard of (guards as readonly Guard[] | undefined) ?? []) checkGuard(guard);
}

function isGuard(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const guard = value as Guard;
  const isWhole = HOOKS.every((name) => ['undefined', 'function'].includes(typeof guard[name]));
  const isStage = [undefined, 'request', 'call'].includes(guard.stage);
  return (
    isWhole && isStage && typeof guard.name === 'string' && [undefined, true, false].includes(guard.counts)
  );
}

function checkGuard(guard: Guard): void {
  const of = `guards.${guard.name}`;
  if (isPlainObject(guard)) expectKnown(guard, MEMBERS, of);
  else for (const name of methodsOf(guard)) expectNoSlip(guard, name, of);
  const does = HOOKS.some((name) => guard[name] !== undefined);
  expect(
    does,
    of,
    `a guard that does something: with ${HOOKS.map((name) => `\`${name}\``).join(', ')}`,
    guard,
  );
  expectMethodNames(guard.methods, `${of}.methods`);
}

/** An instance of a class has members of its own; but not one that almost has the name of ours. */
function expectNoSlip(guard: Guard, name: string, of: string): void {
  const meant = MEMBERS.includes(name) ? undefined : nearest(name, HOOKS);
  if (meant === undefined || guard[meant as (typeof HOOKS)[number]] !== undefined) return;
  throw new TypeError(`\`${of}\` has no option \`${name}\`: did you mean \`${meant}\`?`);
}

function methodsOf(guard: object): string[] {
  const names: string[] = [];
  for (let at: object = guard; at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function' && name !== 'constructor') names.push(name);
  return names;
}
