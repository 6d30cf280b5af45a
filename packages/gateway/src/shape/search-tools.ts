/** Finds tools by words. */
import type { Members } from '@mayday/relay';
import { ToolIndex, textOf } from './tool-index.ts';
import { wordsOf } from './words.ts';

/** What is told about a tool that was found. */
export interface Found {
  readonly name: string;
  readonly description: string;
}

/** The tools that a query is about, as many as were asked for, and how many there are. */
interface Search {
  readonly tools: readonly Members[];
  readonly found: number;
}

/** Finds the tools of a list that a query is about, those that fit best first; all of them, if it is empty. */
export type SearchTools = (tools: readonly Members[], query: string, limit: number) => Promise<Search>;

/** More of a description is told by `describe_tools`. */
const MAX_DESCRIPTION = 200;
/** Longer questions are no words. */
const MAX_WORDS = 32;
const MAX_QUERY = 4096;
/** Callers may be listed different tools: the lists of so many are known. */
const MAX_LISTS = 4;

interface Known {
  readonly tools: readonly Members[];
  readonly index: Promise<ToolIndex>;
}

/** A search that reads a list once for as long as it stays as it is. */
export function createSearch(): SearchTools {
  let known: readonly Known[] = [];
  const indexOf = (tools: readonly Members[]): Promise<ToolIndex> => {
    const found = known.find((one) => isSame(one.tools, tools)) ?? { tools, index: ToolIndex.of(tools) };
    known = [found, ...known.filter((one) => one !== found)].slice(0, MAX_LISTS);
    return found.index;
  };
  return async (tools, query, limit) => {
    const asked = query.slice(0, MAX_QUERY).trim();
    const words = wordsOf(asked).slice(0, MAX_WORDS);
    if (words.length === 0) return { tools: tools.slice(0, limit), found: tools.length };
    const { best, found } = await (await indexOf(tools)).search(asked, words, limit);
    return { tools: best.map((place) => tools[place] ?? {}), found };
  };
}

/** Does everything that is searched stand in both, in the same order? */
function isSame(known: readonly Members[], tools: readonly Members[]): boolean {
  if (known.length !== tools.length) return false;
  for (let place = 0; place < known.length; place++) {
    const [one, other] = [known[place], tools[place]];
    if (one?.['name'] !== other?.['name']) return false;
    if (one?.['description'] !== other?.['description'] || one?.['title'] !== other?.['title']) return false;
  }
  return true;
}

/** A tool in one line. */
export function summaryOf(tool: Members): Found {
  const whole = textOf(tool, 'description') || textOf(tool, 'title');
  const line = whole.replace(/\s+/g, ' ').trim();
  const description = line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line;
  return { name: textOf(tool, 'name'), description };
}
