import type { Detector, Page, Switches } from './page.ts';
import { credentialTriggers } from './rules/credentials.ts';
import { base64Detector, escapeDetector, type Inspect } from './rules/encoded.ts';
import { NAMED, PREFIXED } from './rules/format-table.ts';
import { formatTriggers } from './rules/formats.ts';
import { namedFormatTriggers } from './rules/named-formats.ts';
import { nameTriggers } from './rules/names.ts';
import { networkTriggers } from './rules/network.ts';
import { pathTriggers } from './rules/paths.ts';
import { personalTriggers } from './rules/personal.ts';
import { sqlTriggers } from './rules/sql.ts';
import { stackTriggers } from './rules/stacks.ts';
import { innerTriggers } from './rules/token-shapes.ts';
import { urlTriggers } from './rules/urls.ts';
import { detectWord } from './rules/words.ts';
import { createScanner, type Scanner, type Trigger } from './scan.ts';
import { detect, type Engine } from './text.ts';
import type { Kept, RedactOptions } from './types.ts';
import { userTriggers } from './user-rules.ts';

/** Rules that only `strict` or an explicit `enable` switches on. */
const STRICT_RULES: ReadonlySet<string> = new Set(['entropy', 'loopback']);
const SHORTEST_WORD = 16;
const ESCAPES = [
  '%3d',
  '%3a',
  '%40',
  '%22',
  '%2f%2f',
  '%20',
  '\\u0022',
  '\\u003d',
  '\\u0026',
  '\\u0040',
  '\\u003a',
];

let standard: Scanner | undefined;

/** Compiles options. The automaton of the built-in rules is made once and shared. */
export function createEngine(options: RedactOptions = {}): Engine {
  const off = new Set(options.disable);
  const on = new Set(options.enable);
  const strict = options.level === 'strict';
  const switches: Switches = {
    strict,
    kept: (options.keep ?? []).map(stateless),
    isOn: (rule) => !off.has(rule) && (strict || on.has(rule) || !STRICT_RULES.has(rule)),
  };
  const own = options.rules ?? [];
  if (own.length === 0) {
    standard ??= build([]);
    return { switches, scanner: standard };
  }
  return { switches, scanner: build(userTriggers(own)) };
}

/** An expression that remembers where it was would answer differently the second time. */
function stateless({ rules, label, value }: Kept): Kept {
  const plain = ({ source, flags }: RegExp): RegExp => new RegExp(source, flags.replace(/[gy]/g, ''));
  return { rules, label: plain(label), value: plain(value) };
}

/** The words that wake a built-in rule, for those who search for inputs that make one slow. */
export function builtInKeywords(): string[] {
  const none: Detector = () => undefined;
  return [...new Set(builtIn(none).map(([keyword]) => keyword))];
}

function builtIn(escaped: Detector): Trigger[] {
  return [
    ...formatTriggers(PREFIXED),
    ...namedFormatTriggers(NAMED),
    ...innerTriggers(),
    ...credentialTriggers(),
    ...nameTriggers(),
    ...urlTriggers(),
    ...personalTriggers(),
    ...networkTriggers(),
    ...pathTriggers(),
    ...stackTriggers(),
    ...sqlTriggers(),
    ...ESCAPES.map((word) => [word, escaped] as const),
  ];
}

function build(own: readonly Trigger[]): Scanner {
  let scanner: Scanner;
  const inspect: Inspect = (text, page) => detect({ switches: page.switches, scanner }, text, page.depth + 1);
  const base64 = base64Detector(inspect);
  const escaped = escapeDetector(inspect);
  const onWord: Detector = (page: Page, start, end) => {
    if (end > page.covered) {
      detectWord(page, start, end);
      base64(page, start, end);
    }
  };
  scanner = createScanner([...own, ...builtIn(escaped)], onWord, SHORTEST_WORD);
  return scanner;
}
