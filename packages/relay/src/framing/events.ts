/**
 * Framing for server-sent events: whole events as the bytes that came, and the message inside one. The only place
 * that knows how they are written.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
import {
  dataBegun,
  EVENT_START,
  isCutOff,
  isOfStream as isOfStreamIn,
  isTellingName,
  mayTellOfOthers,
  tellsBeside,
  tellsInLine,
} from '@mayday/core/protocol';
import { oneLine } from './lines.ts';
import { createPile, type Pile } from './pile.ts';

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const MARK: readonly number[] = [0xef, 0xbb, 0xbf];
const PREFIX = Buffer.from('event: message\ndata: ');
const ID = Buffer.from('id: ');
const END = Buffer.from('\n\n');
const NEWLINE = Buffer.from('\n');
const EMPTY: Buffer = Buffer.alloc(0);

/** Takes chunks, gives runs of whole events. */
export interface EventSplitter {
  /** The whole events that are complete now, as one run of bytes; `undefined` when there are none yet. */
  push(chunk: Buffer): Buffer | undefined;
  /** Bytes that are waiting for their event to end. */
  readonly held: number;
  /** The data of an event that has begun, as far as it is there; `undefined` as long as it says nothing, or nothing new. */
  begun(): Buffer | undefined;
  /** The same, as often as it is asked, and with what has come since. */
  unfinished(): Buffer | undefined;
  /** May what is waiting tell of others than the request of this id, whose stream it is in? */
  mayTellOfOthers(id: string | number | undefined): boolean;
  /** Takes what is waiting: the stream is over, and cuts it off. */
  rest(): Buffer;
}

/** Collects the chunks of one stream until events are complete. A byte order mark at its beginning is dropped. */
export function createEventSplitter(): EventSplitter {
  return new Splitter();
}

class Splitter implements EventSplitter {
  readonly #pile: Pile = createPile();
  #marked = 0;
  #before = 0;
  #isBegun = false;

  get held(): number {
    return this.#pile.size;
  }

  rest(): Buffer {
    return this.#pile.take();
  }

