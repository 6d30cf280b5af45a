/**
 * Places of code in the midst of a sentence or of a log's line: `KeyError: /srv/load.py:88 in load_rows`. A linter and a
 * compiler name places too, of the reader's own code: what stands around the place tells which it is.
 */
import { BLOCK, type Detector, mark, matchAt, type Page } from '../page.ts';
import { charSet, runStart } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { functionsBeside, isInLogHead, isInLogMargin } from './logged-places.ts';
import { build } from './patterns.ts';
import { detectStack } from './stack-lines.ts';
import { ALL_FRAMES, callBefore } from './stacks.ts';

const EXTENSIONS =
  'py pyx rb ru rake erb cr go s rs js ts jsx tsx mjs cjs mts cts java kt scala groovy cs fs vb php ex exs erl hs jl c cc cpp cxx h hpp cu swift dart pl pm lua r nim zig m mm'.split(
    ' ',
  );
const PATH = charSet(/[^\s"'`()=<>[\]{},;|]/, () => true);
const LONGEST_PATH = 260;
const AFTER = build(`\\.(${EXTENSIONS.join('|')})(?:(?::\\d{1,7}){1,2}|\\(\\d{1,7}\\))(?![\\w-])`, 'iy');
const NEAR = 300;

/** A place, and what stands around it. */
interface Place {
  readonly page: Page;
  readonly from: number;
  readonly end: number;
  readonly path: string;
  readonly extension: string;
  readonly hasColumn: boolean;
  readonly before: string;
}

const detectPlace: Detector = (page, start) => {
  const { text } = page;
  let from = runStart(page, PATH, start);
  const extension = matchAt(AFTER, text, start)?.[1]?.toLowerCase();
  const end = AFTER.lastIndex;
  if (extension === undefined || start - from > LONGEST_PATH) {
    return;
  }
  const run = text.slice(from, start);
  // JSON spells line breaks out; a path of Windows only looks so.
  from += /^[A-Za-z]:\\/.test(run) ? 0 : Math.max(run.lastIndexOf('\\n'), run.lastIndexOf('\\t')) + 1;
  from += text[from - 1] === '\\' ? 1 : 0;
  if (from < page.covered || from >= start) {
    return;
  }
  const said = text.slice(start, end);
  const place = {
    page,
    from,
    end,
    path: text.slice(from, start),
    extension,
    hasColumn: said.indexOf(':') !== said.lastIndexOf(':'),
    before: text.slice(Math.max(0, from - NEAR), from),
  };
  // A line in brackets is a place only where a log says so.
  (said.endsWith(')') ? [isLogged] : JUDGES).some((judge) => judge(place));
};

type Judge = (place: Place) => boolean;

const markFrom = ({ page }: Place, from: number, end: number): boolean =>
  mark(page, from, end, 'stack', 'stack', BLOCK);

const OF_GO = /^(?:go|s)$/;
const GO_INDENT = /(?:\r?\n|(?:\\r)?\\n)(?:\t|\\t| {4})$/;
const GO_END = /(?: \+0x[0-9a-f]{1,16})?(?=\r?\n|\\|"|\s{0,8}$)/y;
const GO_NAME = /^[\w./%*()-]{3,200}$/;

function lastWord(text: string): string {
  return text.slice(Math.max(text.lastIndexOf(' '), text.lastIndexOf('"')) + 1);
}

/** The call that a text ends with, if it does: `main.(*Cart).Add(0x1, 0x2)`. */
function callAtEnd(text: string): string {
  const args = /\(\*\w{1,80}$/.test(text) || !text.endsWith(')') ? text.length : text.lastIndexOf('(');
  return lastWord(text.slice(0, Math.max(0, args))) + text.slice(Math.max(0, args));
}

/** Go says the function in the line before its place, or right before it. */
const isOfGo: Judge = (place) => {
  const { page, from, end, before } = place;
  if (!OF_GO.test(place.extension)) {
    return false;
  }
  const indent = GO_INDENT.exec(before)?.[0].length ?? (before.endsWith(' ') ? 1 : 0);
  const line = before.slice(0, before.length - indent);
  const begun = indent === 0 ? '' : (line.split(/\n|\\n/).at(-1) ?? '');
  const name = callAtEnd(begun);
  const called = name.includes(' ') ? name.slice(0, name.lastIndexOf('(')) : name;
  if (!GO_NAME.test(called) || !/\.[\w(]/.test(called)) {
    return false;
  }
  const start = from - indent - name.length;
  if (indent === 1) {
    return markFrom(place, start, matchAt(GO_END, page.text, end) ? GO_END.lastIndex : end);
  }
  const marked = page.spans.length;
  detectStack(page, start, ALL_FRAMES);
  return page.spans.length > marked;
};

const IN =
  /,? in (?:function |method )?['"`]?[\w<>.$:#!?*]{2,120}['"`]?(?:\([^()\n]{0,80}\))?(?=\s{0,4}$|[\n(),;:"'\\\]>]| {1,40}│)/y;
const CALL = /,? [\w<>.]{2,80}\(\)/y;

/** `/srv/load.py:88 in load_rows`. */
const isIn: Judge = (place) =>
  matchAt(IN, place.page.text, place.end) !== null && markFrom(place, place.from, IN.lastIndex);

const LABEL =
  /(?:^|[\s,{"'[(])(?:caller|source|src|origin|(?:back_?)?trace|stack(?:_?trace)?|raised[_ ]?at|thrown[_ ]?at|thrown[_ ]?from)["']?[=:] ?["']?$/i;
const LOCATION = /(?:^|[\s.]|\\n)Location:(?:\s|\\[nrt]){1,16}$/;
const LOGGED =
  /\d\d:\d\d:\d\d(?:[.,]\d{1,9})?Z?\]?\s$|(?:^|[\s[\]"]|\\n)(?:ERROR|ERR|WARN|WARNING|INFO|DEBUG|FATAL|PANIC|DPANIC|CRITICAL)\]?[\s:]{1,3}\[?$/;

/** What a log, or a report of Rust's, puts before a place. */
const isLabelled: Judge = (place) => {
  const { before, extension, hasColumn } = place;
  return (
    (LABEL.test(before.slice(-24)) ||
      (LOCATION.test(before.slice(-40)) && (extension === 'rs' || /\n|\\n/.test(before.slice(-20)))) ||
      (LOGGED.test(before.slice(-40)) && !hasColumn)) &&
    markFrom(place, place.from, place.end)
  );
};

/** What a linter or a compiler says behind a place of the reader's code. */
const FOUND_FAULT =
  /^(?:\s{0,3}[:-]{0,2}\s{0,3}(?:fatal |syntax |parse )?(?:error|warning|warn|note|info|hint|style|failure)(?![\w(])|:? ?[A-Z]{1,4}\d{2,5}(?!\w)|: [A-Z]: )/i;
const COUNTER = / \(0x[0-9a-f]{4,16}\)/y;
const CARET = /(?:\r?\n|\\n)[^\n\\]{1,200}(?:\r?\n|\\n)\s{0,200}\^{1,80}(?=\s|\\n|"|$)/y;

/** A whole path and a line, but not where a tool finds fault with the reader's code. */
const isWhole: Judge = (place) => {
  const { page, from, end, path, hasColumn } = place;
  const after = page.text.slice(end, end + 40);
  if (!ABSOLUTE.test(path) || FOUND_FAULT.test(after) || (hasColumn && /^:|^ {2}/.test(after))) {
    return false;
  }
  // Go says the counter behind the place, Node.js prints the source under it.
  const more = [COUNTER, CARET].find((one) => matchAt(one, page.text, end));
  return markFrom(place, from - callBefore(place.before), more?.lastIndex ?? end);
};

/** In the head of a log's line, or at its end in a column of its own; the function beside it goes with it. */
const isLogged: Judge = (place) => {
  const { page, end, path, hasColumn } = place;
  const { text } = page;
  // `ERROR:ledger:close.py:58`: what the logger is called is no part of the path.
  const logger = ABSOLUTE.test(path) || /[^\w.$:/-]/.test(path) ? 0 : path.lastIndexOf(':') + 1;
  const from = place.from + logger;
  const before = place.before + path.slice(0, logger).replaceAll(':', ' ');
  const after = text.slice(end, end + 40);
  if (FOUND_FAULT.test(after) || (hasColumn && /^:|^ {2}/.test(after))) {
    return false;
  }
  if (!isInLogHead(before, after)) {
    return isInLogMargin(before, after) && markFrom(place, from, end);
  }
  const [ahead, behind] = functionsBeside(text, from, end);
  return markFrom(place, from - ahead, end + behind);
};

const IN_RUBY = /:in (?:'[^'\n]{1,120}'|`[^'`\n]{1,120}['`])/y;

/** `app/cart.rb:31:in 'total'`, wherever it stands. */
const isOfRuby: Judge = (place) =>
  matchAt(IN_RUBY, place.page.text, place.end) !== null && markFrom(place, place.from, IN_RUBY.lastIndex);

/** So near behind one frame the next one stands. */
const NEXT = 4;

/** The next of several, whatever parts them: `…, app/run.rb:3`. */
const isNext: Judge = (place) => {
  const { page, from, before } = place;
  const last = page.spans.at(-1);
  const isBehind = last?.rule === 'stack' && from - last.end <= NEXT && from > last.end;
  return isBehind && /[,|;<>-] ?$/.test(before.slice(-3)) && markFrom(place, from, place.end);
};

const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|file:|~\/)/;
const SCRIPT = /^[cm]?[jt]sx?$/;

/** Unity says the call before the place: `CloseJob.Run (System.Int32 month) (at Assets/CloseJob.cs:58)`. */
const UNITY_CALL = /^[\w.$<>:`+]{2,160} ?\([^()]{0,160}\) \(at $/;

/** `no rows (/srv/load.py:88)`, `… at app/load.rb:88`, `at Acme.Cart.Add in /src/Cart.cs:31`. */
const isToldWhere: Judge = (place) => {
  const { page, before, path, extension, end } = place;
  const word =
    /(?:[([]|(?:^|[\s(])(?:at|from|file|in|@) )$/i.exec(before.slice(-6))?.[0].replace(/\W/g, '') ?? '';
  const isClosed = /[([]$/.test(before) && /[)\]]/.test(page.text[end] ?? '');
  const isAt =
    (/at$/i.test(word) && !SCRIPT.test(extension)) ||
    (ABSOLUTE.test(path) && word !== '' && !(/in$/i.test(word) && SCRIPT.test(extension)));
  if (!(isAt || isClosed) || FOUND_FAULT.test(page.text.slice(end, end + 40))) {
    return false;
  }
  const unity = UNITY_CALL.exec(before.split(/\n|\\n/).at(-1) ?? '')?.[0].length ?? 0;
  if (unity > 0) {
    return markFrom(place, place.from - unity, end);
  }
  const words = /in$/i.test(word) ? before.slice(0, -4).split(' ') : [];
  const called = /^\(?at$/.test(words.at(-2) ?? '') ? (words.at(-1)?.length ?? 0) + 4 : 0;
  return markFrom(place, place.from - called, matchAt(CALL, page.text, end) ? CALL.lastIndex : end);
};

const NAME = charSet(/[\w.$<>/]/);
const OF_JAVA = /^(?:java|kt|scala|groovy)$/;

/** `com.acme.Cart.add(Cart.java:31)`, without `at` before it. */
const isOfJava: Judge = (place) => {
  const { page, from, end, before, extension } = place;
  const { text } = page;
  if (!OF_JAVA.test(extension) || text[from - 1] !== '(' || text[end] !== ')') {
    return false;
  }
  const name = Math.max(runStart(page, NAME, from - 1), from - NEAR);
  const isNamed = text.slice(name, from - 1).includes('.');
  const at = isNamed && before.slice(0, before.length - (from - name)).endsWith('at ') ? 3 : 0;
  return isNamed ? markFrom(place, name - at, end + 1) : markFrom(place, from, end);
};

const MFA = /: (?::?[\w.]{1,120}[?!]?\/\d{1,3}|anonymous fn\/\d{1,2} in [\w.]{1,120}[?!]?\/\d{1,3})/y;
const APPLICATION = /^\([a-z]\w{0,40} \d[\w.-]{0,20}\) $/;
const FUNCTION = /^[A-Z][\w.]{1,120}[?!]?\/\d{1,3}$/;

/** How much of what stands before a place is its application and its function. */
function ofElixirBefore(before: string): number {
  const open = before.lastIndexOf('(');
  const app = open >= 0 && APPLICATION.test(before.slice(open)) ? before.length - open : 0;
  const rest = before.slice(0, before.length - app);
  const name = rest.endsWith(' ') ? lastWord(rest.slice(0, -1)) : '';
  return app + (FUNCTION.test(name) ? name.length + 1 : 0);
}

/** `Rates.Fx.pull/1 (rates 0.1.0) lib/rates/fx.ex:18`, in the one order or the other. */
const isOfElixir: Judge = (place) => {
  const { page, from, end } = place;
  if (!/^(?:exs?|erl)$/.test(place.extension)) {
    return false;
  }
  const app = ofElixirBefore(place.before);
  const stop = matchAt(MFA, page.text, end) ? MFA.lastIndex : end;
  return (app > 0 || stop > end) && markFrom(place, from - app, stop);
};

const ASSERTION = /: [\w:~<>*&]{1,160}(?:\([^()\n]{0,160}\))?(?=: Assertion)/y;
const SCRIPT_FRAME = /^[\w$.<>/*]{0,80}@[^\s@]{1,260}$/;

/** `cart.c:31: add: Assertion`, `add@main.js:2:9`. */
const isSaidSo: Judge = (place) => {
  const { page, from, end, path } = place;
  if (matchAt(ASSERTION, page.text, end)) {
    return markFrom(place, from, ASSERTION.lastIndex);
  }
  return place.hasColumn && SCRIPT_FRAME.test(path) && markFrom(place, from, end);
};

const JUDGES: readonly Judge[] = [
  isOfGo,
  isOfJava,
  isOfElixir,
  isOfRuby,
  isIn,
  isLogged,
  isLabelled,
  isToldWhere,
  isSaidSo,
  isNext,
  isWhole,
];

const CALLED = /called at (?:[^\s"']{1,200}(?: line \d{1,7}|:\d{1,7}:\d{1,7} in [^\s"'\\]{1,120}))/iy;
const CALLS = /^(?:\w{1,60}(?:::\w{1,60}){0,8}\([^()\n]{0,200}\)|\w{1,60},)$/;
const EVAL = 'eval {...}';

/** `Shop::add(4) called at /srv/run.pl line 9`, `error, called at src/Cart.hs:31:5 in shop:Cart`. */
const detectCalled: Detector = (page, start) => {
  const before = start < page.covered ? '' : page.text.slice(Math.max(0, start - NEAR), start);
  const said = before.endsWith(' ') ? before.slice(0, -1) : '';
  const call = said.endsWith(EVAL) ? EVAL : callAtEnd(said);
  if ((call === EVAL || CALLS.test(call)) && matchAt(CALLED, page.text, start)) {
    mark(page, start - call.length - 1, CALLED.lastIndex, 'stack', 'stack', BLOCK);
  }
};

const LINE_OF = /line \d{1,7},? (?:of|in) (?:file )?["']?([^\s"'(),;]{3,260})/iy;
const SOURCE_FILE = /\.(?:py|rb|[cm]?js|php|java|go|rs|ex|exs|cs|kt|pl|pm|lua|jl|swift)$/i;
const LINE = /(?:,? (?:at|on))?,? line \d{1,7}/iy;
const IN_FUNCTION = /,? in [\w<>.$]{2,120}(?=\s{0,4}$|[\n,;:")\\])/y;

/** `file /srv/load.py line 88`, `/srv/infer.py in predict at line 9`, `line 88 of /srv/load.py`. */
const detectAtLine: Detector = (page, start, end) => {
  const { text } = page;
  if (start < page.covered) {
    return;
  }
  const behind = matchAt(LINE_OF, text, start)?.[1];
  if (behind !== undefined && ABSOLUTE.test(behind) && SOURCE_FILE.test(behind)) {
    const stop = LINE_OF.lastIndex;
    mark(
      page,
      stop - behind.length,
      matchAt(IN_FUNCTION, text, stop) ? IN_FUNCTION.lastIndex : stop,
      'stack',
      'stack',
      BLOCK,
    );
    return;
  }
  // Most lines are those of a sentence.
  if (!text.slice(Math.max(0, start - NEAR), start).includes('.')) {
    return;
  }
  const words = text
    .slice(Math.max(0, end - NEAR), start)
    .replace(/,? (?:(?:at|on) )?$/i, '')
    .split(/[\s"'(]/);
  const isNamed = words.at(-2) === 'in' && SOURCE_FILE.test(words.at(-3) ?? '');
  const named = isNamed ? words.slice(-3).join(' ') : (words.at(-1) ?? '');
  const file = named.split(' ')[0] ?? '';
  const isPlace = SOURCE_FILE.test(file) && (ABSOLUTE.test(file) || named !== file);
  const from = isPlace ? text.lastIndexOf(file, start) : -1;
  if (from >= page.covered && matchAt(LINE, text, text.indexOf(named, from) + named.length)) {
    mark(page, from, LINE.lastIndex, 'stack', 'stack', BLOCK);
  }
};

/** Triggers for places of code. */
export function placeTriggers(): Trigger[] {
  return [
    ...EXTENSIONS.map((extension) => [`.${extension}:0`, detectPlace] as const),
    ...['py', 'cs', 'java', 'c', 'cc', 'cpp', 'h'].map(
      (extension) => [`.${extension}(0`, detectPlace] as const,
    ),
    ['called at ', detectCalled],
    ['line 0', detectAtLine],
  ];
}
