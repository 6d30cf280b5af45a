/** Traces whose lines were joined into one, as logs and gateways do. */
import { BLOCK, type Detector, mark, matchAt, type Page } from '../page.ts';
import { nextOf } from '../runs.ts';
import type { Trigger } from '../scan.ts';

/** What may stand between two frames. */
const GAP = /[ \t,;]{0,8}(?:(?:\r?\n|(?:\\r)?\\n)[ \t]{0,12})?/y;

/** Where the frame ends that starts at an offset of a text, or -1 if none does. */
type Frame = (text: string, at: number) => number;

const by =
  (pattern: RegExp): Frame =>
  (text, at) =>
    matchAt(pattern, text, at) ? pattern.lastIndex : -1;

/** Marks the frames that follow one another from an offset on. */
function markFrames(page: Page, from: number, patterns: readonly Frame[]): void {
  const { text } = page;
  let at = from;
  let end = from;
  for (let isFrame = from >= page.stackDone; isFrame; ) {
    const stop = Math.max(...patterns.map((frame) => frame(text, at)));
    isFrame = stop > at;
    end = isFrame ? stop : end;
    matchAt(GAP, text, end);
    at = GAP.lastIndex;
  }
  if (end > from) {
    page.stackDone = Math.max(page.stackDone, end);
    mark(page, from, end, 'stack', 'stack', BLOCK);
  }
}

