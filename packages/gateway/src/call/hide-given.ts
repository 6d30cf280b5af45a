/** What the settings give to a server, and to nobody else, does not come back from it beside its successes. */
import type { Fault } from '@mayday/core';
import { namesSecret, redact, redactBytes } from '@mayday/core/redact';
import { passing } from '@mayday/policy';
import {
  decode,
  encode,
  isMembers,
  isPlace,
  type Members,
  type Related,
  WatchedBack,
  type Wire,
  type WireOutcome,
  type WirePolicy,
} from '@mayday/relay';
import type { UpstreamSettings } from '../settings/settings.ts';
import { withoutCutSecrets } from './cut-secrets.ts';
import { hiddenAcross } from './hide-across.ts';
import { hiddenBytes, hiddenNumber, holdsGivenNumber, withNumbersOfProtocol } from './hide-numbers.ts';
import { type Hide, type Hiding, hiderOfSecrets } from './hiding.ts';
import { mendQuestions } from './mend-answer.ts';
import { mendTaskWords } from './redact-tasks.ts';
import { isAddress, isMadeUp } from './secrets-in.ts';
import { isOfSystem } from './system-variables.ts';

/**
 * Hides what these settings call a secret: a header, a variable or an argument whose name says so, or what says so inside of
 * it. Beside that, what is `known`: of settings from before, which conversations that go on were opened with.
 */
export function hiderOf(settings: UpstreamSettings, known?: Hiding): Hide | undefined {
  // Who has nothing to hide does not wait for the rules that would find it.
  const told = namedIn(settings).filter(([, value]) => value !== '');
  const given = told.flatMap(([name, value]) => credentialsIn(name, value));
  return hiderOfSecrets(given, known);
}

/** Takes them out of every failure, and of what is told and asked while a call runs, before anybody else sees it. */
export function hideGiven(hide: Hide): WirePolicy {
  return passing({
    before: (call) => {
      const { back } = call;
      const related = (message: Related): boolean => back.related(hiddenBeside(message, hide));
      return { ...call, back: new WatchedBack(back, related) };
    },
    after: (outcome) => hiddenOutcome(outcome, hide),
  });
}

/** A message as it came, or without what the server was given. */
export function inBytes(bytes: Buffer, hide: Hide): Buffer {
  const text = bytes.toString('utf8');
  const holdsNumber = holdsGivenNumber(text, hide);
  const left = hide(text);
  const isOfParts = holdsNumber || HOLDS_BYTES.test(text) || text.indexOf(TEXT) < text.lastIndexOf(TEXT);
  // Each of its texts by itself: what stands between two of them belongs to the message.
  const value = isOfParts || left !== text ? decode(bytes) : undefined;
  if (value === undefined) return left === text ? bytes : Buffer.from(left);
  const mended = hiddenMessage(value, hide);
  // One of more digits than a number has is never said as it came.
  return mended === value && !holdsNumber ? bytes : encode(mended);
}

/** Whatever is taken out of base64 leaves none that anybody could read. */
const HOLDS_BYTES = /"(?:blob|data)"\s*:/;

/** Of several texts, each may have a part of it. */
const TEXT = '"text"';

function hiddenBeside(message: Related, hide: Hide): Related {
  const data = inBytes(message.data, hide);
  return data === message.data ? message : { ...message, data, raw: undefined };
}

/** What became of a call, without what is hidden. */
export function hiddenOutcome(outcome: WireOutcome, hide: Hide): WireOutcome {
  const { value } = outcome;
  if (!outcome.ok)
    return {
      ...outcome,
      fault: hiddenWith(outcome.fault, value, hide),
      value: value && hiddenIn(value, hide),
    };
  if (value?.type !== 'answer') return outcome;
  const mend = (said: Members): Members => hidden(said, hide);
  return { ...outcome, value: mendTaskWords(mendQuestions(value, mend), mend) };
}

