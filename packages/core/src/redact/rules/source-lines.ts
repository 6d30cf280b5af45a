/**
 * Lines of source that are printed beside a frame, with their numbers: IPython's (`----> 3 df.loc[key]`), those of code
 * frames (`> 58 |   book.close()`) and of Ruby's consoles. A compiler prints the reader's own source so: such lines go
 * only where a frame stands next to them, or where no compiler prints any.
 */
import { BLOCK, type Detector, mark, type Page } from '../page.ts';
import { nextOf } from '../runs.ts';
import type { Trigger } from '../scan.ts';

const MOST_LINES = 12;
const LONGEST_LINE = 400;
/** A line of text, and the line break behind it. */
interface Line {
  readonly start: number;
  readonly text: string;
  readonly end: number;
}

function lineAt({ text }: Page, start: number): Line {
  const part = text.slice(start, start + LONGEST_LINE);
  const size = part.search(/\r?\n|(?:\\r)?\\n|"$/);
  const line = size < 0 ? part : part.slice(0, size);
  const gap = /^(?:\r?\n|(?:\\r)?\\n)/.exec(part.slice(line.length))?.[0].length ?? 0;
  return { start, text: line, end: start + line.length + gap };
}

/** Where the line starts that an offset is in, -1 where that is too far. */
function lineStart({ text }: Page, at: number): number {
  const before = text.slice(Math.max(0, at - LONGEST_LINE), at);
  const real = before.lastIndexOf('\n') + 1;
  const spelt = before.lastIndexOf('\\n') + 2;
  const from = Math.max(real, spelt > 1 ? spelt : 0);
  return from > 0 ? at - before.length + from : at < LONGEST_LINE ? 0 : -1;
}

/** The lines from one on that are of a form. */
function linesFrom(page: Page, start: number, form: RegExp): Line[] {
  const lines: Line[] = [];
  for (let at = start; lines.length < MOST_LINES && at < page.text.length; ) {
    const line = lineAt(page, at);
    if (!form.test(line.text)) break;
    lines.push(line);
    if (line.end === at + line.text.length) break;
    at = line.end;
  }
  return lines;
}

/** The lines before one that are of a form, the nearest first. */
function linesBefore(page: Page, start: number, form: RegExp): Line[] {
  const lines: Line[] = [];
  for (let at = start; lines.length < MOST_LINES && at > 0; ) {
    const breakAt = page.text.startsWith('\\n', at - 2) ? at - 2 : at - 1;
    const from = lineStart(page, breakAt);
    const line = from < 0 ? undefined : lineAt(page, from);
    if (line === undefined || line.end !== at || !form.test(line.text)) break;
    lines.push(line);
    at = from;
  }
  return lines;
}

/** Marks what stands behind the number of a line. */
function markSource(page: Page, { start, text }: Line): void {
  const number = /^[\s>=❯→-]{0,24}\d{0,6}\s?[|│:>]?\s{0,40}/.exec(text)?.[0].length ?? 0;
  if (number < text.length && start >= page.covered) {
    mark(page, start + number, start + text.length, 'stack', 'stack', BLOCK);
  }
}

const ARROW = /^(?:\\t|\s){0,8}-{3,6}> \d{1,6}(?: .*)?$/;
const NUMBERED = /^\s{1,16}\d{1,6}(?: .*)?$/;
const CODE = /[()[\]=]|\w\.[a-z_]/i;

/** IPython's: no compiler draws such an arrow. */
const detectArrow: Detector = (page, start) => {
  const from = lineStart(page, start);
  const line = from < page.covered ? undefined : lineAt(page, from);
  if (line === undefined || !ARROW.test(line.text) || !CODE.test(line.text)) {
    return;
  }
  const before = linesBefore(page, from, NUMBERED);
  markHead(page, before.at(-1)?.start ?? from);
  const behind = line.end > from + line.text.length ? linesFrom(page, line.end, NUMBERED) : [];
  for (const one of [...before.reverse(), line, ...behind]) {
    markSource(page, one);
  }
};

const HEAD = /^(?:File )?\S{1,260}\.py in \S.{0,160}$/;

/** The file and the function that older versions print above. */
function markHead(page: Page, at: number): void {
  const head = linesBefore(page, at, HEAD)[0];
  if (head !== undefined && head.start >= page.covered) {
    mark(page, head.start, head.start + head.text.length, 'stack', 'stack', BLOCK);
  }
}

const FAILED = /^>\s{3,40}\S/;
const PLACE = /^(?:\/|[A-Z]:\\)[^\s:]{1,260}:\d{1,7}: /;
const REACH = 2000;

const saysPlace = (text: string): boolean =>
  text.split(/\n|\\n/).some((line) => line.includes('.py:') && PLACE.test(line));

/** The line that pytest says an assertion of a program failed in, whose file it names by its whole path. */
const detectFailed: Detector = (page, start, end) => {
  const { text } = page;
  const at = start + (text[start] === '\\' ? 2 : 1);
  const line = linesBefore(page, at, FAILED)[0];
  if (line !== undefined && line.start >= page.covered && saysPlace(text.slice(end, end + REACH))) {
    const from = line.start + line.text.search(/[^>\s]/);
    mark(page, from, line.start + line.text.length, 'stack', 'stack', BLOCK);
  }
};

const FRAMED = /^\s{0,12}(?:(?:[>❯→]|=>)\s{0,12})?(?:\d{1,6}\s?[|│>:]|[|│])(?:\s.*)?$/;
const BEHIND_FRAME = /^(?:[)\]\s]|\\n){1,24}$/;
const OF_READER = /syntax|pars(?:e|ing)|unexpected|lint|compil/i;

