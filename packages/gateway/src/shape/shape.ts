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
  /** There are tools that callers do not know, or not by the server's name. */
  readonly hides: boolean;
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
  const hides = allow !== undefined || deny.length > 0 || names.size > 0;
  const shown = (own: string): string | undefined => (isServed(own) ? (names.get(own) ?? own) : undefined);
  return {
    shown,
    own(name) {
      const own = owners.get(name) ?? name;
      return shown(own) === name ? own : undefined;
    },
    description: (own) => described.get(own),
    hides,
    isPlain: !hides && described.size === 0,
  };
}

/** A server may have a tool of the name that another of its tools got instead, and so on; it has reasons of its own then. */
const MAX_DISPLACED = 3;

/** Names by owner and owners by name: a tool whose name was given to another gets one of its own. */
function namesOf(given: readonly (readonly [owner: string, name: string])[]): {
  readonly names: ReadonlyMap<string, string>;
  readonly owners: ReadonlyMap<string, string>;
} {
  const names = new Map(given);
  const owners = new Map(given.map(([owner, name]) => [name, owner]));
  for (const [, name] of given) {
    let taken = name;
    for (let i = 0; i < MAX_DISPLACED && !names.has(taken); i++) {
      let instead = otherName(taken);
      while (owners.has(instead)) instead = otherName(instead);
      names.set(taken, instead);
      owners.set(instead, taken);
      taken = instead;
    }
  }
  return { names, owners };
}
