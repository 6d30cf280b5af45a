/** Which tools of an upstream callers see, and as what. */
import { fitsAny } from '../patterns.ts';
import type { CommonSettings } from '../settings/settings.ts';
import { otherName } from './tool-name.ts';

/** The tools of one upstream as callers see them. */
export interface Shape {
  /** The name by which callers know a tool of the server's; `undefined` where they do not. */
  shown(own: string): string | undefined;
  /** The tool that callers know by this name, as its server names it; `undefined` where there is none. */
  own(shown: string): string | undefined;
  /** What callers read about it, in place of what its server says. */
  description(own: string): string | undefined;
  /** Everything is as the server has it. */
  readonly isPlain: boolean;
}

type ToolSettings = Omit<CommonSettings['tools'], 'discovery'>;

/** What the settings say about the tools of an upstream. Nothing else decides: no name depends on what is listed when. */
export function createShape({ allow, deny, rename, descriptions }: ToolSettings): Shape {
  const isAllowed = allow === undefined ? (): boolean => true : fitsAny(allow);
  const isDenied = fitsAny(deny);
  const isServed = (own: string): boolean => isAllowed(own) && !isDenied(own);
  const { names, owners } = namesOf(Object.entries(rename).filter(([own]) => isServed(own)));
  const described = new Map(Object.entries(descriptions));
  const shown = (own: string): string | undefined => (isServed(own) ? (names.get(own) ?? own) : undefined);
  return {
    shown,
    own(name) {
      const own = owners.get(name) ?? name;
      return shown(own) === name ? own : undefined;
    },
    description: (own) => described.get(own),
    isPlain: allow === undefined && deny.length === 0 && names.size === 0 && described.size === 0,
  };
}

/** Names by owner and owners by name: a tool whose name was given to another gets one of its own. */
function namesOf(given: readonly (readonly [owner: string, name: string])[]): {
  readonly names: ReadonlyMap<string, string>;
  readonly owners: ReadonlyMap<string, string>;
} {
  const names = new Map(given);
  const owners = new Map(given.map(([owner, name]) => [name, owner]));
  for (const [, name] of given) {
    if (names.has(name)) continue;
    const instead = otherName(name);
    names.set(name, instead);
    owners.set(instead, name);
  }
  return { names, owners };
}
