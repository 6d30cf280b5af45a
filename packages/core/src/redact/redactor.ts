import { ALL_PARTS, ALL_READERS } from './all-parts.ts';
import { checkRedactOptions } from './check-options.ts';
import { CleanTexts } from './clean-texts.ts';
import { hiding } from './hide.ts';
import { NO_SECRETS, ownParts } from './own.ts';
import type { Detector, Page, Switches } from './page.ts';
import { bankTriggers } from './rules/bank-accounts.ts';
import { placeTriggers } from './rules/code-places.ts';
import { commandTriggers } from './rules/commands.ts';
import { cookieTriggers } from './rules/cookies.ts';
import { credentialTriggers } from './rules/credentials.ts';
import { detectSplit, disguiseTriggers } from './rules/disguise.ts';
import { echoTriggers } from './rules/echoes.ts';
import { base64Detector, hexDetector, type Inspect, shownBytesTriggers } from './rules/encoded.ts';
import { failedLoginTriggers } from './rules/failed-logins.ts';
import { NAMED, PREFIXED } from './rules/format-table.ts';
import { formatTriggers } from './rules/formats.ts';
import { joinedStackTriggers } from './rules/joined-stacks.ts';
import { loggedPlaceTriggers } from './rules/logged-places.ts';
import { loginTriggers } from './rules/logins.ts';
import { namedFormatTriggers } from './rules/named-formats.ts';
import { nameTriggers } from './rules/names.ts';
import { nationalIdTriggers } from './rules/national-ids.ts';
import { networkTriggers } from './rules/network.ts';
import { otherQueryTriggers } from './rules/other-queries.ts';
import { pathTriggers } from './rules/paths.ts';
import { peopleTriggers } from './rules/people.ts';
import { personalTriggers } from './rules/personal.ts';
import { printedFrameTriggers } from './rules/printed-frames.ts';
import { queryTriggers } from './rules/queries.ts';
import { saidSecretTriggers } from './rules/said-secrets.ts';
import { settingTriggers } from './rules/settings.ts';
import { shellUserTriggers } from './rules/shell-users.ts';
import { sourceLineTriggers } from './rules/source-lines.ts';
import { sqlTriggers } from './rules/sql.ts';
import { stackTriggers } from './rules/stacks.ts';
import { detectTokenShape, innerTriggers } from './rules/token-shapes.ts';
import { toldSecretTriggers } from './rules/told-secrets.ts';
import { urlTriggers } from './rules/urls.ts';
import { detectOddWord } from './rules/words.ts';
import { createScanner, type Scanner, type Trigger } from './scan.ts';
import { detect, type Engine } from './text.ts';
import type { RedactOptions } from './types.ts';
import { userTriggers } from './user-rules.ts';

/** Rules that only `strict` or an explicit `enable` switches on. */
const STRICT_RULES: ReadonlySet<string> = new Set(['entropy', 'loopback']);
const SHORTEST_WORD = 16;

/** The rules that tell a class by its looks. */
const RULES: { readonly [personal: string]: readonly string[] } = {
  email: ['email'],
  phone: ['phone'],
  iban: ['iban'],
  'birth-date': ['birth-date'],
  'id-number': ['national-id', 'ssn'],
};

/** What is left where its looks tell it is left where the name before it does. */
function isOff(cls: string, off: ReadonlySet<string>): boolean {
  return off.size > 0 && RULES[cls]?.every((rule) => off.has(rule)) === true;
}

let built: Scanner | undefined;

/** The automaton of the built-in rules, shared by all; made for the first text, which many a process never has. */
const standard: Scanner = {
  isNear: true,
  scan(page, from, to) {
    built ??= build([]);
    built.scan(page, from, to);
  },
};

