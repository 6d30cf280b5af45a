/** Which tools a server lists: those of its last list. One that could not be seen to the end takes no tool away. */
import { setLast } from '@mayday/policy';

/** One page of a list. */
interface Page {
  /** What it was asked for with; the first page has none. */
  readonly cursor: unknown;
  /** Where the list goes on; `undefined` on the last page. */
  readonly next: string | undefined;
  readonly names: readonly string[];
  /** How often the tools had changed when it was asked for. */
  readonly edition: number;
}

/** The tools of one server. */
export interface ListedTools {
  has(tool: string): boolean;
  learn(page: Page): void;
}

/** A server may list any number of tools; nobody calls this many. */
const MAX_TOOLS = 10_000;

/** Lists that go on: nobody reads this many at a time. */
const MAX_BEGUN = 8;

/** None yet. */
export function createListedTools(): ListedTools {
  let listed = new Set<string>();
  /** What there was so far of a list that goes on, by the cursor of its next page. */
  const begun = new Map<unknown, Set<string>>();
  let newest = 0;
  return {
    has: (tool) => listed.has(tool),
    learn({ cursor, next, names, edition }) {
      if (edition < newest) return; // asked for before a list that is known
      newest = edition;
      add(listed, names);
      const list = cursor === undefined ? new Set<string>() : begun.get(cursor);
      if (list === undefined) return;
      begun.delete(cursor);
      add(list, names);
      if (next === undefined) listed = list;
      else setLast(begun, next, list, MAX_BEGUN);
    },
  };
}

function add(all: Set<string>, names: readonly string[]): void {
  for (const name of names) if (all.size < MAX_TOOLS) all.add(name);
}