const isFrame = (line: string): boolean => /^(?:at|❯) /.test(line) && /:\d/.test(line);

/** Where the line starts whose number an offset is in, -1 where anything but blanks and an arrow stands before it. */
function numberedLine(text: string, start: number): number {
  let at = start;
  while (start - at < 24 && ' \t>=❯→0123456789'.includes(text[at - 1] ?? 'x')) {
    at--;
  }
  return at === 0 || text[at - 1] === '\n' || text.startsWith('\\n', at - 2) ? at : -1;
}

/** A first look: whether a frame stands before such lines, or may follow them. */
function isFrameNear(page: Page, at: number): boolean {
  const last = page.spans.at(-1);
  const isBehind = last?.rule === 'stack' && at - last.end < LONGEST_LINE;
  const reach = at + MOST_LINES * LONGEST_LINE;
  return isBehind || nextOf(page, 'at ', at) < reach || nextOf(page, '❯', at) < reach;
}

/** Those of a code frame, next to a frame of a trace. */
const detectFramed: Detector = (page, start) => {
  const { text } = page;
  const found = numberedLine(text, start);
  if (found < page.covered || found < (page.tried?.get(FRAMED) ?? 0) || !isFrameNear(page, found)) {
    return;
  }
  const from = linesBefore(page, found, FRAMED).at(-1)?.start ?? found;
  const lines = linesFrom(page, from, FRAMED);
  const end = lines.at(-1)?.end ?? from;
  page.tried ??= new Map();
  page.tried.set(FRAMED, Math.max(end, found + 1));
  const last = page.spans.at(-1);
  const isBehind = last?.rule === 'stack' && BEHIND_FRAME.test(text.slice(last.end, from));
  const isAhead = lines.length > 1 && isFrame(lineAt(page, end).text.trim());
  if (isBehind || (isAhead && !OF_READER.test(text.slice(Math.max(0, from - LONGEST_LINE), from)))) {
    lines.forEach((line) => {
      markSource(page, line);
    });
  }
};

const LISTED = /^\s{0,8}\d{1,6}:?\s.*$/;

/** Rails prints the source around a line below these words. */
const detectExtracted: Detector = (page, start) => {
  const head = lineAt(page, start);
  if (start >= page.covered && head.end > start + head.text.length) {
    for (const line of linesFrom(page, head.end, LISTED)) {
      markSource(page, line);
    }
  }
};

/** Triggers for lines of source. */
export function sourceLineTriggers(): Trigger[] {
  return [
    ['--> 0', detectArrow],
    ...['0 |', '0| ', '0 │', '0 > ', '=> 0'].map((word) => [word, detectFramed] as const),
    ['\ne       ', detectFailed],
    ['\\ne       ', detectFailed],
    ['extracted source (around', detectExtracted],
  ];
}