  begun(): Buffer | undefined {
    if (this.#isBegun) return undefined;
    const data = this.unfinished();
    this.#isBegun = data !== undefined;
    return data;
  }

  unfinished(): Buffer | undefined {
    if (this.#pile.size === 0) return undefined;
    const data = dataBegun(this.#pile.start(EVENT_START).toString('latin1'));
    return data === undefined ? undefined : Buffer.from(data, 'latin1');
  }

  mayTellOfOthers(id: string | number | undefined): boolean {
    return this.#pile.size > 0 && mayTellOfOthers(this.#pile.start(EVENT_START).toString('latin1'), id);
  }

  push(whole: Buffer): Buffer | undefined {
    const pile = this.#pile;
    const chunk = this.#marked < MARK.length ? this.#withoutMark(whole) : whole;
    if (chunk.length === 0) return undefined;
    const end = lastEventEnd(chunk, this.#before);
    this.#before = chunk[chunk.length - 1] ?? 0;
    if (end === 0) {
      pile.add(chunk);
      return undefined;
    }
    const complete = chunk.subarray(0, end);
    this.#isBegun = false;
    if (pile.size > 0) {
      pile.add(complete);
      const run = pile.take();
      pile.add(chunk.subarray(end));
      return run;
    }
    pile.add(chunk.subarray(end));
    return complete;
  }

  /** The chunk without what belongs to the mark, which may be cut anywhere. */
  #withoutMark(chunk: Buffer): Buffer {
    let from = 0;
    while (this.#marked < MARK.length && from < chunk.length) {
      if (chunk[from] !== MARK[this.#marked]) {
        // It was none: what looked like its beginning is text.
        this.#pile.add(Buffer.from(MARK.slice(0, this.#marked)));
        this.#marked = MARK.length;
        break;
      }
      this.#marked++;
      from++;
    }
    return from === 0 ? chunk : chunk.subarray(from);
  }
}

/**
 * The position after the last blank line; 0 when there is none. Lines end with CR, LF or both, so a blank line is
 * any two of them in a row that are not CR LF. `before` is the byte before the chunk.
 */
function lastEventEnd(bytes: Buffer, before: number): number {
  let end = 0;
  for (let at = bytes.lastIndexOf(LF); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(LF, at - 1)) {
    if ((at === 0 ? before : bytes[at - 1]) !== LF) continue;
    end = at + 1;
    break;
  }
  for (let at = bytes.lastIndexOf(CR); at >= end; at = at === 0 ? -1 : bytes.lastIndexOf(CR, at - 1)) {
    const previous = at === 0 ? before : bytes[at - 1];
    if (previous !== LF && previous !== CR) continue;
    // A line feed that comes with the next chunk stays behind as a blank line of its own, which says nothing.
    return bytes[at + 1] === LF ? at + 2 : at + 1;
  }
  return end;
}

/** One event: its bytes, its data, its id. */
export interface StreamEvent {
  readonly raw: Buffer;
  /** Empty for an event without data: it says nothing. */
  readonly data: Buffer;
  /** What kind of event it says it is; a message, if it does not say. */
  readonly name?: string | undefined;
  /** The id it sets; `undefined` when it sets none. */
  readonly id: string | undefined;
  /** How long to wait before the stream is taken up again, where it says so. */
  readonly retryMs?: number | undefined;
}

/**
 * Takes a run of whole events apart. Blank lines are nobody's. Of signs of life in a row, the last one counts, and those
 * before it that say something which nobody says after them.
 */
export function splitEvents(run: Buffer): readonly StreamEvent[] {
  const events: StreamEvent[] = [];
  const lines = new Lines(run);
  let signs: readonly StreamEvent[] = [];
  let isSign = true;
  let start = 0;
  let data: Buffer[] = [];
  let id: string | undefined;
  let name: string | undefined;
  let retryMs: number | undefined;
  while (lines.next()) {
    if (lines.end > lines.start) {
      const value = fieldAt(run, lines.start, lines.end, 'data');
      if (value !== undefined) {
        data.push(value);
        isSign &&= value.length === 0;
      } else {
        isSign &&= run[lines.start] === COLON || isPlainLine(run, lines.start, lines.end);
        isSign &&= !tellsInLine(run.toString('latin1', lines.start, lines.end));
        id = idAt(run, lines.start, lines.end) ?? id;
        retryMs = retryAt(run, lines.start, lines.end) ?? retryMs;
        name = fieldAt(run, lines.start, lines.end, 'event')?.toString('latin1') ?? name;
      }
      continue;
    }
    if (lines.start > start) {
      const event = { raw: run.subarray(start, lines.after), data: joined(data), name, id, retryMs };
      isSign &&= event.data.length === 0 && !isTellingName(name);
      if (isSign) signs = withSign(signs, event);
      else {
        events.push(...signs, event);
        signs = [];
      }
      isSign = true;
    }
    start = lines.after;
    data = [];
    id = undefined;
    name = undefined;
    retryMs = undefined;
  }
  events.push(...signs);
  return events;
}

/** What is left to say of events without a message when one more has come: an id or a pause counts until the next one. */
export function withSign(signs: readonly StreamEvent[], event: StreamEvent): readonly StreamEvent[] {
  if (signs.length === 0) return [event];
  const left = signs.filter(
    ({ id, retryMs }) =>
      (id !== undefined && event.id === undefined) || (retryMs !== undefined && event.retryMs === undefined),
  );
  return [...left, event];
}

/**
 * The same events without what is for nobody: comments, which keep a connection alive, fields that no reader knows, and
 * names of events that are no plain words. Nothing else takes secrets out of them.
 */
export function withoutAsides(raw: Buffer): Buffer {
  const lines = new Lines(raw);
  let isPlain = true;
  while (isPlain && lines.next()) isPlain = isPlainLine(raw, lines.start, lines.end);
  if (isPlain && isPlainLine(raw, lines.start, raw.length)) return raw;
  return Buffer.from(raw.toString('latin1').replace(ASIDE, ':'), 'latin1');
}

/** A line of an event that is not passed on, in bytes as letters. */
const ASIDE = /^(?!(?:data|id)(?::|$)|retry: ?\d{0,15}$|event(?:: ?[A-Za-z_-]{0,32})?$)[^\r\n]+/gm;

function isPlainLine(bytes: Buffer, start: number, end: number): boolean {
  if (end === start || (end - start === 1 && bytes[start] === COLON)) return true;
  if (fieldAt(bytes, start, end, 'data') !== undefined || fieldAt(bytes, start, end, 'id') !== undefined)
    return true;
  const name = fieldAt(bytes, start, end, 'event');
  if (name !== undefined) return name.length <= 32 && /^[A-Za-z_-]*$/.test(name.toString('latin1'));
  return retryAt(bytes, start, end) !== undefined;
}

/** Is it an event about the stream itself, which tells nothing of any work and brings no message? */
export function isOfStream({ name, data }: Pick<StreamEvent, 'name' | 'data'>): boolean {
  return name !== undefined && isOfStreamIn(name, data.toString('utf8', 0, EVENT_START));
}

/** Is what a stream was cut off in more than blank lines and a comment? */
export function saysSomething(rest: Buffer): boolean {
  return isCutOff(rest.toString('latin1'));
}

/** Does an event tell something beside its data? Comments keep a connection alive, as long as they name nothing. */
export function saysUnknown(raw: Buffer): boolean {
  return tellsBeside(raw.toString('latin1'));
}

/** Walks lines, whatever they end with. Nothing after the last end is a line. */
class Lines {
  readonly #bytes: Buffer;
  #nextLf: number;
  #nextCr: number;
  start = 0;
  end = 0;
  after = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#nextLf = bytes.indexOf(LF);
    this.#nextCr = bytes.indexOf(CR);
  }

  next(): boolean {
    const bytes = this.#bytes;
    this.start = this.after;
    // Searched again only when passed: a stream without the other one would be searched to its end for every line.
    if (this.#nextLf >= 0 && this.#nextLf < this.start) this.#nextLf = bytes.indexOf(LF, this.start);
    if (this.#nextCr >= 0 && this.#nextCr < this.start) this.#nextCr = bytes.indexOf(CR, this.start);
    const byCr = this.#nextCr >= 0 && (this.#nextLf < 0 || this.#nextCr < this.#nextLf);
    this.end = byCr ? this.#nextCr : this.#nextLf;
    if (this.end < 0) return false;
    this.after = this.end + (byCr && bytes[this.end + 1] === LF ? 2 : 1);
    return true;
  }
}

/** What a line says for a field; `undefined` when it is another field's. One space after the colon is not part of it. */
function fieldAt(bytes: Buffer, start: number, end: number, name: string): Buffer | undefined {
  if (end - start < name.length) return undefined;
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name.charCodeAt(i)) return undefined;
  const colon = start + name.length;
  if (colon === end) return EMPTY;
  if (bytes[colon] !== 0x3a) return undefined;
  return bytes.subarray(bytes[colon + 1] === SPACE && colon + 1 < end ? colon + 2 : colon + 1, end);
}

/** An id with a zero byte is none. */
function idAt(bytes: Buffer, start: number, end: number): string | undefined {
  const value = fieldAt(bytes, start, end, 'id');
  return value === undefined || value.includes(0) ? undefined : value.toString('utf8');
}

/** Anything but digits is none. */
function retryAt(bytes: Buffer, start: number, end: number): number | undefined {
  const said = fieldAt(bytes, start, end, 'retry')?.toString('latin1');
  return said !== undefined && /^\d{1,15}$/.test(said) ? Number(said) : undefined;
}

function joined(data: readonly Buffer[]): Buffer {
  if (data.length <= 1) return data[0] ?? EMPTY;
  return Buffer.concat(data.flatMap((part, i) => (i === 0 ? [part] : [NEWLINE, part])));
}

/** A message as an event. Line breaks inside the message would end the event, so they are taken out. */
export function toEvent(message: Buffer, id?: string): Buffer {
  const line = oneLine(message);
  if (id === undefined) return Buffer.concat([PREFIX, line, END]);
  return Buffer.concat([ID, Buffer.from(id), NEWLINE, PREFIX, line, END]);
}

/** An event that says nothing but where the stream is taken up. */
export function toSign(id: string): StreamEvent {
  return { raw: Buffer.concat([ID, Buffer.from(id), END]), data: EMPTY, id };
}

/** The same event under another id. One that sets none, or takes away the last, is left alone. */
export function withId(event: StreamEvent, rename: (id: string) => string): StreamEvent {
  if (event.id === undefined || event.id === '') return event;
  const id = rename(event.id);
  const line = `id: ${Buffer.from(id).toString('latin1')}`;
  // Of several lines the last counts: all of them say the same now.
  const raw = Buffer.from(
    event.raw.toString('latin1').replace(ID_LINE, () => line),
    'latin1',
  );
  return { ...event, raw, id };
}

/** In bytes as letters. */
const ID_LINE = /^id(?::[^\r\n]*)?$/gm;

/** The same event; without an id where any that stands in it, be it one that no reader takes, may not be said. */
export function withSayableId(event: StreamEvent, maySay: (id: string) => boolean): StreamEvent {
  const raw = event.raw.toString('latin1');
  const lines = raw.match(ID_LINE) ?? [];
  if (lines.every((line) => maySay(Buffer.from(line, 'latin1').toString('utf8')))) return event;
  return { ...event, raw: Buffer.from(raw.replace(ID_LINE_AND_END, ''), 'latin1'), id: undefined };
}

const ID_LINE_AND_END = /^id(?::[^\r\n]*)?(?:\r\n|[\r\n])/gm;

/** The same event with this message in it. Where that can be done in its place, everything else in it stays to the letter. */
export function withData(event: StreamEvent, data: Buffer): StreamEvent {
  if (data === event.data) return event;
  const at = data.includes(LF) || data.includes(CR) ? -1 : event.raw.indexOf(event.data);
  const raw =
    at < 0
      ? toEvent(data, event.id)
      : Buffer.concat([event.raw.subarray(0, at), data, event.raw.subarray(at + event.data.length)]);
  return { ...event, raw, data };
}
