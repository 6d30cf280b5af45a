import type { Wire } from './wire.ts';

/**
 * A member of the public library that belongs to one dialect: of `@mayday/core/dialects/<name>`, or of the root where the
 * dialect has no door of its own. Only for promises about a client or a library helper.
 */
export async function member(dialect: string, ...names: readonly string[]): Promise<Wire> {
  const doors: Wire[] = [];
  for (const door of [`@mayday/core/dialects/${dialect}`, '@mayday/core']) {
    doors.push(await import(/* @vite-ignore */ door).catch(() => ({})));
  }
  for (const door of doors) {
    const name = names.find((candidate) => candidate in door);
    if (name !== undefined) {
      return door[name];
    }
  }
  throw new Error(`@mayday/core exports none of ${names.join(', ')}`);
}
