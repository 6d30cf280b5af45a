/** Tools that the settings name must exist: a name that no tool has protects nothing, and nobody would notice. */
import { nearest } from '@mayday/core/names';
import type { CommonSettings } from '../settings/settings.ts';

/** Looks at whole lists of tools; tells the operator once of each name that none of them has. */
export function namedTools(
  { retry: { repeatable, neverRepeat } }: CommonSettings,
  note: (text: string) => void,
): (tools: readonly string[]) => void {
  const unseen = new Map<string, string>([
    ...repeatable.map((name) => [name, 'retry.repeatable'] as const),
    ...neverRepeat.map((name) => [name, 'retry.never_repeat'] as const),
  ]);
  return (tools) => {
    for (const [name, setting] of unseen) {
      unseen.delete(name);
      if (tools.includes(name)) continue;
      const meant = nearest(name, tools) ?? tools.find((tool) => name.endsWith(`_${tool}`));
      note(
        `${setting} names ${name}, and the server has no such tool${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      );
    }
  };
}
