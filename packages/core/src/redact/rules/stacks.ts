import { BLOCK, type Detector, mark, matchAt, type Page } from '../page.ts';
import { charSet, nextOf, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';

/** A line break, real or spelled out by JSON. */
const BREAK = /[ \t]{0,4}(?:\r?\n|(?:\\r)?\\n)/y;
const LONGEST_LINE = 700;

/** One line of a stack trace, in the languages that servers are written in. Nothing but a quote or brace may follow. */
const FRAMES: readonly RegExp[] = [
  // JavaScript, Java, .NET, Kotlin, Scala
  /^(?:\\t)?at [^()]{0,300}\((?:[^()]|\([^()]{0,40}\)){0,300}\)(?: in .{1,300}:(?:line )?\d+)?\]?(?=\s*(?:$|["{]))/,
  /^(?:\\t)?at .{1,300}?(?::(?:line )?\d+(?::\d+)?\)?|<anonymous>\)?)(?=\s*(?:$|["{]))/,
  /^(?:\\t)?\.\.\. \d{1,5} (?:more|common frames omitted)/,
  /^---+ End of .{1,100} ---+/,
  // Python
  /^Traceback \(most recent call last\):?/,
  /^[ \t|]{0,24}File \\{0,3}"[^"]{1,300}", line \d{1,7}(?:, in [^\\]{1,120})?/,
  // Go
  /^goroutine \d{1,9} \[[^\]]{1,80}\]:/,
  /^(?:\\t)?[^\s:]{1,200}\.(?:go|s):\d{1,7}(?: \+0x[0-9a-f]{1,16})?/,
  // Ruby, Crystal, Elixir, Perl
  /^(?:\d{1,3}: )?from .{1,200}:\d{1,7}(?::in .{1,120})?/,
  /^\S{1,200}\.(?:rb|cr):\d{1,7}:in .{1,120}/,
  /^(?:\([\w ]{1,40} \d[\w.-]{0,20}\) )?\S{1,200}\.exs?:\d{1,7}: .{1,120}/,
  // PHP, C
  /^#\d{1,4}[ \t]{1,4}(?:0x[0-9a-f]{4,16} (?:in )?)?.{1,300}/,
  /^(?:\[?Stack ?trace\]?|Backtrace|stack backtrace):?/i,
  // Rust, Swift
  /^\d{1,4}:[ \t]{1,6}(?:0x[0-9a-f]{4,16} - )?[\w<>:{}$#&,.* ()[\]'-]{3,200}/,
];
/** Go prints the call in one line and its place in the next. */
const GO_CALL = /^(?:created by )?[\w./*()\-%]{3,200}\([^()]{0,200}\)(?: in goroutine \d+)?$/;
const GO_PLACE = /(?:\r?\n|\\n)(?:\t|\\t|[ ]{4})\/?[^\s:]{1,200}\.(?:go|s):\d/y;
/** Lines of source that Python prints under a frame. */
const SOURCE = /^[ \t]{4,24}\S/;
const OPENERS = 'aFTgf#.-SsB(|\\0123456789';

/** Where the line ends that starts at an offset: at a line break, or at the quote that closes what it opens. */
function lineEnd(page: Page, at: number): number {
  const { text } = page;
  let end = Math.min(nextOf(page, '\n', at), nextOf(page, '\\n', at));
  if (text[at - 1] === '"') {
    const quote = nextOf(page, '"', at);
    end = text[quote - 1] === '\\' ? end : Math.min(end, quote);
  }
  return text[end - 1] === '\r' ? end - 1 : text.startsWith('\\r', end - 2) ? end - 2 : end;
}

/** The length of the frame that a line is, zero if it is none. */
function frameLength(page: Page, line: string, end: number): number {
  const body = line.trimStart();
  if (!OPENERS.includes(body.charAt(0))) {
    const isPath = /\.(?:rb|cr|exs?|go|s):\d/.test(body);
    if (!isPath) {
      return GO_CALL.test(body) && matchAt(GO_PLACE, page.text, end) ? line.length : 0;
    }
  }
  for (const frame of FRAMES) {
    const found = frame.exec(body);
    if (found) {
      return line.length - body.length + found[0].length;
    }
  }
  return GO_CALL.test(body) && matchAt(GO_PLACE, page.text, end) ? line.length : 0;
}

/** Removes a run of frames as one block; the message above it stays. */
function detectStack(page: Page, lineStart: number): void {
  if (lineStart < page.stackDone) {
    return;
  }
  const { text } = page;
  let at = lineStart;
  let end = -1;
  let python = false;
  while (at < text.length) {
    const stop = lineEnd(page, at);
    const line = stop - at > LONGEST_LINE ? '' : text.slice(at, stop);
    const length = line === '' ? 0 : frameLength(page, line, stop);
    if (length > 0) {
      python = /File \\{0,3}"/.test(line.slice(0, 40));
      end = at + length;
    } else if (python && SOURCE.test(line)) {
      end = stop;
    } else if (end < 0 || stop > at) {
      break;
    }
    if (!matchAt(BREAK, text, Math.max(end, at))) {
      break;
    }
    at = BREAK.lastIndex;
  }
  page.stackDone = Math.max(page.stackDone, at, lineStart + 1);
  if (end > lineStart) {
    const indent = /^[ \t]*/.exec(text.slice(lineStart, lineStart + 24))?.[0].length ?? 0;
    mark(page, lineStart + indent, end, 'stack', 'stack', BLOCK);
  }
}

/** The keyword stands at the start of a line, save for blanks. */
const detectLine: Detector = (page, start) => {
  const { text } = page;
  let at = Math.max(runStart(page, BLANK, start), start - 24);
  if (at >= 2 && text[at - 1] === 't' && text[at - 2] === '\\') {
    at -= 2;
  }
  const previous = text[at - 1];
  if (at === 0 || previous === '\n' || (previous === 'n' && text[at - 2] === '\\') || previous === '"') {
    detectStack(page, at);
  } else {
    detectInline(page, start, text);
  }
};

const BLANK = charSet(/[ \t]/);
const INLINE = /at (?:[^()\n\\]{1,160} \()?[^()\s]{2,300}:\d{1,7}:\d{1,7}\)?/y;
const INLINE_JAVA =
  /at [\w.$<>]{1,200}\((?:[\w$]{1,80}\.(?:java|kt|scala|groovy|clj):\d{1,7}|Native Method|Unknown Source)\)/y;
const GAP = /[, \t]{0,8}(?:\\n)?[ \t]{0,8}(?=at )/y;
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
    const frame = /[\\/]|node:|<anonymous>/.test(script)
      ? script
      : (matchAt(INLINE_JAVA, text, at)?.[0] ?? '');
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

const PANIC = /panicked at (?:'[^'\n]{0,300}', )?([^\s:]{1,200}\.rs:\d{1,7}:\d{1,7})/y;
const detectPanic: Detector = (page, start) => {
  const found = matchAt(PANIC, page.text, start);
  if (found?.[1]) {
    mark(page, PANIC.lastIndex - found[1].length, PANIC.lastIndex, 'stack', 'stack', BLOCK);
  }
};

const PHP_PLACE = / in (\/[^\s:()]{1,200}\.php)(?::| on line |\()(\d{1,7})\)?/y;
const detectPhp: Detector = (page, start) => {
  const near = Math.max(0, start - 220);
  const from = near + page.text.slice(near, start).lastIndexOf(' in ');
  const found = from >= near ? matchAt(PHP_PLACE, page.text, from) : null;
  if (found) {
    mark(page, from + 4, PHP_PLACE.lastIndex, 'stack', 'stack', BLOCK);
  }
};

/** Triggers for stack traces. */
export function stackTriggers(): Trigger[] {
  const lines = [
    'at ',
    'file "',
    'file \\"',
    'traceback (',
    'goroutine ',
    'from /',
    '#0 ',
    '0: ',
    'stack backtrace',
    'stack trace',
    'stacktrace',
    '.rb:0',
    '.ex:0',
    '.exs:0',
  ];
  return [
    ...lines.map((word) => [word, word.startsWith('.') ? detectPath : detectLine] as const),
    ['panicked at', detectPanic],
    ['.php', detectPhp],
  ];
}

const PATH = charSet(/[^\s"']/, () => true);

/** A frame that begins with its path: the trigger is the extension, the line starts before it. */
const detectPath: Detector = (page, start) => {
  const at = Math.max(runStart(page, PATH, start), start - 200);
  detectLine(page, at, at);
};
