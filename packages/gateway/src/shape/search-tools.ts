/** Finds tools by words. */
import { setImmediate } from 'node:timers/promises';
import type { Members } from '@mayday/relay';
import { nearest } from '../nearest.ts';

/** What is told about a tool that was found. */
export interface Found {
  readonly name: string;
  readonly description: string;
}

/** More of a description is told by `describe_tools`. */
const MAX_DESCRIPTION = 200;
/** Longer questions are no words. */
const MAX_WORDS = 32;
const MAX_QUERY = 4096;
/** Between so many tools, others have their turn. */
const AT_A_TIME = 500;

/** Tools that the query is about, those that fit best first, in their order otherwise; all of them, if it is empty. */
export async function searchTools(tools: readonly Members[], query: string): Promise<readonly Members[]> {
  const asked = query.slice(0, MAX_QUERY).trim().toLowerCase();
  const words = wordsOf(query.slice(0, MAX_QUERY)).slice(0, MAX_WORDS);
  if (words.length === 0) return tools;
  const scored: { readonly tool: Members; readonly score: number }[] = [];
  for (const [index, tool] of tools.entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) await setImmediate();
    const score = scoreOf(tool, asked, words);
    if (score > 0) scored.push({ tool, score });
  }
  return scored.sort((a, b) => b.score - a.score).map(({ tool }) => tool);
}

/** A name counts for more than what is said about it, and a whole word for more than a part of one. */
function scoreOf(tool: Members, asked: string, words: readonly string[]): number {
  if (textOf(tool, 'name').toLowerCase() === asked) return Number.MAX_SAFE_INTEGER;
  const name = wordsOf(textOf(tool, 'name'));
  const said = wordsOf(`${textOf(tool, 'title')} ${textOf(tool, 'description')}`);
  return words.reduce((score, word) => score + 3 * fitOf(word, name) + fitOf(word, said), 0);
}

function fitOf(word: string, among: readonly string[]): number {
  if (among.includes(word)) return 2;
  return among.some((other) => other.startsWith(word) || (other.length > 2 && word.startsWith(other)))
    ? 1
    : 0;
}

/** `readTextFile`, `read_text_file` and `read-text-file` are the same words. */
function wordsOf(text: string): readonly string[] {
  const parted = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return parted.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A tool in one line. */
export function summaryOf(tool: Members): Found {
  const whole = textOf(tool, 'description') || textOf(tool, 'title');
  const line = whole.replace(/\s+/g, ' ').trim();
  const description = line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1)}…` : line;
  return { name: textOf(tool, 'name'), description };
}

/** The name of a tool that one of these words was probably meant to be. */
export function meantBy(query: string, tools: readonly Members[]): string | undefined {
  const names = tools.map((tool) => textOf(tool, 'name'));
  return nearest(query.trim().replace(/\s+/g, '_'), names);
}

/** A member of a tool, where it is a text. */
export function textOf(tool: Members, key: string): string {
  const value = tool[key];
  return typeof value === 'string' ? value : '';
}
