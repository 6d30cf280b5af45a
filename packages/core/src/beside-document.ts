/**
 * What an answer holds beside a fault document that declares what became of the call, without what only repeats the
 * document: its words, the text that we make of it, its members.
 */
import { documentIn } from './declared.ts';
import type { Heard } from './dialects/dialect.ts';
import { type Fault, faultWith, type Subject } from './fault.ts';
import { dotted } from './issue-path.ts';
import { isRecord, own, ownKeys, ownString, parseJson, type Unknown } from './json.ts';
import { ADVICE, type Kind, TRAITS } from './kinds.ts';
import { namesThing } from './plain-words.ts';
import { ERROR_KEY, PROBLEM_KEY } from './protocol.ts';
import { areOfTheDoor } from './refusal-headers.ts';
import { adviceFor, forModel, standingAdvice } from './render/for-model.ts';
import { isPhrase } from './status-line.ts';
import type { Wire } from './wire/wire.ts';

/** A fault document, and what it says. */
export interface Declared {
  readonly fault: Fault;
  readonly document: Unknown;
  /** What a fault document has to say, without members that none has. */
  readonly members: Unknown;
  /** The whole of it, its members and those of its details as JSON, by their names; made once, as much may be held against them. */
  readonly json: ReadonlyMap<string, readonly string[]>;
  /** All that it says in sentences, the longest first. */
  readonly texts: readonly string[];
  /** What it is about, and what it is called: the failure, the tool. */
  readonly labels: readonly string[];
}

/** Where something stands: as a member of the answer, in its `_meta`, or in its content, as words or as more than that. */
type Place = 'member' | 'note' | 'words' | 'thing';

/** Something beside a document, and what it is called. */
export interface Beside {
  readonly name: string;
  readonly value: unknown;
  readonly place: Place;
}

/** The document by which an answer declares it; `undefined` where it does so in some other form. */
export function declaredIn(
  heard: Heard,
  { result, error, body }: Wire,
  called?: Subject,
): Declared | undefined {
  const document = documentIn({ result, error, body });
  if (document === undefined) return undefined;
  // Who has no words in the document has them over it.
  const fault = faultWith({ ...heard, message: heard.message ?? error?.message }, 'no');
  const names = ownKeys(document).filter((name) => OF_DOCUMENTS.has(name));
  const members = Object.fromEntries(names.map((name) => [name, own(document, name)]));
  const json = jsonIn(document, members);
  return { fault, document, members, json, texts: textsOf(fault), labels: labelsOf(fault, called) };
}

function jsonIn(document: Unknown, members: Unknown): Declared['json'] {
  const details = own(members, 'details');
  const found = new Map<string, string[]>([[WHOLE, [jsonOf(document)]]]);
  for (const held of [members, isRecord(details) ? details : {}])
    for (const name of ownKeys(held)) found.set(name, [...(found.get(name) ?? []), jsonOf(own(held, name))]);
  return found;
}

/** No member has this name. */
const WHOLE = '\0';

/** What is no JSON is equal to nothing. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return '';
  }
}

const MOST_ISSUES = 100;

function textsOf(fault: Fault): readonly string[] {
  const { kind, message, advice = '', correlationId = '', issues, native } = fault;
  const told = issues
    .slice(0, MOST_ISSUES)
    .flatMap(({ path, message: what }) => [`${dotted(path)}: ${what}`, what]);
  const reference = correlationId === '' ? '' : `Reference: ${correlationId}`;
  const ours = [forModel(fault), adviceFor(fault), standingAdvice(fault), ADVICE[kind], reference];
  const all = [...ours, message, advice, native?.message ?? '', ...told].map((text) => text.trim());
  return [...new Set(all)].filter((text) => text !== '').sort((one, other) => other.length - one.length);
}

function labelsOf(
  { kind, name, correlationId, subject }: Fault,
  called: Subject | undefined,
): readonly string[] {
  const all = [kind, TRAITS[kind].title, name, correlationId, subject?.id, called?.id];
  return all.filter((label) => label !== undefined);
}

/** The members of a fault document; those of a problem have its words under another name. */
const OF_DOCUMENTS: ReadonlySet<string> = new Set(
  (
    'kind reaction retryable retry executed origin message subject issues name advice details correlation_id ' +
    'timestamp native detail'
  ).split(' '),
);

/** Does an answer hold nothing beside the document by which it declares something, as far as it has one? */
export function standsAlone(heard: Heard, wire: Wire): boolean {
  const declared = declaredIn(heard, wire);
  if (declared === undefined) return true;
  const { headers, reason } = wire.http ?? {};
  return areOfTheDoor(headers) && isPhrase(reason) && besideDocument(declared, wire).length === 0;
}

/** All that stands beside a declaration and does not just repeat it. */
export function besideDocument(declared: Declared, { result, error, body, http }: Wire): readonly Beside[] {
  const { document, fault } = declared;
  const isOfIt = (name: string): boolean =>
    OF_DOCUMENTS.has(name) ||
    (document === body && repeatsKind(name, own(document, name), fault.kind, http?.status));
  const members = ownKeys(document).filter((name) => !isOfIt(name));
  const found = members.flatMap((name) => inNotes(name, own(document, name)));
  found.push(...inParts(document));
  if (result !== undefined)
    found.push(...ownKeys(result).flatMap((name) => inResult(name, own(result, name))));
  else found.push(at('', error?.message, 'words'), at('', body === error?.data ? undefined : body));
  return found.filter(
    ({ name, value, place }) => place === 'thing' || !(value === document || repeats(declared, name, value)),
  );
}

