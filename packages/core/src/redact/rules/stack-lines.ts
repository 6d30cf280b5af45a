/** Stack traces over lines, and frames that were joined into one. */
import { BLOCK, type Detector, isInJsonName, jsonStringEnd, mark, matchAt, type Page } from '../page.ts';
import { charSet, nextOf, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';

/** A line break, real or spelled out by JSON. */
const BREAK = /[ \t]{0,4}(?:\r?\n|(?:\\r)?\\n)/y;
export const LONGEST_LINE = 700;

/** What one line of a trace looks like, in some languages. */
export type Frames = readonly RegExp[];

/** One line of a stack trace without its indent. Only what is surely a frame: lists and sentences look like some. */
export const COMMON_FRAMES: Frames = [
  // JavaScript, Java, .NET, Kotlin, Scala
  /^at .{0,300}?\((?:[^()\s]{1,300}:\d+|[^()]{0,300}[\\/<.][^()]{0,300}:(?:0x)?[0-9a-f]+|native|<anonymous>|index \d+|[^()]{0,300}<anonymous>[^()]{0,9}|Native [Mm]ethod|Unknown Source|[\w$]+\.(?:java|kt))\)/,
  /^at (?!\d).{1,300}?(?:\.\w{1,5}:\d+(?::\d+)?|:\d+:\d+|<anonymous>)(?=["\s]*$|["{])/,
  /^at [\w.`<>[\],+$|/]{3,200}\.[\w.`<>[\],+$|]{1,100}\([^()]{0,200}\)(?: in .{1,300}:(?:line )?\d+)?/,
  /^at [\w`<>$]{3,200}\([^()]{0,200}\)$/,
  /^at \d+ +\S{1,80} +0x[0-9a-f]{4,16} .{1,300}/,
  /^\.\.\. \d{1,5} (?:more|common frames omitted)|^---+ End of .{1,100} ---+|^<asynchronous suspension>/,
  /^[^\s@]{0,80}(?: code)?@(?:(?:https?|file|webpack|webpack-internal|chrome|resource|moz-extension):\S{1,300}|[\w./-]{1,200}\.(?:\w{2,4}|\w{0,8}bundle)|\[native code\])(?::\d+:\d+)?$/,
  // Python
  /^(?:[+|] {0,6})?(?:Exception Group )?Traceback \(most recent call last\):?/,
  /^(?:\| {1,6})?File \\{0,3}"[^"]{1,300}",? (?:line \d{1,7}(?:,? in [^\\]{1,120})?|in [\w<>.]{1,120}$)/,
  // Go
  /^goroutine \d{1,9} \[[^\]]{1,80}\]:|^[^\s:]{1,200}\.(?:go|s):\d{1,7}(?: \+0x[0-9a-f]{1,16}| \(0x[0-9a-f]{1,16}\))?$/,
];
/** A line after which every indented line is a frame. */
const HEADER =
  /^(?:\*\*\* |\[)?(?:first throw call stack|stack ?trace(?:back)?|(?:stack )?backtrace|CallStack \(from HasCallStack\))\]?:?$/i;
/** Go prints the call in one line and its place in the next. */
const GO_CALL =
  /^(?:created by )?[\w./*()\-%]{3,200}(?:\([^()]{0,200}\)|\.\w{1,80})(?: in goroutine \d+)?$|^created by .{1,200} in goroutine \d+$|^created by [\w./*()%-]{3,200}$/;
/** The last of them may have been cut off before its place. */
const CREATED = /^created by \S{3,200} in goroutine \d{1,9}$/;
const GO_PLACE = /(?:\r?\n|\\n)(?:\t|\\t|[ ]{4})\/?[^\s:]{1,200}\.(?:go|s):\d/y;
/** Lines of source that Python and PowerShell print under a frame. */
const SOURCE =
  /^(?:[ \t]{4,24}|[ \t]{0,20}\| {4,12}|\+ {1,12})(?!\+ (?:CategoryInfo|FullyQualifiedErrorId) )\S|^[ \t]{1,200}\^~{0,60}$/;
/** Frames of R that say no place stand among those that do. */
const R_CALL = /^\d{1,4}: .{1,300}\)$/;
const OPENERS = 'aATgfE#.-FcCnR(|+[@0123456789';

/** Where the line ends that starts at an offset: at a line break, or at the quote that closes what it opens. */
function lineEnd(page: Page, at: number): number {
  const { text } = page;
  let end = Math.min(nextOf(page, '\n', at), nextOf(page, '\\n', at), jsonStringEnd(page, at));
  if (text[at - 1] === '"') {
    const quote = nextOf(page, '"', at);
    end = text[quote - 1] === '\\' ? end : Math.min(end, quote);
  }
  return text[end - 1] === '\r' ? end - 1 : text.startsWith('\\r', end - 2) ? end - 2 : end;
}

/** The length of the frame that a line is, zero if it is none. */
function frameLength(page: Page, line: string, end: number, frames: Frames): number {
  const body = line.replace(/^(?:\s|\\t)+/, '');
  const isPath =
    /\.(?:rb|cr|exs?|erl|go|s|lua|zig):\d|@(?:https?|file|\[)|\.js:\d+:\d+$|\+0x|called at |\.lua: in |in (?:fun|call)/;
  const isOtherPath = /bundle:\d|\.nims?\(\d|\.(?:rkt|scm|ss):\d|at line \d|:[^\s\d:]{1,8} \d/;
  if (HEADER.test(body)) {
    return line.length;
  }
  if (OPENERS.includes(body.charAt(0)) || isPath.test(body) || isOtherPath.test(body)) {
    for (const frame of frames) {
      const found = frame.exec(body);
      if (found) {
        return line.length - body.length + found[0].length;
      }
    }
  }
  const isCall = GO_CALL.test(body) && matchAt(GO_PLACE, page.text, end);
  return isCall || CREATED.test(body) ? line.length : 0;
}

/** Removes a run of frames as one block; the message above it stays. */
export function detectStack(page: Page, lineStart: number, frames: Frames): void {
  if (lineStart < page.stackDone || (page.text[lineStart - 1] === '"' && isInJsonName(page, lineStart))) {
    return;
  }
  const { text } = page;
  let at = lineStart;
  let end = -1;
  let isSource = false;
  let isHeaded = false;
  let isOfR = false;
  let hasFrame = false;
  while (at < text.length) {
    const stop = lineEnd(page, at);
    const line = stop - at > LONGEST_LINE ? '' : text.slice(at, stop);
    const length = line === '' ? 0 : frameLength(page, line, stop, frames);
    if (length > 0) {
      isSource = /File \\{0,3}"|^At /.test(line.slice(0, 40)) || /\.zig:\d/.test(line);
      isOfR ||= /\.(?:[Rr]|Rmd|qmd)[#:]\d/.test(line);
      const isHead = HEADER.test(line.trim());
      isHeaded ||= isHead;
      hasFrame ||= !isHead;
      end = at + length;
    } else if (
      (isSource && SOURCE.test(line)) ||
      (isOfR && R_CALL.test(line)) ||
      (isHeaded && /^(?:\s|\\t)+\S|^[()]$|^coroutine \d+:$/.test(line))
    ) {
      end = stop;
      hasFrame = true;
    } else if (end < 0 || stop > at) {
      break;
    }
    if (!matchAt(BREAK, text, Math.max(end, at))) {
      // What is left of a frame's line goes with it: `~[app.jar:1.0]`.
      end = length > 0 && /^ ~?\[[^\]\n]{1,80}\]$/.test(text.slice(end, stop)) ? stop : end;
      if (!matchAt(BREAK, text, end)) {
        break;
      }
    }
    at = BREAK.lastIndex;
  }
  page.stackDone = Math.max(page.stackDone, at, lineStart + 1);
  // A head without frames may be a name, or say that there are none.
  if (hasFrame && end > lineStart) {
    const indent = /^(?:[ \t]|\\t)*/.exec(text.slice(lineStart, lineStart + 24))?.[0].length ?? 0;
    mark(page, lineStart + indent, end, 'stack', 'stack', BLOCK);
  }
}

const BLANK = charSet(/[ \t]/);

/** The keyword stands at the start of a line, save for blanks. */
const detectLine = (page: Page, start: number, frames: Frames): void => {
  const { text } = page;
  let at = Math.max(runStart(page, BLANK, start), start - 24);
  if (at >= 2 && text[at - 1] === 't' && text[at - 2] === '\\') {
    at -= 2;
  }
  // A group of exceptions is drawn with a line down its side.
  if (text[at - 1] === '|') {
    at = Math.max(runStart(page, BLANK, at - 1), at - 40);
  }
  const previous = text[at - 1];
  if (at === 0 || previous === '\n' || (previous === 'n' && text[at - 2] === '\\') || previous === '"') {
    detectStack(page, at, frames);
  } else {
    detectInline(page, start, text);
  }
};

const INLINE = /at (?:[^()\n\\]{1,160} \()?[^()\s]{2,300}:\d{1,7}:\d{1,7}\)?/y;
const INLINE_NET =
  /at [A-Za-z_][\w`<>+$]{0,120}(?:\.{1,2}[\w`<>+$[\],|]{1,120}){2,20}\([^()\n]{0,200}\)(?: in [^\s"]{1,260}:line \d{1,7})?/y;
const INLINE_JAVA =
  /at [\w.$<>]{1,200}\((?:[\w$]{1,80}\.(?:java|kt|scala|groovy|clj):\d{1,7}|Native Method|Unknown Source)\)/y;
const GAP = /[, \t]{0,8}(?:\\n)?[ \t]{0,8}(?=at )/y;
const OF_SCRIPT = /[\\/]|node:|<anonymous>|[\w-]\.[cm]?[jt]sx?:\d|bundle:/;
const FARTHEST = 480;

/** Frames that were joined into one line. */
function detectInline(page: Page, start: number, text: string): void {
  const next = text.charCodeAt(start + 3);
  if (start < page.covered || (next >= 48 && next <= 57)) {
    // `at 12:30` is a time.
    return;
  }
  let end = start;
  let at = start;
  while (at >= 0 && mayBeFrame(page, at)) {
    const script = matchAt(INLINE, text, at)?.[0] ?? '';
    const frame = OF_SCRIPT.test(script)
      ? script
      : ((matchAt(INLINE_JAVA, text, at) ?? matchAt(INLINE_NET, text, at))?.[0] ?? '');
    end = frame === '' ? end : at + frame.length;
    at = frame !== '' && matchAt(GAP, text, end) ? GAP.lastIndex : -1;
  }
  mark(page, start, end, 'stack', 'stack', BLOCK);
}

/** A frame has a colon or a parenthesis before the next frame begins. */
function mayBeFrame(page: Page, at: number): boolean {
  const near = Math.min(nextOf(page, ':', at), nextOf(page, '(', at));
  return near - at < FARTHEST && near < nextOf(page, ' at ', at + 3);
}

/** Triggers for lines of traces that start with a word. */
export function lineTriggers(words: string, frames: Frames): Trigger[] {
  const detect: Detector = (page, start) => detectLine(page, start, frames);
  return words.split('|').map((word) => [word, detect]);
}
