/** What came for a request: is it about that request, and about nothing else? */

import { parseJson, type Unknown } from './json.ts';
import { beginsAsEvents, eventsIn, isOfStream, type SaidEvent } from './wire/events.ts';
import { isMessage } from './wire/message.ts';
import { namesTwice } from './wire/repeating.ts';

/** What the SDKs for Python and C# have in place of no id. */
const OF_NO_REQUEST: readonly unknown[] = ['server-error', ''];

/** Is it the id of an error about a request that its server has not taken? */
export function isOfNoRequest(id: unknown): boolean {
  return id === undefined || id === null || OF_NO_REQUEST.includes(id);
}

/**
 * What a body is to the request that it came for:
 * - `own`: its answer, or words about it, and nothing else.
 * - `more`: its answer, and something around that which may tell what became of the work. It proves nothing.
 * - `another`: an answer to some other request, several answers, or JSON of which nobody can say whose it is. It proves
 *   nothing about this one either, and its words may be for somebody else alone.
 */
export type Concern = 'own' | 'more' | 'another';

/** Nobody says in a megabyte what went wrong. */
const LOOKED_AT = 1_000_000;

type Id = string | number | undefined;

/** What a body is to the request of this id. `isEvents`: it is said to be a stream of events; otherwise it may begin as one. */
export function concernOf(body: string, id: Id, isEvents = false): Concern {
  if (body.length > LOOKED_AT) return isProse(body.trimStart()) ? 'own' : 'another';
  const events = saidEvents(body, isEvents);
  return events === undefined ? ofDocument(body, id) : ofEvents(events, id);
}

/** What may be told of a body: of events their data alone, whatever else stands in the stream; anything else as it is. */
export function toldIn(body: string, isEvents = false): string {
  const events = saidEvents(body, isEvents);
  if (events === undefined) return body;
  return events
    .filter(isSaid)
    .map(({ data = '' }) => `data: ${data.replaceAll('\n', '\ndata: ')}\n\n`)
    .join('');
}

/** The events of a body that is a stream of them; `undefined` for any other. */
function saidEvents(body: string, isEvents: boolean): readonly SaidEvent[] | undefined {
  if (!(isEvents || beginsAsEvents(body)) || parseJson(body) !== undefined) return undefined;
  const events = eventsIn(body);
  return events.some(({ data = '' }) => data !== '') ? events : undefined;
}

/** Does it say anything, and of something else than the stream itself? */
function isSaid({ name, data = '' }: SaidEvent): boolean {
  return data !== '' && !isOfStream(name, data);
}

function ofEvents(events: readonly SaidEvent[], id: Id): Concern {
  const said = events.filter(isSaid);
  const concerns = said.map(({ data = '' }) => ofDocument(data, id));
  const messages = said.filter(({ data = '' }) => isMessage(parseJson(data)));
  if (messages.length > 1 || concerns.includes('another') || hidesMessage(events, id)) return 'another';
  const isMore = said.length > 1 || events.some(({ saysMore, isWhole }) => saysMore || !isWhole);
  const isToldBeside = messages.length === 0 && events.some(saysBeside);
  return isMore || isToldBeside ? 'more' : (concerns[0] ?? 'own');
}

/** Is there an answer, whole or in pieces, where a reader of events looks for none? */
function hidesMessage(events: readonly SaidEvent[], id: Id): boolean {
  const beside = events.flatMap((event) => [...event.beside, ...(isSaid(event) ? [] : [event.data ?? ''])]);
  return beside.some((line) => ofDocument(line, id) !== 'own') || namesMessage(beside.join('\n'));
}

/** Words beside a message are signs of life; beside words, they are more of them. */
function saysBeside({ name, data, beside }: SaidEvent): boolean {
  const isUsual = (line: string): boolean => line === '' || line === name?.trim() || /^\d+$/.test(line);
  return !(beside.every(isUsual) && (name === undefined || USUAL_NAME.test(name) || isOfStream(name, data)));
}

const USUAL_NAME = /^(?:message|error)$/;

function ofDocument(text: string, id: Id): Concern {
  const json = text.replace(/^\uFEFF/, '').trim();
  const parsed = parse(json);
  if (parsed === undefined) return isProse(json) ? 'own' : 'another';
  if (typeof parsed === 'string') return isProse(parsed.trim()) ? 'own' : 'another';
  const isAlone = Array.isArray(parsed) && parsed.length === 1 && isMessage(parsed[0]);
  const message: unknown = isAlone ? parsed[0] : parsed;
  const isAnothers = isMessage(message)
    ? namesIdTwice(json, isAlone ? 2 : 1) || !isOwn(message, id)
    : holdsMessage(parsed, MAX_DEPTH);
  if (isAnothers) return 'another';
  return namesTwice(json, parsed) || (isMessage(message) && saysBoth(message)) ? 'more' : 'own';
}

/** JSON of any kind; `undefined` for what is none, or more than one document. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isOwn(message: Unknown, id: Id): boolean {
  if ('method' in message) return false;
  const { id: said } = message;
  if (isOfNoRequest(said)) return 'error' in message;
  return (typeof said === 'string' || typeof said === 'number') && String(said) === String(id);
}

function saysBoth({ error, result }: Unknown): boolean {
  return (error ?? null) !== null && (result ?? null) !== null;
}

const MAX_DEPTH = 32;

/** Is there a message somewhere inside, also as text? What is deeper than anybody nests is taken for one. */
function holdsMessage(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.includes(VERSION);
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0 || isMessage(value)) return true;
  return Object.values(value).some((inner) => holdsMessage(inner, depth - 1));
}

const VERSION = 'jsonrpc';

/** Of two ids a parser keeps one, and the answer is to the other. `level`: how deep the message stands. */
function namesIdTwice(json: string, level: number): boolean {
  let depth = 0;
  let ids = 0;
  for (const [token, colon] of json.matchAll(TOKENS)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    else if (depth === level && colon !== undefined && parse(token.slice(0, -colon.length)) === 'id')
      ids += 1;
  }
  return ids > 1;
}

const TOKENS = /[{}[\]]|"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Is it plainly no JSON, whole or cut off, and holds none: a page, a sentence? Some sentences begin with a name in brackets or quotes. */
function isProse(text: string): boolean {
  if (text.includes(VERSION)) return false;
  return text.startsWith('<') || !(BEGINS_AS_JSON.test(text) || endsAsJson(text) || namesId(text));
}

/** Does it end more than it has begun? */
function endsAsJson(text: string): boolean {
  const end = text.trimEnd();
  if (!end.endsWith('}') || !ENDS_VALUE.test(end.slice(0, -1).trimEnd().slice(-1))) return false;
  return end.split('}').length > end.split('{').length;
}

/** Is there a part of a message in a text? */
function namesMessage(text: string): boolean {
  return text.includes(VERSION) || namesId(text);
}

/** Is there an id in it, other than a sentence writes one? In a message, whole or in pieces, there is more of JSON beside it. */
function namesId(text: string): boolean {
  return NAMES_ID.test(text) && OF_JSON.test(text.replaceAll(ID_IN_WORDS, ''));
}

const NAMES_ID = /\\?"id\\?"\s*:/;
const ID_IN_WORDS = /(?<=^|\w )"id" ?: ?[\w-]+(?=[ .;!?]|$)/g;
const OF_JSON = /[{}[\]\\]|"\s*:/;

const BEGINS_AS_JSON = /^(?:\{|\[\s*[[{"\]]|"\s*[[{]|"[^"\\]*"\s*:\s*[[{"])/;
const ENDS_VALUE = /["\w\]}]/;
