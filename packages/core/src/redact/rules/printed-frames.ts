/** Frames as programs print their members: `Location { file: "src/x.rs", line: 3 }`, `file=/srv/x.go line=3 func=main.run`. */
import { isFrameOf, partOf } from '../frames.ts';
import { tokenAt } from '../json-bounds.ts';
import { BLOCK, type Detector, jsonOf, mark, matchAt, type Page } from '../page.ts';
import { charSet, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';

const REACH = 300;
/** The sign behind a name, and a value in either quote or none. */
const VALUE = /(?:: ?|=)(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s,{}"'()]{1,200}))/y;
const NAME = charSet(/\w/);
const LONGEST_NAME = 30;

/** A member, and where its value ends. */
interface Member {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

/** The members between two offsets. */
function membersOf(page: Page, from: number, to: number): Member[] {
  const { text } = page;
  const members: Member[] = [];
  for (let at = from; at < to; at++) {
    const found = text[at] === ':' || text[at] === '=' ? matchAt(VALUE, text, at) : null;
    if (found) {
      const nameEnd = at - (/["']/.test(text[at - 1] ?? '') ? 1 : 0);
      const name = text.slice(Math.max(runStart(page, NAME, nameEnd), nameEnd - LONGEST_NAME, from), nameEnd);
      const value = found[1] ?? found[2] ?? found[3] ?? '';
      const end = at + found[0].length;
      members.push({ name, value, end: end - (found[3] === undefined ? 1 : 0) });
      at = end - 1;
    }
  }
  return members;
}
const TRACE = /(?:trace|stack|Location|Frame|CallSite|Frames?)[^\w\n]{0,4}$/;
const LINE = /line(?:no|num|number)?["']?(?:: ?|=)\d/iy;

/** Marks what the members around a line say of the program. */
const detectMembers: Detector = (page, start) => {
  const { text } = page;
  const read = page.tried?.get(LINE) ?? 0;
  if (start < page.covered || start < read || !matchAt(LINE, text, start)) {
    return;
  }
  const before = text.slice(Math.max(0, start - REACH), start);
  const open = Math.max(before.lastIndexOf('{'), before.lastIndexOf('\n'), before.lastIndexOf('}'));
  const token = tokenAt(jsonOf(page), start);
  const from = Math.max(start - before.length + open + 1, token?.start ?? 0);
  const after = text.slice(start, start + REACH).search(/[{}\n]/);
  const to = Math.min(token?.end ?? text.length, after < 0 ? start + REACH : start + after);
  // All members of one frame are read at once.
  page.tried ??= new Map();
  page.tried.set(LINE, to);
  const members = membersOf(page, from, to);
  if (!isFrameOf(members, TRACE.test(text.slice(Math.max(0, from - 20), Math.max(0, from - 1))))) {
    return;
  }
  for (const { name, value, end } of members) {
    if (partOf(name, value)) {
      mark(page, end - value.length, end, 'stack', 'stack', BLOCK);
    }
  }
};

/** Triggers for printed frames. */
export function printedFrameTriggers(): Trigger[] {
  const names = ['line', 'lineno', 'linenum', 'linenumber'];
  const signs = ['=0', ':0', ': 0', "': 0", "':0"];
  return names.flatMap((name) => signs.map((sign) => [name + sign, detectMembers] as const));
}
