/**
 * Frames of a trace as members: `{"file": "/srv/x.php", "line": 33, "function": "handle"}`. Every logger calls the members
 * otherwise; what is a frame is told by a file and a line, in a trace or beside a function.
 */
import type { Entry, Node } from './nodes.ts';
import { build } from './rules/patterns.ts';

/** What loggers put before the names of all members of a frame: `code.filepath`, `log.origin.file.name`. */
const BEFORE = String.raw`(?:code\.|log\.origin\.)?`;
const FILE = build(
  `^${BEFORE}(?:(?:abs|full|source|script)?[_.]?(?:file|path)(?:[_.]?(?:name|path))?|script_?name|url)$`,
  'i',
);
const LINE = build(
  String.raw`^${BEFORE}(?:(?:script)?[_.]?line(?:[_.]?(?:no|num|number))?|file\.line)$`,
  'i',
);
const FUNCTION = build(
  `^${BEFORE}(?:(?:func(?:tion)?|method|declaring_?class|class)(?:[_.]?name)?|fn|mfa|mycommand|(?:base_?)?label)$`,
  'i',
);
/** What else a frame says of the program: where the function belongs, and its lines of source. */
const REST = build(
  `^${BEFORE}(?:module(?:_?name)?|namespace|package|assembly|symbol(?:_?name)?|image|context(?:_?line)?|(?:pre|post)_?context|code|line|vars|locals|source|target|text)$`,
  'i',
);
/** In a trace these are too; elsewhere they may be anything. */
const IN_TRACE = /^(?:name|location|number|args|arguments)$/i;
/** A path in which code stands, perhaps with a line. */
const CODE_FILE = /\.[A-Za-z]\w{0,6}(?::\d{1,7}){0,2}$/;
const PLACE = /\.[A-Za-z]\w{0,6}(?::\d{1,7}){1,2}$/;
/** A file may say its line itself. */
const PATHS = /^file(?:name)?$/i;
const CALLER = /^(?:caller|source|src|origin)$/i;
const CODE =
  /\.(?:go|py|rb|rs|java|kt|scala|[cm]?[jt]sx?|cs|php|exs?|erl|swift|dart|c|cc|cpp)(?::\d{1,7}){0,2}$/;
const CODE_PLACE =
  /\.(?:go|py|rb|rs|java|kt|scala|[cm]?[jt]sx?|cs|php|exs?|erl|swift|dart|c|cc|cpp):\d{1,7}(?::\d{1,7})?$/;
/** A linter says files and lines too, and needs them read. */
const LINTER = /^(?:rule|rule_?id|check|check_?id|linter|kind)$/i;
/** What holds frames, or stands beside the first of them. */
const TRACE =
  /^(?:traces?|(?:parsed_?|extended_?|full_?)?stack(?:_?trace|_?frames)?|frames|call_?frames|call_?stack|back_?traces?|trace_?back|tb|exc_?info|exceptions?|.{0,24} trace)$/i;
const IS_CLASS = /class/i;
const IS_METHOD = /^method/i;
const HIGHEST = 3;

/** What the names of an object's members say of it. */
interface Kinds {
  readonly hasFile: boolean;
  readonly hasLine: boolean;
  readonly hasFunction: boolean;
}

/** What the name of a member says of the frame that it may be in: where its line stands, what stands there, who called. */
const LINED = 1;
const PLACED = 2;
const CALLED = 4;
const CLASS = 8;
const METHOD = 16;

/** What a name says, of these. */
export function frameFacts(key: string): number {
  return (
    (LINE.test(key) || PATHS.test(key) ? LINED : 0) |
    (FILE.test(key) || FUNCTION.test(key) ? PLACED : 0) |
    (CALLER.test(key) ? CALLED : 0) |
    (IS_CLASS.test(key) ? CLASS : 0) |
    (IS_METHOD.test(key) ? METHOD : 0)
  );
}

/** May members whose names say all this together be a frame? */
export function mayBeFrame(facts: number): boolean {
  const has = (some: number): boolean => (facts & some) === some;
  return has(LINED | PLACED) || has(CLASS | METHOD) || has(CALLED);
}

/** Is a leaf part of a frame, by the names around it? */
export function isOfFrame(node: Node, { key, leaf }: Entry): boolean {
  if (typeof leaf !== 'string' || leaf === '') {
    return false;
  }
  if (typeof key === 'number') {
    return isListed(node, key) || isHeld(node);
  }
  const frame = frameOf(node);
  if (frame === '') {
    return (
      (leaf.includes(':') && CALLER.test(key) && CODE_PLACE.test(leaf) && !/\s/.test(leaf)) || isHeld(node)
    );
  }
  if (LINE.test(key) && !REST.test(key)) {
    return false;
  }
  const isPart = FILE.test(key) || FUNCTION.test(key) || REST.test(key);
  return (isPart && !/^\d{1,7}$|^\W*$/.test(leaf)) || (frame === 'list' && IN_TRACE.test(key));
}

/** Whether an object is a frame: one of a list of them, one of a trace, one by itself, or none. */
function frameOf(node: Node): 'list' | 'trace' | 'alone' | '' {
  if (Array.isArray(node.source)) {
    return '';
  }
  node.says.frame ??= findFrame(node);
  return node.says.frame;
}

function findFrame(node: Node): 'list' | 'trace' | 'alone' | '' {
  const { hasFile, hasLine, hasFunction } = kindsOf(node);
  const names = node.entries.map(({ key }) => String(key));
  if (!hasFunction && !(hasFile && hasLine)) {
    return '';
  }
  const isTrace = isOfTrace(node);
  if (isTrace && (hasFile || (hasFunction && hasLine) || isJava(names))) {
    return typeof node.key === 'number' ? 'list' : 'trace';
  }
  return !isTrace && hasFile && hasFunction && hasLine && !names.some((name) => LINTER.test(name))
    ? 'alone'
    : '';
}

