/**
 * Streams of server-sent events, as text: what is in an event, and what it says beside that.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
import { parseJson } from '../json.ts';
import { namesNumbered, tellsOfWorked } from '../made-things.ts';
import { isMessage } from './message.ts';

/** How a stream of events begins: with a field or with a comment. */
const EVENTS = /^\uFEFF?(?:data|event|id|retry)?:/;

/** What ends a line here; a regular expression's `^` knows others, which may stand in a text. */
const END_OF_LINE = /\r\n|\n|\r/;

/** The fields that a reader of events knows; a comment has no name, and keeps a connection alive. */
const KNOWN: ReadonlySet<string> = new Set(['data', 'event', 'id', 'retry', '']);

/** One event of a stream. */
export interface SaidEvent {
  readonly name: string | undefined;
  /** `undefined` where it has none: no reader is told of it. */
  readonly data: string | undefined;
  /** What it says outside of its data, line by line: comments, other fields, and lines that no reader knows. */
  readonly beside: readonly string[];
  /** It tells something beside its data: in a field that no reader knows, its name, its id or a comment. */
  readonly saysMore: boolean;
  /** `false`: the end of the stream has cut it off. */
  readonly isWhole: boolean;
}

/** Does a text begin as a stream of events does? */
export function beginsAsEvents(text: string): boolean {
  return EVENTS.test(text);
}

/** The events of a stream, also what its end has cut off. */
export function eventsIn(text: string): readonly SaidEvent[] {
  return blocksIn(text).map(eventOf);
}

/** The data of each event that has some. */
export function dataIn(text: string): readonly string[] {
  return blocksIn(text).flatMap(({ lines }) => {
    const data = fieldsIn(lines, 'data');
    return data.length === 0 ? [] : [data.join('\n')];
  });
}

/** The lines of one event. */
interface Block {
  readonly lines: readonly string[];
  /** A blank line stands behind it, and more behind that. */
  readonly isClosed: boolean;
}

function blocksIn(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(END_OF_LINE);
  let start = 0;
  for (const [at, line] of lines.entries()) {
    if (line !== '') continue;
    if (at > start) blocks.push({ lines: lines.slice(start, at), isClosed: at < lines.length - 1 });
    start = at + 1;
  }
  if (start < lines.length) blocks.push({ lines: lines.slice(start), isClosed: false });
  return blocks;
}

function fieldsIn(lines: readonly string[], name: string): readonly string[] {
  return lines
    .filter((line) => nameOf(line) === name)
    .map((line) => line.slice(name.length + 1).replace(/^ /, ''));
}

function eventOf({ lines, isClosed }: Block): SaidEvent {
  const data = fieldsIn(lines, 'data');
  return {
    name: fieldsIn(lines, 'event').at(-1),
    data: data.length === 0 ? undefined : data.join('\n'),
    beside: lines.filter((line) => nameOf(line) !== 'data').map(besideData),
    saysMore: tellIn(lines),
    isWhole: isClosed || lines.every((line) => nameOf(line) === ''),
  };
}

function besideData(line: string): string {
  return (isUnknown(line) ? line : line.slice(nameOf(line).length + 1)).trim();
}

function nameOf(line: string): string {
  const colon = line.indexOf(':');
  return colon < 0 ? line : line.slice(0, colon);
}

function isUnknown(line: string): boolean {
  return line !== '' && !KNOWN.has(nameOf(line));
}

/** Does an event tell something beside its data: in a field that no reader knows, its name, its id or a comment? */
export function tellsBeside(event: string): boolean {
  return tellIn(event.split(END_OF_LINE));
}

function tellIn(lines: readonly string[]): boolean {
  if (lines.some((line) => isUnknown(line) || tellsInLine(line))) return true;
  const name = fieldsIn(lines, 'event').at(-1);
  return isTellingName(name) && fieldsIn(lines, 'data').join('') === '';
}

/** An event without data is for nobody who waits for messages: what it is called is all that it says. */
export function isTellingName(name: string | undefined): boolean {
  return name !== undefined && !/^\s*(?:message)?\s*$/.test(name) && !OF_STREAM.test(name.trim());
}

/** So much of a line is looked at that is no data. */
const MOST_OF_LINE = 500;

/** Comments keep a connection alive, names and ids tell one event from another: unless they tell of work, or name a thing. */
export function tellsInLine(line: string): boolean {
  const name = nameOf(line);
  if (name === 'data' || name === 'retry' || !line.includes(':')) return false;
  const said = line.slice(name.length + 1, MOST_OF_LINE);
  return namesNumbered(said) || tellsOfWorked(said);
}

/** Is what a stream was cut off in more than blank lines and comments? */
export function isCutOff(rest: string): boolean {
  return rest.split(END_OF_LINE).some((line) => nameOf(line) !== '');
}

/** Who has anything to say in an event begins with it: so much of one is looked at before its end has come. */
export const EVENT_START = 4096;

/**
 * The data in the beginning of an event, as far as it is there; `undefined` where so far it says nothing of any work. A name or
 * an id stands before a message: it is on its way, and nothing of it is there yet.
 */
export function dataBegun(start: string): string | undefined {
  const lines = start.slice(0, EVENT_START).split(END_OF_LINE);
  const name = fieldsIn(lines, 'event').at(-1);
  const data = fieldsIn(lines, 'data').join('\n');
  if (isOfStream(name?.trim(), data) || !lines.some(isOfMessage)) return undefined;
  const said = lines.find((line) => nameOf(line) === 'data' || isUnknown(line));
  return said === undefined ? '' : (fieldsIn([said], 'data')[0] ?? '');
}

/** How the answer to one request begins, up to where it is clear that it is one. */
const ANSWER =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d+|"[^"]*")\s*,\s*"(?:result|error)"/;

/**
 * May an event whose end has not come tell of anything else than the request that its stream is for? Its answer may not, once
 * it is clear that it is that: what begins otherwise may answer another.
 */
export function mayTellOfOthers(start: string, id: string | number | undefined): boolean {
  const data = dataBegun(start);
  if (data === undefined) return false;
  return tellsBeside(start.slice(0, EVENT_START)) || ANSWER.exec(data)?.[1] !== JSON.stringify(id);
}

/** Is it a line of an event that may bring a message? Comments and pauses are about the stream. */
function isOfMessage(line: string): boolean {
  return nameOf(line) !== '' && nameOf(line) !== 'retry';
}

/** Events about the stream itself. */
const OF_STREAM = /^(?:endpoint|ping|heart-?beat|keep-?alive)$/i;

/**
 * Is it an event about the stream itself, which tells nothing of any work? One that brings a message is not, whatever its name,
 * nor one that may. `data`: what it says, or no more than its beginning of `EVENT_START`.
 */
export function isOfStream(name: string | undefined, data = ''): boolean {
  return name !== undefined && OF_STREAM.test(name) && !mayBeMessage(data);
}

/** Is it a message, a list with one in it, or the beginning of JSON that may become one? */
function mayBeMessage(data: string): boolean {
  if (!/^\s*[[{]/.test(data)) return false;
  const parsed = parseJson(data.trim());
  return parsed === undefined || [parsed].flat().some(isMessage);
}
