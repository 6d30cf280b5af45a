/** Tools that the settings name must exist: a name that no tool has protects nothing, and nobody would notice. */
import { nearest } from '@mayday/core/names';
import { fitsAny } from '../patterns.ts';
import type { CommonSettings } from '../settings/settings.ts';

/** Looks at whole lists of tools; tells the operator once of each name or pattern that none of them fits. */
export function namedTools(
  { retry: { repeatable, neverRepeat }, tools: shape }: CommonSettings,
  note: (text: string) => void,
): (tools: readonly string[]) => void {
  let unseen: readonly (readonly [name: string, setting: string])[] = [
    ...repeatable.map((name) => [name, 'retry.repeatable'] as const),
    ...neverRepeat.map((name) => [name, 'retry.never_repeat'] as const),
    ...(shape.allow ?? []).map((name) => [name, 'tools.allow'] as const),
    ...shape.deny.map((name) => [name, 'tools.deny'] as const),
    ...Object.keys(shape.rename).map((name) => [name, 'tools.rename'] as const),
    ...Object.keys(shape.descriptions).map((name) => [name, 'tools.descriptions'] as const),
  ];
  return (tools) => {
    const named = unseen;
    unseen = [];
    for (const [name, setting] of named) {
      if (tools.includes(name) || (HAS_PATTERNS.has(setting) && tools.some(fitsAny([name])))) continue;
      const meant = nearest(name, tools) ?? tools.find((tool) => name.endsWith(`_${tool}`));
      note(
        `${setting} names ${name}, and the server has no such tool${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      );
    }
  };
}

const HAS_PATTERNS: ReadonlySet<string> = new Set(['tools.allow', 'tools.deny']);
