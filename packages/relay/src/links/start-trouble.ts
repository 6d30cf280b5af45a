/**
 * Why a server process ended, or says nothing, before it answered anything: found in its last words. Who reads it is
 * often the one who wrote the settings, and wants to know which of them is wrong.
 */
import { SIGNS, type Sign } from './start-signs.ts';
import { unfitSettings } from './validation-words.ts';

/** What is wrong, and what to do about it. */
export interface StartTrouble {
  /** `the module ./tools.js is missing` */
  readonly why: string;
  readonly advice: string;
}

/** What the last words of a process tell, newest lines last. Long lines are looked at as far as anybody would read. */
export function troubleIn(lines: readonly string[]): StartTrouble | undefined {
  const unfit = unfitSettings(lines);
  if (unfit !== undefined) return unfit;
  const heads = lines.map((line) => line.slice(0, MAX_LINE));
  for (const sign of SIGNS) {
    const trouble = troubleBy(sign, heads);
    if (trouble !== undefined) return trouble;
  }
  return undefined;
}

/** What a sign tells, by the first line that names something, else by the first that has it. */
function troubleBy(
  { said, why, otherwise, advice }: Sign,
  lines: readonly string[],
): StartTrouble | undefined {
  const found = lines.flatMap((line) => {
    const match = said.exec(line);
    return match === null ? [] : [match.slice(1).find((part) => part !== undefined) ?? ''];
  });
  const what = found.find((named) => named !== '') ?? found[0];
  if (what === undefined) return undefined;
  const told = what === '' && otherwise !== undefined ? otherwise : why.replace('$1', () => what);
  return { why: told, advice: advice.replace('$1', () => what) };
}

const MAX_LINE = 1000;

/** A process that ended by itself and has not failed, with what it said last that is no sign of anything. */
export function endedWell(said: string | undefined): StartTrouble {
  return {
    why:
      said === undefined
        ? 'it ended by itself, and said nothing'
        : `it ended by itself; what it said last was ${JSON.stringify(said)}`,
    advice: 'Is it a server over standard input and output? It may need another argument, such as `stdio`.',
  };
}

/** Shorter ones stand everywhere. */
const SHORTEST = 5;

/** Whatever is longer is no key that a line of text would break. */
const LONGEST_SPLIT = 512;

/** What may stand inside of a word that was written for a terminal: the end of a line. */
const SPLIT = String.raw`(?:\n[ \t]*)?`;

/** The words without what the settings have given to the process: keys among it, also where they go on in the next line. */
export function without(words: string, hidden: readonly string[]): string {
  let left = words;
  for (const value of hidden) {
    if (value.length < SHORTEST) continue;
    left = left.replaceAll(value, '[hidden]');
    const mayBeSplit = value.length <= LONGEST_SPLIT && !value.includes('\n');
    if (mayBeSplit) left = left.replace(splitForm(value), '[hidden]');
  }
  return left;
}

function splitForm(value: string): RegExp {
  const letters = [...value].map((letter) => letter.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'));
  return new RegExp(letters.join(SPLIT), 'gu');
}