const LINE_START = /(?:^|[\n"]|\\n)(?:[ \t]|\\t){0,24}(?:\| {1,12})?$/;

/** What starts a line is a trace over several, which is read elsewhere. */
function isInLine({ text, covered }: Page, start: number): boolean {
  return start >= covered && !LINE_START.test(text.slice(Math.max(0, start - 44), start));
}

/** Frames that start with the keyword. */
function frames(...patterns: readonly Frame[]): Detector {
  return (page, start) => {
    if (isInLine(page, start)) {
      markFrames(page, start, patterns);
    }
  };
}

/** Frames behind a head. */
function headed(...patterns: readonly Frame[]): Detector {
  return (page, start, end) => {
    if (start >= page.covered) {
      HEAD_GAP.lastIndex = end;
      HEAD_GAP.test(page.text);
      markFrames(page, HEAD_GAP.lastIndex, patterns);
    }
  };
}

const HEAD_GAP = /(?:\s|\\[nrt]){0,16}/y;

const PHP =
  /#\d{1,4} {1,4}(?:\{main\}|(?:\[internal function\]|[^\s#([][^\n#(]{0,250}\(\d{1,7}\)): [^\s("]{1,200})/y;
const LONGEST_ARGUMENTS = 300;

/** A frame of PHP, with its arguments as far as their brackets close. */
const ofPhp: Frame = (text, at) => {
  if (!matchAt(PHP, text, at)) {
    return -1;
  }
  const end = PHP.lastIndex;
  let depth = 0;
  for (let i = end; i < Math.min(text.length, end + LONGEST_ARGUMENTS) && text[end] === '('; i++) {
    const char = text[i];
    depth += char === '(' ? 1 : char === ')' ? -1 : 0;
    if (depth === 0) {
      return i + 1;
    }
  }
  return end;
};

const DART = /#\d{1,4} {1,8}[^\n#(]{1,160}\(([^()\s]{1,200})\)/y;
const ofDart: Frame = (text, at) =>
  /\.(?:dart|js|ts|py|rb|go|rs|php):\d/.test(matchAt(DART, text, at)?.[1] ?? '') ? DART.lastIndex : -1;
const OF_C =
  /#\d{1,4} {1,8}0x[0-9a-f]{2,16} (?:in )?[^\s#]{1,120}(?: \([^()\n]{0,120}\))? (?:at )?[^\s#:]{1,200}:\d{1,7}(?::\d{1,7})?/y;
const OF_RUST =
  /\d{1,4}: (?:0x[0-9a-f]{4,16} - )?[\w<>{}&$#.]{1,80}(?:::[\w<>{}&$#.]{1,80}){1,12} at [^\s:]{1,200}:\d{1,7}(?::\d{1,7})?/y;
const OF_JULIA = /\[\d{1,3}\] [^\n@[]{1,200} @ (?:[\w.]{1,60} )?[^\s:]{1,200}\.jl:\d{1,7}/y;
const OF_LUA =
  /(?:\[C\]|[^\s:]{1,200}(?::\d{1,7})?): in (?:(?:function|upvalue|local|method|field|metamethod|global) )?(?:<[^>\n]{1,120}>|'[^'\n]{1,120}'|main chunk|\?)/y;
/** Node.js: which file asked for a module, and which for that. */
const REQUIRED = /- (?:\/|[A-Za-z]:\\|\.{1,2}\/|node:|file:)[^\n"']{1,300}/y;
const MODULE = /\.(?:[cm]?[jt]sx?|node|json)(?=\s|$)/;

const ofNode: Frame = (text, at) => {
  const line = matchAt(REQUIRED, text, at)?.[0].split(/\\n|(?<=\S) - /)[0] ?? '';
  const end = MODULE.exec(line);
  return end ? at + end.index + end[0].length : -1;
};

const OF_PYTHON = /File \\{0,3}"[^"\n]{1,300}",? (?:line \d{1,7},? )?in [\w<>.]{1,120}/iy;
const LONGEST_SOURCE = 300;
const RAISED = /(?:Error|Exception|Interrupt|Exit|Iteration|Warning|Group):?$/;

/** How much of a text stands before the word that names what was raised; all of the blanks, if none does. */
function untilRaised(text: string): number {
  const words = text.split(' ');
  const at = words.findIndex((word) => RAISED.test(word));
  return at < 1 ? 0 : words.slice(0, at).join(' ').length;
}
const TRACEBACK = /call (?:last|first)\):? {0,8}$/i;

/** Frames of Python with their source between them, up to what was raised. */
const detectPython: Detector = (page, start) => {
  const { text } = page;
  if (start < page.stackDone || !isInLine(page, start) || !matchAt(OF_PYTHON, text, start)) {
    return;
  }
  const line = Math.min(nextOf(page, '\n', start), nextOf(page, '\\n', start));
  let end = OF_PYTHON.lastIndex;
  let isTraceback = TRACEBACK.test(text.slice(Math.max(0, start - 40), start));
  for (
    let next = nextFile(page, end);
    next < line && next - end < LONGEST_SOURCE;
    next = nextFile(page, end)
  ) {
    if (!matchAt(OF_PYTHON, text, next)) {
      break;
    }
    end = OF_PYTHON.lastIndex;
    isTraceback = true;
  }
  page.stackDone = Math.max(page.stackDone, end);
  const source = isTraceback ? untilRaised(text.slice(end, Math.min(line, end + LONGEST_SOURCE))) : 0;
  mark(page, start, end + source, 'stack', 'stack', BLOCK);
};

function nextFile(page: Page, from: number): number {
  return Math.min(nextOf(page, 'File "', from), nextOf(page, 'File \\"', from));
}

const LONGEST_BOX = 20_000;

/** A trace in a box, as `rich` draws it. */
const detectBox: Detector = (page, start) => {
  const { text } = page;
  const top = text.slice(Math.max(0, start - 160), start).lastIndexOf('╭');
  const from = start - Math.min(start, 160) + top;
  const end = nextOf(page, '╯', start) + 1;
  if (top >= 0 && from >= page.covered && end <= text.length && end - from < LONGEST_BOX) {
    mark(page, from, end, 'stack', 'stack', BLOCK);
  }
};

/** Triggers for joined traces. */
export function joinedStackTriggers(): Trigger[] {
  return [
    ['#0 ', frames(ofPhp, ofDart, by(OF_C))],
    ['0: ', frames(by(OF_RUST))],
    ['[0] ', frames(by(OF_JULIA))],
    ['stack traceback:', headed(by(OF_LUA))],
    ['require stack:', headed(ofNode)],
    ['file "', detectPython],
    ['file \\"', detectPython],
    ['traceback (most', detectBox],
  ];
}
