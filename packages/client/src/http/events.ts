/** The events of a stream, by the lines of their text. */
import { dataBegun, EVENT_START, isOfStream, mayTellOfOthers, tellsBeside } from '@mayday/core/protocol';
import type { RequestId } from './reply.ts';

/** The end of an event: two line endings in a row, of whichever kind. */
const END_OF_EVENT = /(?:\r\n|\n|\r(?!\n)){2}/g;

/** The longest of them is held back by that much less, so that one that straddles two pieces is found. */
const SEAM = 3;

/** What ends a line here; a regular expression's `^` knows others, which may stand in a text. */
const END_OF_LINE = /\r\n|\n|\r/;

/** Cuts a text that comes in pieces into whole events. What is held is not looked at again: a large event is read once. */
export class EventCutter {
  #held: string[] = [];
  #seam = '';
  #size = 0;
  #isBegun = false;

  /** How much is held. */
  get size(): number {
    return this.#size;
  }

  /** The events that this piece completes. */
  take(piece: string): readonly string[] {
    const text = this.#seam + piece;
    const events: string[] = [];
    let start = this.#seam.length;
    END_OF_EVENT.lastIndex = 0;
    while (END_OF_EVENT.exec(text) !== null) {
      const end = afterBlanks(text, END_OF_EVENT.lastIndex);
      END_OF_EVENT.lastIndex = end;
      events.push(this.rest() + text.slice(start, end));
      start = end;
    }
    this.#held.push(text.slice(start));
    this.#size += text.length - start;
    this.#seam = text.slice(Math.max(text.length - SEAM, events.length > 0 ? start : 0));
    return events;
  }

  /** What no event has ended yet; it is held no longer. */
  rest(): string {
    const rest = this.#held.join('');
    this.#held = [];
    this.#seam = '';
    this.#size = 0;
    this.#isBegun = false;
    return rest;
  }

  /** Was it told of the event whose end has not come? */
  get hasBegun(): boolean {
    return this.#isBegun;
  }

  /** Has an event begun that says something, and whose end has not come? Told once of each. */
  begun(): boolean {
    if (this.#isBegun || this.#size === 0) return false;
    this.#isBegun = dataBegun(this.#start()) !== undefined;
    return this.#isBegun;
  }

  /** May the event whose end has not come tell of others than the request of this id, whose stream it is in? */
  mayTellOfOthers(id: RequestId): boolean {
    return this.#size > 0 && mayTellOfOthers(this.#start(), id);
  }

  #start(): string {
    let start = '';
    for (const piece of this.#held) if (start.length < EVENT_START) start += piece;
    return start;
  }
}

/** Blank lines behind an event are no events: there may be very many of them. */
function afterBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === '\n' || text[at] === '\r') at += 1;
  return at;
}

/** The lines of an event. */
function linesOf(event: string): readonly string[] {
  return event.split(END_OF_LINE);
}

/** What the lines of this name say; `undefined` where there are none. */
export function fieldOf(event: string, name: string): string | undefined {
  const start = `${name}:`;
  const said = linesOf(event)
    .filter((line) => line.startsWith(start))
    .map((line) => line.slice(line[start.length] === ' ' ? start.length + 1 : start.length));
  return said.length === 0 ? undefined : said.join('\n');
}

/** What a stream is resumed by. The event's name stays behind: an answer is one, whatever the server calls its event. */
export function idLines(event: string): string {
  return linesOf(event)
    .filter((line) => /^(?:id|retry):/.test(line))
    .map((line) => `${line}\n`)
    .join('');
}

/** The message in the data of an event. */
export function messageIn(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined; // garbage between messages is the SDK's to report
  }
}

/** Is it an event about the stream itself? Of several names the last counts. */
export function isSignOfLife(event: string, data: string): boolean {
  return isOfStream(nameOf(event), data);
}

/** What kind of event it says it is. */
export function nameOf(event: string): string | undefined {
  return fieldOf(event, 'event')?.split('\n').at(-1);
}

/** Does an event say anything that may tell of work? Signs of life do not. */
export function saysMore(event: string, data: string): boolean {
  return (data !== '' && !isSignOfLife(event, data)) || tellsBeside(event);
}
