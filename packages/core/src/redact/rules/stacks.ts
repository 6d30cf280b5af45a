import { BLOCK, type Detector, mark, matchAt } from '../page.ts';
import { charSet, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { type Pattern, patternTriggers } from './patterns.ts';
import { COMMON_FRAMES, detectStack, type Frames, LONGEST_LINE, lineTriggers } from './stack-lines.ts';

/** Those of other languages. */
const OTHER_FRAMES: Frames = [
  // .NET in other languages: `bei X.Y() in C:\x.cs:Zeile 3`
  /^[^\s(]{1,4} [\w.`<>[\],+$|]{3,200}\([^()]{0,200}\) [^\s(]{1,5} .{1,300}:[^\s\d:]{1,8} \d{1,7}\.?$/,
  // Ruby, Crystal, Elixir, Erlang, Lua, Perl
  /^(?:\d{1,3}: )?from .{1,200}:\d{1,7}(?::in .{1,120}|:\d+ in .{1,120})?$/,
  /^\S{1,200}\.(?:rb|cr):\d{1,7}:in (?:['`][^'`\n]{1,120}['`]|[^'`].{0,119})/,
  /^(?:\([\w ]{1,40} \d[\w.-]{0,20}\) )?\S{1,200}\.(?:exs?|erl):\d{1,7}: .{1,120}/,
  /^in (?:function|call from) .{1,200} \(.{1,120}, line \d{1,7}\)/,
  /^(?:\[C\]|\S{1,200}\.lua(?::\d{1,7})?): in .{1,160}/,
  /^\w{1,60}(?:::\w{1,60}){1,8}\(.{0,200}\) called at .{1,200} line \d{1,7}/,
  // PHP, C, Dart
  /^#\d{1,4}\s{1,8}(?:0x[0-9a-f]{4,16}|\{main\}|\[internal function\]|.{1,300}(?:\(\d{1,7}\): |:\d+:\d+\)|\) at |\) from \/)).{0,300}/,
  /^\S{1,200}\(\S{0,120}\+0x[0-9a-f]{1,8}\) ?\[0x[0-9a-f]{4,16}\]/,
  /^\d{1,3}# [\w:~<>*&,]{1,200}(?:\([^()\n]{0,160}\))? (?:at|in) .{1,200}|^@ {1,10}0x[0-9a-f]{4,16} .{1,200}/,
  // Rust, Swift, Objective-C, Zig
  /^\d{1,4}:\s{1,6}(?:0x[0-9a-f]{1,16} - .{1,200}|[\w<>{}$#&,.* ()[\]'-]{0,80}::.{1,200})/,
  /^\d{1,3}\s{1,40}\S.{0,60}?\s0x[0-9a-f]{4,16} .{1,200} \+ \d{1,9}$/,
  /^\d{1,3} {1,8}\S{1,60} {1,40}0x[0-9a-f]{9,16} \S.{0,300}$/,
  // Android
  /^(?:native: )?#\d{1,3} +pc (?:0x)?[0-9a-f]{4,16} +\S.{0,300}/,
  /^- (?:waiting (?:to lock|on)|locked) <0x[0-9a-f]{4,16}> \(an? [\w.$]{3,200}\).{0,60}/,
  /^\S{1,200}:\d{1,7}:\d{1,7}: 0x[0-9a-f]{1,16} in .{0,200}/,
  /^(?:#?\d{1,4}[:.]?\s{1,6})?(?:\S{1,60}\s{1,20})?0x[0-9a-f]{1,16}:? .{1,300} at \S{1,200}\.\w{1,5}:\d{1,7}(?::\d{1,7})?$/,
  // Nim, R, Racket, Tcl, MATLAB, Octave, Fortran, Apex
  /^\S{1,200}\.nims?\(\d{1,7}(?:, ?\d{1,7})?\) \S.{0,120}/,
  /^\d{1,4}: .{1,300} at \S{1,200}\.(?:[Rr]|Rmd|qmd)[#:]\d{1,7}(?::\d{1,7})?$|^Calls: .{1,300} -> .{1,300}/,
  /^\S{1,200}\.(?:rkt|scm|ss):\d{1,7}:\d{1,7}(?:: .{1,160})?$/,
  /^\(procedure "[^"]{1,120}" line \d{1,7}\)|^\(file "[^"]{1,200}" line \d{1,7}\)/,
  /^Error (?:in|using) \S{1,200} \(line \d{1,7}\)|^\S{1,120} at line \d{1,7} column \d{1,7}$/,
  /^At line \d{1,7} of file \S{1,200}/,
  /^(?:Class|Trigger)\.[\w.]{1,200}: line \d{1,7}, column \d{1,7}|^AnonymousBlock: line \d{1,7}, column \d{1,7}/,
  // OCaml, PowerShell
  /^(?:Raised|Called|Re-raised) (?:at|from|by) .{1,200} in file ".{1,200}", line \d{1,7}.{0,60}/,
  /^At .{1,200}:\d{1,7} char:\d{1,7}|^at [^,]{1,120}, .{1,300}: line \d{1,7}$/,
];
/** Those of all languages. */
export const ALL_FRAMES: Frames = [...COMMON_FRAMES, ...OTHER_FRAMES];

const LINE = charSet(/[^\n"]/, () => true);

/** A frame told by something in its midst: the line starts before it. */
const detectMidst: Detector = (page, start) => {
  let at = Math.max(runStart(page, LINE, start), start - LONGEST_LINE);
  const escaped = page.text.slice(at, start).lastIndexOf('\\n');
  at += escaped < 0 ? 0 : escaped + 2;
  detectStack(page, at, ALL_FRAMES);
};

const REASON =
  /[a-z ]{10,24}? {1,4}(?:in )?((?:[a-z]\w{0,80}:\w{1,80}\/\d{1,3}|[A-Z]\w{0,60}(?:\.\w{1,60}){1,8}[?!]?\/\d{1,3})(?: \([^()\n]{1,120}, line \d{1,7}\))?)(?![\w/])/y;

/** Places of code in the midst of a sentence. */
const PLACES: readonly Pattern[] = [
  ['panicked at', /panicked at (?:'[^'\n]{0,300}', )?([^\s:]{1,200}\.rs:\d{1,7}:\d{1,7})/y],
  ['file "', /file (\\{0,3}"[^"\n]{1,300}", line \d{1,7}(?:,? in [\w<>.]{1,120})?)/iy],
  ['framesummary file ', /framesummary file ([^\n>]{1,300})/iy],
  ['genserver ', /GenServer ((?:[A-Z]\w{0,60})(?:\.\w{1,60}){1,8})(?= terminating)/y],
  ['generic server ', /Generic server (\S{1,120})(?= terminating)/y],
  ['via package ', /via package \\{0,3}"(\w{1,60}(?:::\w{1,60}){1,8})(?=\\{0,3}")/y],
  ['error in ', /Error in ([A-Za-z.][\w.:$@]{0,80}\([^\n]{0,200}?\))(?= :(?:\s|\\n))/y],
  ['file /', /file (\/[^\s:]{1,200}\.swift, line \d{1,7})/iy],
  ['ora-00000: at ', /ora-06512: (at "[^"\n]{1,120}", line \d{1,7})/iy],
  ['pl/pgsql function ', /pl\/pgsql function ([^\n]{1,200}? line \d{1,7} at [\w ]{1,40})/iy],
  [' at (eval', / at (\(eval \d{1,6}\) line \d{1,7})/y],
  ['thrown in ', /thrown in (\/\S{1,200})/y],
  // Why a process of Erlang or Elixir ended
  ...['function clause matching ', 'in function ', 'in call from ', 'undefined function '].map(
    (words): Pattern => [words, REASON],
  ),
  ['error) function ', /error\) function ([A-Z][\w.]{1,120}[?!]?\/\d{1,3})(?= is undefined)/iy],
  ['genserver.call(', /GenServer\.call\(([A-Z]\w{0,60}(?:\.\w{1,60}){1,8})(?=[,)])/y],
  ['start call: ', /Start Call: ([a-z]\w{0,60}:\w{1,60})(?=\()/y],
  ['{undef,[{', /\{undef, ?\[\{([a-z]\w{0,60}, ?\w{1,60}, ?\[[^[\]\n]{0,200}\], ?\[\])(?=\})/y],
  ['initial call: ', /initial call: ([\w.]{1,60}:\w{1,60}\/\d{1,3})/y],
  ['make', /make(?:\[\d{1,2}\])?: \*\*\* \[([^\s:\]]{1,200}:\d{1,7})(?=:)/y],
  ['lua: ', /lua: ([^\s:]{1,200}\.lua:\d{1,7})(?=:)/y],
  ['error: ', /error: (\/[^\s:]{1,200}\.lua:\d{1,7})(?=:)/y],
];

const PATH = charSet(/[^\s"'(]/, () => true);
const AFTER_PATH =
  /\.(?:php(?::\d{1,7}| \(line \d{1,7}\)| (?:(?:on|at) )?line \d{1,7}|\(\d{1,7}\))|p[lm]:? line \d{1,7}(?:, <\w{1,20}> line \d{1,7})?|p[lm]:\d{1,7}|swift:\d{1,7}(?=: (?:Fatal|Precondition|Assertion))|swift, line \d{1,7}|lua:\d{1,7}(?:: \w{1,60}\(\))?(?=: )|php<\\?\/b> on line <b>\d{1,7}<\\?\/b>|sh: line \d{1,7}(?=:)|rb:\d{1,7}:in ['`][^'`\n]{1,120}['`])/iy;
/** Behind `at` or `in`, these are places too. */
const AFTER_AT = /\.(?:swift|r|rmd|nim|zig|rkt|f\d\d)[:#(]\d{1,7}(?::\d{1,7}|\))?/iy;

const CALL_END = /^\w{1,80}(?:\([^()\n]{0,120}\))? ?(?:in |\()?$/;

/** How much of what stands before a place is the call there: `App\Cart->add() in /srv/x.php:3`. */
export function callBefore(before: string): number {
  const sign = Math.max(before.lastIndexOf('->'), before.lastIndexOf('::'));
  if (sign < 0 || !CALL_END.test(before.slice(sign + 2))) {
    return 0;
  }
  const name = before.slice(0, sign);
  return before.length - Math.max(name.lastIndexOf(' '), name.lastIndexOf('"'), name.lastIndexOf('\n')) - 1;
}

/** `… in /srv/x.php on line 3`, `… at /srv/x.pl line 3`: a path and a line, told by the extension. */
const detectPlace: Detector = (page, start) => {
  const { text } = page;
  const from = runStart(page, PATH, start);
  const before = text.slice(Math.max(0, from - 6), from);
  if (start - from >= 220 || from < page.covered) {
    return;
  }
  if (
    /(?:(?:^|[\s:("])(?:in|at|file|from) |^|\n|[:\]] |\()$/.test(before) &&
    matchAt(AFTER_PATH, text, start)
  ) {
    const call = callBefore(text.slice(Math.max(0, from - 200), from));
    mark(page, from - call, AFTER_PATH.lastIndex, 'stack', 'stack', BLOCK);
  } else if (/(?:^|[\s:(])(?:in|at) $/.test(before) && matchAt(AFTER_AT, text, start)) {
    mark(page, from, AFTER_AT.lastIndex, 'stack', 'stack', BLOCK);
  }
};

const DART_FRAME = /\(package:[^()\s]{1,200}:\d{1,7}(?::\d{1,7})?\)/y;

/** A frame of Dart behind what a log puts before its lines: `flutter: #1      State.setState (package:…:9)`. */
const detectDart: Detector = (page, start) => {
  const { text } = page;
  const from = text[start - 1] === ' ' ? runStart(page, PATH, start - 1) : start;
  if (from < start - 1 && start - from < 120 && from >= page.covered && matchAt(DART_FRAME, text, start)) {
    mark(page, from, DART_FRAME.lastIndex, 'stack', 'stack', BLOCK);
  }
};

const COUNTER = / \(0x[0-9a-f]{4,16}\)/y;
const GO_FILE = /\.(?:go|s):\d{1,7}$/;

/** A place in Go with its counter, wherever it stands: `panic recovered: /srv/main.go:14 (0x4a3b2c)`. */
const detectCounter: Detector = (page, start) => {
  const from = runStart(page, PATH, start);
  const isFile =
    start - from < 220 &&
    from >= page.covered &&
    GO_FILE.test(page.text.slice(Math.max(from, start - 12), start));
  if (isFile && matchAt(COUNTER, page.text, start)) {
    mark(page, from, COUNTER.lastIndex, 'stack', 'stack', BLOCK);
  }
};

const NET_LINE = /:line \d{1,7}/y;
const NET_METHOD = /at [\w.`<>+$]{3,200}\([^()\n]{0,200}\) in $/;

/** `… at Acme.Program.Main(String[] args) in /src/Program.cs:line 9`, in the midst of a sentence too. */
const detectNetPlace: Detector = (page, start) => {
  const { text } = page;
  const from = runStart(page, PATH, start);
  const path = start - from < 260 ? text.slice(from, start) : '';
  if (
    /[\w`]\.(?:cs|vb|fs|cshtml|razor)$/i.test(path) &&
    from >= page.covered &&
    matchAt(NET_LINE, text, start)
  ) {
    const method = NET_METHOD.exec(text.slice(Math.max(0, from - 420), from))?.[0].length ?? 0;
    mark(page, from - method, NET_LINE.lastIndex, 'stack', 'stack', BLOCK);
  }
};

const LINE_NUMBER = / line \d{1,7}(?:, <\w{1,20}> line \d{1,7})?/y;

/** `at bin/run line 12`: Perl's way to name a place, whatever the file is called. */
const detectPerlPlace: Detector = (page, start) => {
  const { text } = page;
  const from = runStart(page, PATH, start);
  const path = start - from < 220 ? text.slice(from, start) : '';
  const isPlace = /(?:^|[\s:(])at $/.test(text.slice(Math.max(0, from - 4), from));
  if (
    isPlace &&
    /[/\\]|\.(?:t|cgi|f?cgi|psgi|al)$/.test(path) &&
    /^[\w.~/\\:-]+$/.test(path) &&
    from >= page.covered &&
    matchAt(LINE_NUMBER, text, start)
  ) {
    mark(page, from, LINE_NUMBER.lastIndex, 'stack', 'stack', BLOCK);
  }
};

const CLOJURE_AFTER = /\.clj[cs]?:\d{1,7}(?::\d{1,7})?\)/iy;

/** `Execution error at shop.core/add (core.clj:12)`: Clojure's place, in the midst of a sentence. */
const detectClojure: Detector = (page, start) => {
  const before = start < page.covered ? '' : page.text.slice(Math.max(0, start - 250), start);
  const place = before.slice(before.lastIndexOf(' at ') + 4);
  if (/^(?:[^\s()]{1,120} )?\([\w./-]{1,120}$/.test(place) && matchAt(CLOJURE_AFTER, page.text, start)) {
    mark(page, start - place.length, CLOJURE_AFTER.lastIndex, 'stack', 'stack', BLOCK);
  }
};

const TERM =
  /\[\{file, ?\\{0,3}"[^"\n]{1,200}"\}, ?\{line, ?\d{1,7}\}\]\}(?:, ?\{\w{1,60}, ?\w{1,60}, ?\d{1,3}, ?\[[^[\]\n]{0,200}\]\}){0,20}/y;
const TERM_OF_ELIXIR = /\[file: (?:~c)?\\{0,3}["'][^"'\n]{1,200}["'], line: \d{1,7}\]\}/y;

/** Erlang prints its stack as a list of terms. */
const detectTerm: Detector = (page, start) => {
  const near = page.text.slice(Math.max(0, start - 400), start);
  const list = near.indexOf('[{');
  const from = list < 0 ? near.lastIndexOf('{') : list + 1;
  const term = [TERM, TERM_OF_ELIXIR].find((one) => matchAt(one, page.text, start));
  if (from >= 0 && start >= page.covered && term) {
    mark(page, start - near.length + from, term.lastIndex, 'stack', 'stack', BLOCK);
  }
};

/** Triggers for stack traces. */
export function stackTriggers(): Trigger[] {
  const starts =
    'at |file "|file \\"|traceback (|goroutine |from /|#0 |0: |stack backtrace|stack trace|stacktrace|backtrace|callstack (|first throw|raised at|called from|... 0|0   |calls: |0# |@   |(procedure "|(file "|error in |error using |class.|trigger.|anonymousblock: |#00 pc |#00  pc |native: #|- waiting |- locked <';
  const midst =
    '.rb:0|.cr:0|.ex:0|.exs:0|.erl:0|.lua:0|.lua: in|@http|@file:|@[native|.js:0|called at|in function|in call from|+0x|.zig:0| char:0|kfun:|bundle:0|.nim(0|.nims(0|.r#0|.r:0|.rmd:0|.rkt:0|.scm:0|at line 0|.swift:0|.c:0|.cc:0|.cpp:0|.m:0|.mm:0|:zeile 0|:строка 0|:ligne 0|:línea 0|:riga 0|:linha 0|:wiersz 0|:regel 0|:行 0|:行号 0|:줄 0|:rad 0|:řádek 0|:satır 0';
  return [
    ...lineTriggers(starts, ALL_FRAMES),
    ...midst.split('|').map((word) => [word, detectMidst] as const),
    ...'.php|.pl|.pm|.rb:0|.swift:|.swift, line|.lua:0|.sh: line|.r:0|.r#0|.rmd:0|.nim(0|.zig:0|.rkt:0|.f00:0'
      .split('|')
      .map((word) => [word, detectPlace] as const),
    ...['.clj:0', '.cljc:0', '.cljs:0'].map((word) => [word, detectClojure] as const),
    [' line 0', detectPerlPlace],
    [':line 0', detectNetPlace],
    ['[{file,', detectTerm],
    ['[file: ', detectTerm],
    ['(package:', detectDart],
    [' (0x', detectCounter],
    ...patternTriggers({ rule: 'stack', class: 'stack', weight: BLOCK }, PLACES),
  ];
}