/** What the parts of a document have for members, in each spelling. */
const OF_PARTS: readonly (readonly [part: string, members: ReadonlySet<string>])[] = [
  ['retry', new Set(['when', 'after_ms', 'retry_after_ms', 'max_attempts', 'backoff', 'jitter'])],
  ['subject', new Set(['type', 'id'])],
  ['native', new Set(['dialect', 'code', 'message', 'wait_ms'])],
];

/** Nobody reads anything else there, so nobody can say what it tells. */
function inParts(document: Unknown): readonly Beside[] {
  return OF_PARTS.flatMap(([part, members]) => {
    const value = own(document, part);
    if (isEmpty(value)) return [];
    if (part === 'native' && own(value, 'dialect') === undefined) return [at(part, value, 'thing')];
    if (!isRecord(value)) return typeof value === 'boolean' ? [] : [at(part, value, 'thing')];
    const others = ownKeys(value).filter((name) => !members.has(name) && !isEmpty(own(value, name)));
    return others.map((name) => at(name, own(value, name), 'thing'));
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** What makes a problem of a document says its kind once more: a page about it, its title, its status. */
function repeatsKind(name: string, value: unknown, kind: Kind, status: number | undefined): boolean {
  const { title, http } = TRAITS[kind];
  if (name === 'title') return value === title;
  if (name === 'status') return value === (status ?? http);
  if (name !== 'type' || typeof value !== 'string' || namesThing(value)) return false;
  return (
    value === 'about:blank' || value.endsWith(`/${kind}`) || value.endsWith(`/${kind.replaceAll('_', '-')}`)
  );
}

function at(name: string, value: unknown, place: Place = 'member'): Beside {
  return { name, value, place };
}

/** How every failing result is marked. */
const OF_FAILURES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['isError', true],
  ['resultType', 'complete'],
]);

function inResult(name: string, value: unknown): readonly Beside[] {
  if (name === 'content') return (Array.isArray(value) ? value : [value]).map(inBlock);
  if (name === '_meta' && isRecord(value))
    return ownKeys(value).flatMap((note) => inNotes(note, own(value, note)));
  return OF_FAILURES.get(name) === value ? [] : [at(name, value)];
}

const OF_TEXTS: ReadonlySet<string> = new Set(['type', 'text', 'annotations']);

/** A text is what it says; any other block, and a text with more to it, is something that was made. */
function inBlock(block: unknown): Beside {
  if (typeof block === 'string') return at('', block, 'words');
  const isText = isRecord(block) && ownKeys(block).every((name) => OF_TEXTS.has(name));
  return isText ? at('', own(block, 'text'), 'words') : at('', block, 'thing');
}

/** What the protocol and we ourselves say about a message, whatever it holds. */
const OF_MESSAGES = /^(?:io\.modelcontextprotocol|dev\.mayday)\//;
/** Of these, what somebody has said. */
const SPOKEN: ReadonlySet<string> = new Set([ERROR_KEY, PROBLEM_KEY]);

function inNotes(name: string, value: unknown): readonly Beside[] {
  if (SPOKEN.has(name)) return [at('', value, 'note')];
  return OF_MESSAGES.test(name) ? [] : [at(name.slice(name.lastIndexOf('/') + 1), value, 'note')];
}

const MAX_DEPTH = 6;

/** Is it nothing, words of the document, or members that it has as well, there or in its details? */
export function repeats(
  declared: Declared,
  name: string,
  value: unknown,
  depth: number = MAX_DEPTH,
): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value === 'string') return isRepeated(declared, value) || isMember(declared, name, value);
  if (typeof value !== 'object') return isMember(declared, name, value);
  if (isMember(declared, name, value)) return true;
  if (depth === 0) return false;
  if (Array.isArray(value)) return value.every((item) => repeats(declared, name, item, depth - 1));
  return ownKeys(value).every((inner) => repeats(declared, inner, own(value, inner), depth - 1));
}

/** Has the document the same under the same name, or is it the document? */
function isMember({ json }: Declared, name: string, value: unknown): boolean {
  const said = jsonOf(value);
  return said !== '' && [...(json.get(name) ?? []), ...(json.get(WHOLE) ?? [])].includes(said);
}

/** Is a text made of the document's words, or JSON of its members? */
function isRepeated(declared: Declared, text: string): boolean {
  const said = text.trim();
  if (/^[[{]/.test(said)) {
    const parsed = parseJson(said);
    return parsed !== undefined && repeats(declared, '', parsed);
  }
  const { fault, labels } = declared;
  if (labels.includes(said) || ownString(fault.details, 'data') === said) return true;
  return isBlank(withoutTexts(declared, said));
}

/** A text without the words of the document. Where those stood, a sentence ends. */
export function withoutTexts({ texts }: Declared, text: string): string {
  return texts.reduce((rest, own) => (rest.includes(own) ? cutOut(rest, own) : rest), text);
}

const LETTER = /[\p{L}\p{N}]/u;

/** Only whole words: "no" is not said in "now". */
function cutOut(text: string, own: string): string {
  const [before, behind] = [LETTER.test(own.charAt(0)), LETTER.test(own.slice(-1))];
  const kept: string[] = [];
  let from = 0;
  for (let at = text.indexOf(own); at >= 0; at = text.indexOf(own, at + own.length)) {
    const end = at + own.length;
    const isInside =
      (before && LETTER.test(text.charAt(at - 1))) || (behind && LETTER.test(text.charAt(end)));
    if (isInside) continue;
    kept.push(text.slice(from, at));
    from = end;
  }
  return [...kept, text.slice(from)].join('\n');
}

function isBlank(text: string): boolean {
  return !/[^\s\p{P}]/u.test(text);
}