function namedIn(settings: UpstreamSettings): readonly (readonly [string, string])[] {
  if (settings.type === 'url') return [...Object.entries(settings.headers), ...inAddress(settings.url)];
  if (settings.type === 'openapi')
    return [...Object.entries(settings.headers), ...Object.entries(settings.query)];
  const { args, env } = settings;
  const words = args.flatMap((arg, at): (readonly [string, string])[] => {
    const [, flag = '', value] = /^--?([\w-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (flag !== '') return [[flag, value ?? args[at + 1] ?? '']];
    // Addresses, pairs and command lines have names of their own in them.
    return redact(arg, { level: 'secrets' }).value === arg ? [] : [['argument', arg]];
  });
  return [...Object.entries(env).filter(([name, value]) => !isOfSystem(name, value)), ...words];
}

function inAddress({ searchParams, password, pathname }: URL): readonly (readonly [string, string])[] {
  const parts = pathname.split('/').filter(isMadeUp);
  return [
    ...searchParams,
    ['password', decodeURIComponent(password)],
    ...parts.map((part): [string, string] => ['token', part]),
  ];
}

/** The value where it is a credential; where it only has some in it, as a program in an argument may, these alone. */
function credentialsIn(name: string, value: string): readonly string[] {
  if (NAMES_A_PLACE.test(name) && isPlace(value)) return [];
  const left = redactedAs(name, value);
  if (left === value) return isPhrase(value) && redactedAs(name, KEY) !== KEY ? [value] : [];
  if (namesSecret(name) || isAddress(value) || new RegExp(`^(?:${SURROGATE.source})$`).test(left))
    return [value];
  return takenOut(value, redact(value, { level: 'secrets' }).value) ?? [value];
}

/** Where a secret is kept is none itself, and whoever is to correct it has to see it. */
const NAMES_A_PLACE = /(?:^|[_-])(?:file|path|dir|directory|folder|credentials)$/i;

function redactedAs(name: string, value: string): string {
  return String(redact({ [name]: value }).value[name]);
}

/** Where a server says them, several words may be a sentence about a secret; where it is given them, they are one. */
function isPhrase(value: string): boolean {
  return /\S\s+\S/.test(value);
}

/** Taken out under every name of a secret, and under no other. */
const KEY = 'Zx81kd0PXw77';

/** What stands in the place of what was taken out. */
const SURROGATE = /\[[a-z][a-z-]{0,40}:\d+\]/;

/** What was taken out of a text; `undefined` where that cannot be told. */
function takenOut(text: string, left: string): readonly string[] | undefined {
  const [first = '', ...kept] = left.split(new RegExp(SURROGATE, 'g'));
  if (!text.startsWith(first)) return undefined;
  const taken: string[] = [];
  let from = first.length;
  for (const [at, piece] of kept.entries()) {
    const isLast = at === kept.length - 1;
    const end = isLast && piece === '' ? text.length : text.indexOf(piece, from);
    if (end < 0) return undefined;
    taken.push(text.slice(from, end));
    from = end + piece.length;
  }
  return from === text.length ? taken : undefined;
}

function hiddenIn(said: Wire, hide: Hide): Wire {
  if (said.type === 'answer') return said;
  if (said.type === 'nothing') return { ...said, original: said.original && inBytes(said.original, hide) };
  if (said.type === 'http')
    return { ...said, body: inBytes(said.body, hide), headers: hidden(said.headers, hide) };
  const message = hiddenMessage(said.message, hide);
  // Of so much, the message has what was read: the rest is looked through by nobody, and goes nowhere.
  const isAsRead = message !== said.message || said.bytes.length > MOST_READ;
  return { ...said, message, bytes: isAsRead ? encode(message) : inBytes(said.bytes, hide) };
}

/** Of a longer message, texts are left out where it is read. */
const MOST_READ = 4 * 1024 * 1024;

/**
 * A value without what the server was given, in the bytes of its blocks too. The same one where nothing is hidden: what is
 * known about a failure hangs on which object it is.
 */
export function hidden<T>(value: T, hide: Hide | undefined): T {
  if (hide === undefined) return value;
  const asLetters = (letters: string): string => hide(letters, inAsterisks);
  return redactBytes(value, (plain) => withHidden(plain, hide) as T, { asText: hide, asLetters });
}

/** Its words may be those of several blocks, with a cut between two of them. */
function hiddenWith(fault: Fault, said: Wire | undefined, hide: Hide): Fault {
  return hiddenFault(
    withoutCutSecrets(fault, said, (blocks) => hidden(blocks, hide)),
    hide,
  );
}

/** How long to wait and how often to try is for whoever repeats the call: these are numbers. */
export function hiddenFault(fault: Fault, hide: Hide): Fault {
  const { retry, ...told } = fault;
  const left = hidden(told, hide);
  return left === told ? fault : { ...left, retry };
}

function hiddenMessage<T>(message: T, hide: Hide): T {
  return withNumbersOfProtocol(message, hidden(message, hide)) as T;
}

/** Zeros stand between letters of two bytes. */
function inAsterisks(secret: string): string {
  return secret.replace(/[^\0]/g, '*');
}

function withHidden(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value);
  if (typeof value === 'number') return hiddenNumber(value, hide);
  if (Array.isArray(value)) {
    const items = hiddenBytes(hiddenAcross(value, hide), hide).map((item) => withHidden(item, hide));
    return items.length !== value.length || items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isMembers(value)) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [hide(name), withHidden(member, hide)] as const,
  );
  // A name that is hidden is no member of the value any more, and so it differs too.
  return members.some(([name, member]) => !(name in value) || member !== value[name])
    ? Object.fromEntries(members)
    : value;
}