/** Compiles options, which are checked. */
export function createEngine(options: RedactOptions = {}): Engine {
  checkRedactOptions(options);
  const off = new Set(options.disable);
  const on = new Set(options.enable);
  const strict = options.level === 'strict';
  const keep = (options.keep ?? []).map(plainLabel).filter((label) => label !== '');
  const rules = options.rules ?? [];
  const switches: Switches = {
    strict,
    ownRules: new Set(rules.map(({ id }) => id)),
    keeps: (label) => keep.length > 0 && endsWithLabel(label, keep),
    takes: (cls) => (options.level !== 'secrets' || !NO_SECRETS.test(cls)) && !isOff(cls, off),
    isOn: (rule) => !off.has(rule) && (strict || on.has(rule) || !STRICT_RULES.has(rule)),
  };
  const scanner = rules.length === 0 ? standard : build(userTriggers(rules));
  return {
    switches,
    scanner,
    parts: ALL_PARTS,
    clean: new CleanTexts(),
    ownIn: ownParts(options.own ?? []),
    hide: hiding(options.hide ?? [], options.told),
    digest: options.digest,
  };
}

let withoutOptions: Engine | undefined;

/** The engine of whoever has no options: what one of them has found to be clean, none reads again. */
export function standardEngine(): Engine {
  withoutOptions ??= createEngine();
  return withoutOptions;
}

/** Labels are compared without case and separators. */
const plainLabel = (label: string): string => label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Whether a text ends with one of the labels, save for a word like `number` and punctuation. */
function endsWithLabel(text: string, labels: readonly string[]): boolean {
  const plain = plainLabel(text).replace(/(?:number|num|no|nr|id|code)$/, '');
  return labels.some((label) => plain.endsWith(label) || plainLabel(text).endsWith(label));
}

/** The words that wake a built-in rule, for those who search for inputs that make one slow. */
export function builtInKeywords(): string[] {
  const triggers = [...builtIn(), ...shownBytesTriggers(() => [])];
  return [...new Set(triggers.map(([keyword]) => keyword))];
}

function builtIn(): Trigger[] {
  return [
    ...formatTriggers(PREFIXED),
    ...namedFormatTriggers(NAMED),
    ...innerTriggers(),
    ...credentialTriggers(),
    ...cookieTriggers(),
    ...commandTriggers(),
    ...settingTriggers(),
    ...loginTriggers(),
    ...nameTriggers(ALL_READERS),
    ...toldSecretTriggers(),
    ...saidSecretTriggers(),
    ...urlTriggers(),
    ...personalTriggers(),
    ...bankTriggers(),
    ...nationalIdTriggers(),
    ...peopleTriggers(),
    ...failedLoginTriggers(),
    ...shellUserTriggers(),
    ...networkTriggers(),
    ...pathTriggers(),
    ...joinedStackTriggers(),
    ...stackTriggers(),
    ...placeTriggers(),
    ...loggedPlaceTriggers(),
    ...printedFrameTriggers(),
    ...sourceLineTriggers(),
    ...sqlTriggers(),
    ...queryTriggers(),
    ...otherQueryTriggers(),
    ...echoTriggers(),
    ...disguiseTriggers(),
  ];
}

function build(own: readonly Trigger[]): Scanner {
  let scanner: Scanner;
  const inspect: Inspect = (text, page) =>
    detect({ switches: page.switches, scanner, parts: ALL_PARTS }, text, undefined, page.depth + 1);
  const base64 = base64Detector(inspect);
  const hex = hexDetector(inspect);
  const onWord: Detector = (page: Page, start, end) => {
    if (end > page.covered) {
      const before = page.spans.length;
      detectTokenShape(page, start, end);
      base64(page, start, end);
      hex(page, start, end);
      if (page.spans.length === before) detectOddWord(page, start, end);
    }
    detectSplit(page, start, end);
  };
  const triggers = [...own, ...builtIn(), ...shownBytesTriggers(inspect)];
  scanner = { ...createScanner(triggers, onWord, SHORTEST_WORD), isNear: own.length === 0 };
  return scanner;
}
