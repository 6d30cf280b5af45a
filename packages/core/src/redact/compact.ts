/**
 * Redaction for bundles that must be small: the rules for what is met most, and those parts alone that no rule does
 * without. It finds less than the full one; what it finds is taken out in the same way.
 */
import type { Fault } from '../fault.ts';
import { redactFaultBy } from '../fault-redactor.ts';
import { CleanTexts } from './clean-texts.ts';
import { classOf, type KnownLeaf } from './leaf-class.ts';
import type { Entry, Node } from './nodes.ts';
import { NO_SECRETS } from './own.ts';
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
import { COMMON_FRAMES, lineTriggers } from './rules/stack-lines.ts';
import { linkAt } from './rules/tie.ts';
import { loginUrlTriggers } from './rules/urls.ts';
import { createScanner, type Scanner, type Trigger } from './scan.ts';
import type { Engine } from './text.ts';
import type { Redaction } from './types.ts';
import { redactValue } from './value.ts';

/** What names say without the lists of whose keys open something: `cache_key` says nothing here. */
const meaningAt: MeaningAt = /* @__PURE__ */ meaningsBy((_name, plain): KeyMeaning | undefined => {
  const meaning = meaningInTables(plain);
  return meaning?.strength === 1 && /key\d?$/.test(plain) ? undefined : meaning;
});

const READERS: NameReaders = { meaningAt, linkAt };

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

/** What opens something. */
const secretTriggers = (): readonly Trigger[] => [
  ...formatTriggers(COMMON),
  ...markedTriggers(),
  ...nameTriggers(READERS),
  ...loginUrlTriggers(),
];

/** What tells of somebody, or of the inside of a system. */
const otherTriggers = (): readonly Trigger[] => [
  ...mailTriggers(),
  ...cardTriggers(),
  ...ipTriggers(),
  ...privateZoneTriggers(),
  ...homeTriggers(),
  ...lineTriggers('at |file "|file \\"|traceback (|goroutine ', COMMON_FRAMES),
];

const noWord: Detector = () => {};
const NO_WORDS = 1 << 30;

function engineOf(triggers: () => readonly Trigger[], takes: Switches['takes']): Engine {
  let built: Pick<Scanner, 'scan'> | undefined;
  const isOn = (rule: string): boolean => rule !== 'loopback';
  return {
    switches: { strict: false, keeps: () => false, takes, isOn },
    scanner: {
      isNear: true,
      scan(page, from, to) {
        built ??= createScanner(triggers(), noWord, NO_WORDS);
        built.scan(page, from, to);
      },
    },
    parts: PARTS,
    clean: new CleanTexts(),
  };
}

const all: Engine = /* @__PURE__ */ engineOf(
  () => [...secretTriggers(), ...otherTriggers()],
  () => true,
);

const secrets: Engine = /* @__PURE__ */ engineOf(secretTriggers, (cls) => !NO_SECRETS.test(cls));

/**
 * Removes secrets, personal data, stack traces and internals of the kinds that are met most: values beside telling names,
 * formats of well-known vendors, headers, private keys, logins in addresses, mailboxes, cards, addresses and zones of
 * machines, homes of users, and traces of JavaScript, Java, .NET, Python and Go. Otherwise it is as `redact` of
 * `@mayday/core/redact`, which finds far more: total, linear, and JSON stays JSON.
 */
export function redact<T>(value: T): Redaction<T> {
  return redactValue(all, value);
}

/** The same of secrets alone: personal data, stack traces and internals stay. */
export function redactSecrets<T>(value: T): Redaction<T> {
  return redactValue(secrets, value);
}

/** Whether a name speaks of a secret. */
const isHint = (name: string): boolean => meaningAt(name, 0, name.length)?.isHint === true;

/** The same fault without what {@link redact} takes out, for `redact` of a language. */
export function redactFault(fault: Fault): Fault {
  return redactFaultBy({ redact: (whole) => redact(whole).value, isHint }, fault);
}

/** The same fault without what {@link redactSecrets} takes out. */
export function redactFaultSecrets(fault: Fault): Fault {
  return redactFaultBy({ redact: (whole) => redactSecrets(whole).value, isHint }, fault);
}