/** A class and a method, where the place is not known. */
function isJava(names: readonly string[]): boolean {
  return names.some((name) => IS_CLASS.test(name)) && names.some((name) => IS_METHOD.test(name));
}

function kindsOf({ entries }: Node): Kinds {
  let hasFile = false;
  let hasLine = false;
  let hasFunction = false;
  for (const { key, leaf, child } of entries) {
    const name = String(key);
    const held = child && !Array.isArray(child.source) ? child.entries : [];
    if (typeof leaf === 'string') {
      hasFile ||= FILE.test(name) && CODE_FILE.test(leaf);
      hasLine ||= FILE.test(name) && PLACE.test(leaf);
      // Rust names the module of what it logs.
      hasFunction ||= (FUNCTION.test(name) || (name === 'target' && leaf.includes('::'))) && !/\s/.test(leaf);
    }
    hasLine ||= (LINE.test(name) && !child) || (name === 'number' && /^\d{1,7}$/.test(String(leaf)));
    for (const inner of held) {
      hasFile ||= FILE.test(name) && /^(?:name|path)$/i.test(String(inner.key));
      hasLine ||= /^(?:line|number)$/i.test(String(inner.key)) && (FILE.test(name) || LINE.test(name));
    }
  }
  return { hasFile, hasLine, hasFunction };
}

/** Whether a container belongs to what a frame holds: its lines of source, its variables, the parts of its file. */
function isHeld(node: Node): boolean {
  node.says.isHeld ??= findHeld(node);
  return node.says.isHeld;
}

function findHeld({ key, parent }: Node): boolean {
  const holder = typeof key === 'number' ? parent?.parent : parent;
  if (holder !== undefined && frameOf(holder) !== '') {
    const name = String(typeof key === 'number' && parent ? parent.key : key);
    return FILE.test(name) || REST.test(name) || IN_TRACE.test(name);
  }
  return isHeldDeeper(parent);
}

function isHeldDeeper(node: Node | undefined): boolean {
  const holder = node?.parent;
  return (
    node !== undefined &&
    holder !== undefined &&
    frameOf(holder) !== '' &&
    /^(?:context|vars|locals)$/i.test(String(node.key))
  );
}

function isOfTrace(node: Node): boolean {
  return node.entries.some(({ key }) => TRACE.test(String(key))) || isInTrace(node);
}

function isInTrace(node: Node): boolean {
  let at: Node | undefined = node;
  for (let height = 0; at && height < HIGHEST; height++) {
    if (TRACE.test(String(at.key))) {
      return true;
    }
    at = at.parent;
  }
  return false;
}

const TUPLE_FILE = /\.(?:py|rb|js|ts|php|go|java|lua|ex|erl|pl|pm|rs|jl|r)$/i;
const TUPLE_NAME = /^[\w<>$.]{1,120}$/;

/** `["/srv/x.py", 90, "charge", "gateway.charge()"]`: a frame as a list; or a line of a trace that is a list of lines. */
function isListed(node: Node, index: number): boolean {
  const [file, line, name] = node.entries;
  const isTuple =
    typeof line?.leaf === 'number' &&
    typeof file?.leaf === 'string' &&
    /[/\\]/.test(file.leaf) &&
    TUPLE_FILE.test(file.leaf) &&
    typeof name?.leaf === 'string' &&
    TUPLE_NAME.test(name.leaf);
  return isTuple || (TRACE.test(String(node.key)) && isTraceLine(node, index));
}

const HAS_PLACE = /\.[A-Za-z]\w{0,6}:\d|\(\d{1,7}\): |\{main\}/;
const IS_FRAME = /^\s{0,12}(?:File "|at )/;
const GO_PLACE = /\.(?:go|s):\d/;
const LONGEST_LINE = 1000;

/** Whether a text in a list of them is a frame, or the source or the function of the one beside it. */
function isTraceLine(node: Node, index: number): boolean {
  const lineAt = (at: number): string => {
    const leaf = node.entries[at]?.leaf;
    return typeof leaf === 'string' && leaf.length < LONGEST_LINE ? leaf : '';
  };
  const line = lineAt(index);
  const isSource = /^\s{0,12}File "/.test(lineAt(index - 1)) && /^\s{4}/.test(line);
  const next = lineAt(index + 1);
  const isCall = !/\s/.test(line) && /^\s/.test(next) && GO_PLACE.test(next);
  return HAS_PLACE.test(line) || IS_FRAME.test(line) || isSource || isCall;
}

/** A member as a program printed it. */
interface Printed {
  readonly name: string;
  readonly value: string;
}

/** Are these the members of a frame? `isTrace`: what stands before them speaks of one. */
export function isFrameOf(members: readonly Printed[], isTrace: boolean): boolean {
  const hasFile = members.some(({ name, value }) => FILE.test(name) && CODE_FILE.test(value));
  const isWhole = members.some(
    ({ name, value }) => FILE.test(name) && /^(?:\/|[A-Za-z]:\\)/.test(value) && CODE.test(value),
  );
  const isNamed = members.some(
    ({ name }) => FUNCTION.test(name) || (name === 'name' && members.some((one) => one.name === 'lineno')),
  );
  return hasFile && (isTrace || isNamed || isWhole) && !members.some(({ name }) => LINTER.test(name));
}

/** Does such a member tell of the program? */
export function partOf(name: string, value: string): boolean {
  const isPart = FILE.test(name) || FUNCTION.test(name) || REST.test(name) || name === 'name';
  return isPart && !/^\d{1,7}$/.test(value);
}
