/**
 * Redaction for bundles that must be small: the rules for what is met most, and those parts alone that no rule does
 * without. It finds less than the full one; what it finds is taken out in the same way.
 */
import { CleanTexts } from './clean-texts.ts';
import { classOf, type KnownLeaf } from './leaf-class.ts';
import type { Entry, Node } from './nodes.ts';
import type { Detector, Switches } from './page.ts';
import type { Parts } from './parts.ts';
import { COMMON } from './rules/common-formats.ts';
import { markedTriggers } from './rules/credentials.ts';
import { formatTriggers } from './rules/formats.ts';
import { type KeyMeaning, type MeaningAt, meaningInTables, meaningsBy } from './rules/key-meanings.ts';
import { type NameReaders, nameTriggers } from './rules/names.ts';
import { ipTriggers, privateZoneTriggers } from './rules/network.ts';
import { homeTriggers } from './rules/paths.ts';
import { cardTriggers, mailTriggers } from './rules/personal.ts';
import { linkBySign } from './rules/sign-link.ts';
import { COMMON_FRAMES, lineTriggers } from './rules/stack-lines.ts';
import { loginUrlTriggers } from './rules/urls.ts';
import { createScanner, type Scanner } from './scan.ts';
import type { Engine } from './text.ts';
import type { Redaction } from './types.ts';
import { redactValue } from './value.ts';

/** What names say without the lists of whose keys open something: `cache_key` says nothing here. */
const meaningAt: MeaningAt = /* @__PURE__ */ meaningsBy((_name, plain): KeyMeaning | undefined => {
  const meaning = meaningInTables(plain);
  return meaning?.strength === 1 && /key\d?$/.test(plain) ? undefined : meaning;
});

const READERS: NameReaders = { meaningAt, linkAt: linkBySign };

/** Tells by its own name whether a leaf is to go. */
function knownLeaf(_node: Node, { key }: Entry, leaf: unknown): KnownLeaf | undefined {
  const meaning = typeof key === 'string' ? meaningAt(key, 0, key.length) : undefined;
  const cls = meaning && meaning.strength >= 2 ? classOf(meaning, 'named', leaf, String(leaf)) : undefined;
  return cls === undefined ? undefined : { rule: 'key-name', class: cls };
}

const PARTS: Parts = {
  looks: [],
  knownLeaf,
  nameOf: (_node, { key }) => (typeof key === 'string' ? key : undefined),
};

const SWITCHES: Switches = {
  strict: false,
  keeps: () => false,
  takes: () => true,
  isOn: (rule) => rule !== 'loopback',
};

const noWord: Detector = () => {};
const LONGEST = 1 << 30;

function build(): Pick<Scanner, 'scan'> {
  const triggers = [
    ...formatTriggers(COMMON),
    ...markedTriggers(),
    ...nameTriggers(READERS),
    ...loginUrlTriggers(),
    ...mailTriggers(),
    ...cardTriggers(),
    ...ipTriggers(),
    ...privateZoneTriggers(),
    ...homeTriggers(),
    ...lineTriggers('at |file "|file \\"|traceback (|goroutine ', COMMON_FRAMES),
  ];
  return createScanner(triggers, noWord, LONGEST);
}

let built: Pick<Scanner, 'scan'> | undefined;

const engine: Engine = {
  switches: SWITCHES,
  scanner: {
    isNear: true,
    scan(page, from, to) {
      built ??= build();
      built.scan(page, from, to);
    },
  },
  parts: PARTS,
  clean: /* @__PURE__ */ new CleanTexts(),
};

/**
 * Removes secrets, personal data, stack traces and internals of the kinds that are met most: values beside telling names,
 * formats of well-known vendors, headers, private keys, logins in addresses, mailboxes, cards, addresses and zones of
 * machines, homes of users and traces of JavaScript, Java, .NET, Python and Go. Everything else about it is as in `redact`
 * of `@mayday/core/redact`, which finds far more.
 */
export function redact<T>(value: T): Redaction<T> {
  return redactValue(engine, value);
}
