/**
 * Errors that name no request. Some servers answer what they cannot read that way; others answer notifications, which
 * nobody answers, and what they say then is about no call at all.
 */

import { addLast } from '@mayday/policy';
import { decode, isMembers } from '../framing/json.ts';

/** So long after a notification an error may be about it. */
const EXPECTED_MS = 10_000;
/** Of so many notifications, and of so many names, is anything known. */
const KEPT = 100;
const MAX_WORDS = 1000;

/** Tells the two apart: by the words of the error, and where those name nothing, by what was said not long ago. */
export class NamelessErrors {
  readonly #names: Set<string> = new Set();
  /** When notifications went out that the server may still answer, each once. A good answer in between proves nothing. */
  #unheard: number[] = [];

  /** Something of this name was said that wants no answer. */
  notified(name: string, now: number): void {
    this.named(name);
    this.#unheard.push(now);
    if (this.#unheard.length > KEPT) this.#unheard.shift();
  }

  /** The same, where no error is to be expected: the server has said what it had to say. */
  named(name: string): void {
    if (name !== '') addLast(this.#names, name, KEPT);
  }

  /** The notification that these words name. */
  namedIn(words: string): string | undefined {
    const name = [...this.#names].find((known) => isNamed(words, known));
    if (name !== undefined) this.#unheard.shift();
    return name;
  }

  /** May an error that has come just now, and names nothing, be about a notification? It is counted as that. */
  mayBeAboutOne(now: number): boolean {
    this.#unheard = this.#unheard.filter((at) => now - at < EXPECTED_MS);
    return this.#unheard.shift() !== undefined;
  }

  /** Another process was started: what the one before was told is gone. */
  forget(): void {
    this.#names.clear();
    this.#unheard = [];
  }
}

/** What an error says in words, and beside them. */
export function wordsOfError(line: Buffer): string {
  const message = decode(line);
  const error = isMembers(message) ? message['error'] : undefined;
  if (!isMembers(error)) return String(error ?? '').slice(0, MAX_WORDS);
  const { message: words, data } = error;
  const beside = data === undefined || data === null ? [] : [textOf(data)];
  return [textOf(words ?? ''), ...beside].join(' ').slice(0, MAX_WORDS);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Does a text name this, and not something longer? What has no name is named nowhere. */
export function isNamed(text: string, name: string): boolean {
  if (name === '') return false; // it is found at the end of every text, again and again
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!OF_A_NAME.test(text[at - 1] ?? ' ') && !OF_A_NAME.test(text[at + name.length] ?? ' ')) return true;
  }
  return false;
}

const OF_A_NAME = /[\w/-]/;
