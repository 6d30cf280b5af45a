/**
 * What an answer says already of what a server said. A member is told where it stands with its name: the same number under
 * another name, or a word of ours, says something else. Each question is short, and together they have an end.
 */
import type { Json } from '@mayday/core';
import { isMembers } from '@mayday/relay';
import { withoutOwnAdvice } from './own-advice.ts';

/** So many characters are searched for one answer. Beyond, words count as not told: said twice is better than lost. */
const MOST_SEARCHED = 2 ** 25;

/** So deep, members of an answer are known by their names. */
const DEEPEST = 8;

/** What a text has to have so that it is nobody else's, whatever it is called. */
const LONG = 12;

/** An answer, to be searched. */
export class Told {
  readonly #wire: object;
  readonly #sentences: readonly string[];
  #members: Set<string> | undefined;
  #left = MOST_SEARCHED;

  /** `sentences` are the server's own, as far as the answer has them. */
  constructor(wire: object, sentences: readonly string[]) {
    this.#wire = wire;
    const whole = JSON.stringify(wire);
    this.#sentences = sentences.filter((sentence) => sentence !== '' && whole.includes(written(sentence)));
  }

  /** Does a member stand in it, or all that it says? */
  has(name: string, value: Json, depth = 0): boolean {
    if (isOfFailing(name, value)) return true;
    if (depth <= DEEPEST && this.#holds(name, value)) return true;
    if (typeof value === 'string') return this.#says(name, value);
    if (typeof value !== 'object' || value === null) return false;
    const inside = Array.isArray(value)
      ? value.map((item) => [name, item] as const)
      : Object.entries(value as { [key: string]: Json });
    return inside.length > 0 && inside.every(([key, item]) => this.has(key, item, depth + 1));
  }

  /** Is a text a sentence of the server's, or a part of one that is long enough? */
  #says(name: string, words: string): boolean {
    const text = words.trim().replace(SDK_PREFIX, '');
    const isSentence = name === '' || SENTENCES.has(plain(name));
    if (text === '') return isSentence;
    if (!isSentence && text.length < LONG) return false;
    if (this.#stands(text)) return true;
    const advised = isSentence ? withoutOwnAdvice(text) : text;
    return advised !== text && (this.#stands(advised) || this.#holds(name, advised));
  }

  #holds(name: string, value: Json): boolean {
    this.#members ??= membersOf(this.#wire);
    return this.#members.has(memberOf(name, value));
  }

  #stands(text: string): boolean {
    return this.#sentences.some((sentence) => {
      if (this.#left <= 0) return false;
      this.#left -= sentence.length;
      return sentence.includes(text);
    });
  }
}

/** What the SDKs put in front of a message, which says no more than the code. */
export const SDK_PREFIX: RegExp = /^(?:MCP error -?\d+: )+/;

/** Names of members that hold a sentence about the failure, without case, `_` and `-`. */
const SENTENCES: ReadonlySet<string> = new Set(
  'message msg error errormessage errordescription detail description reason title text content err errmsg errors errormessages'.split(
    ' ',
  ),
);

function plain(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

/** That it failed is what a failing answer says. */
function isOfFailing(name: string, value: Json): boolean {
  return value === true ? name === 'isError' : value === false && (name === 'ok' || name === 'success');
}

/** Members that the gateway adds: whoever has some of the same name says something else with them. */
const OURS: ReadonlySet<string> = new Set([
  'jsonrpc',
  'id',
  'kind',
  'reaction',
  'retryable',
  'retry',
  'executed',
  'origin',
  'advice',
  'correlation_id',
  'timestamp',
  'attempts',
  'stopped',
]);

function membersOf(wire: object): Set<string> {
  const members = new Set<string>();
  const walk = (value: unknown, name: string, depth: number, isTheirs: boolean): void => {
    if (!isTheirs && OURS.has(name)) return;
    if (name !== '') members.add(memberOf(name, value));
    if (depth > DEEPEST) return;
    const structure = name === 'text' && typeof value === 'string' ? structureOf(value) : value;
    if (Array.isArray(structure)) for (const item of structure) walk(item, name, depth + 1, isTheirs);
    else if (isMembers(structure))
      for (const [key, member] of Object.entries(structure))
        walk(member, key, depth + 1, isTheirs || structure !== value);
  };
  walk(wire, '', 0, false);
  return members;
}

/** A text of ours is a sentence: one that is a structure is the server's. */
function structureOf(text: string): unknown {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // a sentence that begins like one
  }
}

function memberOf(name: string, value: unknown): string {
  return `${name}:${JSON.stringify(value)}`;
}

/** Does a text stand in an answer, alone or among others? */
export function stands(text: string, wire: object): boolean {
  return JSON.stringify(wire).includes(written(text));
}

/** A text as it is written in JSON, among others. */
function written(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
