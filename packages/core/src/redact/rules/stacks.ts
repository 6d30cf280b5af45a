import { BLOCK, type Detector, mark, matchAt, type Page } from '../page.ts';
import type { Trigger } from '../scan.ts';

/** A line break, real or spelled out by JSON. */
const BREAK = /\r?\n|(?:\\r)?\\n/y;

/** One line of a stack trace, without its line break, in the languages that servers are written in. */
const FRAMES: readonly RegExp[] = [
  // JavaScript, Java, .NET, Kotlin, Scala
  /[ \t]{0,24}(?:\\t)?at (?:[^\n\\]|\\(?!n)){0,300}?(?:\([^()\n]{0,300}(?:\([^()\n]{0,40}\)[^()\n]{0,40})?\)(?: in [^\n]{1,300}?:(?:line )?\d+)?|:\d+(?::\d+)?|<anonymous>)\]?(?=[ \t]{0,4}(?:\r?\n|\\[rn]|$|"|\{))/y,
  /[ \t]{0,24}at [^\n\\]{1,300}:(?:line )?\d+(?::\d+)?\)?(?=[ \t]{0,4}(?:\r?\n|\\[rn]|$|"))/y,
  /[ \t]{0,8}(?:\\t)?\.\.\. \d{1,5} (?:more|common frames omitted)/y,
  /[ \t]{0,8}---+ End of [^\n]{1,100} ---+/y,
  // Python
  /Traceback \(most recent call last\):?/y,
  /[ \t|]{0,24}File \\{0,3}"[^"\n]{1,300}", line \d{1,7}(?:, in [^\n\\]{1,120})?/y,
  // Go
  /goroutine \d{1,9} \[[^\]\n]{1,80}\]:/y,
  /(?:created by )?[\w./*()\-%]{3,200}\((?:[^()\n\\]{0,200})\)(?: in goroutine \d+)?(?=(?:\r?\n|\\n)(?:\t|\\t|[ ]{4})\/?[^\s:]{1,200}\.(?:go|s):\d)/y,
  /(?:\t|\\t|[ ]{1,8})[^\s:]{1,200}\.(?:go|s):\d{1,7}(?: \+0x[0-9a-f]{1,16})?/y,
  // Ruby, Crystal, Elixir, Perl
  /[ \t]{0,16}(?:\d{1,3}: )?from [^\n]{1,200}:\d{1,7}(?::in [^\n\\]{1,120})?/y,
  /[ \t]{0,16}\S{1,200}\.(?:rb|cr):\d{1,7}:in [^\n\\]{1,120}/y,
  /[ \t]{1,16}(?:\([\w ]{1,40} \d[\w.-]{0,20}\) )?\S{1,200}\.exs?:\d{1,7}: [^\n\\]{1,120}/y,
  // PHP, C
  /#\d{1,4}[ \t]{1,4}(?:0x[0-9a-f]{4,16} (?:in )?)?[^\n\\]{1,300}/y,
  /(?:\[?Stack ?trace\]?|Backtrace|stack backtrace):?/iy,
  // Rust, Swift
  /[ \t]{1,8}\d{1,4}:[ \t]{1,6}(?:0x[0-9a-f]{4,16} - )?[\w<>:{}$#&,.* ()[\]'-]{3,200}/y,
];

/** Lines of source that Python prints under a frame. */
const SOURCE = /[ \t]{4,24}(?:[^\n\\]|\\(?!n)){1,300}/y;
const OPENERS =
  /^\s*(?:\\t)?(?:at |File |Traceback|goroutine|from |#\d|created|\.\.\.|---|\d+:|Stack|Backtrace)/i;

/** Removes a run of frames as one block; the message above it stays. */
function detectStack(page: Page, lineStart: number): void {
  if (lineStart < page.stackDone) {
    return;
  }
  const { text } = page;
  let at = lineStart;
  let end = -1;
  let count = 0;
  let python = false;
  while (at < text.length) {
    const length = frameAt(text, at);
    if (length > 0) {
      python = /File \\{0,3}"/.test(text.slice(at, at + 40));
      count++;
      end = at + length;
    } else if (python && matchAt(SOURCE, text, at)) {
      end = SOURCE.lastIndex;
    } else if (count === 0 || text.slice(at, at + 2).trim() !== '' || !matchAt(BREAK, text, at)) {
      break;
    }
    const next = Math.max(end, at);
    if (
      !matchAt(/[ \t]{0,4}/y, text, next) ||
      !matchAt(BREAK, text, next + (/^[ \t]{0,4}/.exec(text.slice(next, next + 4))?.[0].length ?? 0))
    ) {
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

function frameAt(text: string, at: number): number {
  if (!OPENERS.test(text.slice(at, at + 40)) && !/^(?:\s|\\t|[\w./*()-]+\()/.test(text.slice(at, at + 200))) {
    return 0;
  }
  for (const frame of FRAMES) {
    const found = matchAt(frame, text, at);
    if (found) {
      return found[0].length;
    }
  }
  return 0;
}

/** The keyword stands at the start of a line, save for blanks. */
const detectLine: Detector = (page, start) => {
  const { text } = page;
  let at = start;
  while (at > 0 && start - at < 24 && (text[at - 1] === ' ' || text[at - 1] === '\t')) {
    at--;
  }
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

const INLINE = /at (?:[^()\n\\]{1,160} \()?[^()\s]{2,300}:\d{1,7}:\d{1,7}\)?/y;
const INLINE_JAVA =
  /at [\w.$<>]{1,200}\((?:[\w$]{1,80}\.(?:java|kt|scala|groovy|clj):\d{1,7}|Native Method|Unknown Source)\)/y;
const GAP = /[, \t]{0,8}(?:\\n)?[ \t]{0,8}(?=at )/y;

/** Frames that were joined into one line. */
function detectInline(page: Page, start: number, text: string): void {
  const next = text.charCodeAt(start + 3);
  if (start < page.covered || (next >= 48 && next <= 57)) {
    // `at 12:30` is a time.
    return;
  }
  let end = start;
  let at = start;
  while (at >= 0) {
    const script = matchAt(INLINE, text, at)?.[0] ?? '';
    const frame = /[\\/]|node:|<anonymous>/.test(script)
      ? script
      : (matchAt(INLINE_JAVA, text, at)?.[0] ?? '');
    end = frame === '' ? end : at + frame.length;
    at = frame !== '' && matchAt(GAP, text, end) ? GAP.lastIndex : -1;
  }
  mark(page, start, end, 'stack', 'stack', BLOCK);
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

/** A frame that begins with its path: the trigger is the extension, the line starts before it. */
const detectPath: Detector = (page, start) => {
  let at = start;
  while (at > 0 && start - at < 200 && /[^\s"']/.test(page.text[at - 1] as string)) {
    at--;
  }
  detectLine(page, at, at);
};
