/** What a server has asked a client, as far as it decides who keeps whom waiting. */

import { dropOldest, setLast } from '@mayday/policy';
import { idOf } from '../framing/ids.ts';
import { decode } from '../framing/json.ts';
import { peek } from '../framing/peek.ts';
import { paramsOf } from '../protocol/params.ts';

/** Beyond these the oldest are forgotten. */
const MAX_OPEN = 1000;
const MAX_ID = 256;

/** The questions of one conversation that wait for the client's answer. */
export class OpenQuestions {
  readonly #now: () => number;
  /** When each was asked. */
  readonly #open: Map<unknown, number> = new Map();
  /** When the client last answered one. */
  answeredAt: number = Number.NEGATIVE_INFINITY;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Does one wait that was asked then, or later? An older one is none of a call that began then. */
  isOpenSince(time: number): boolean {
    for (const at of this.#open.values()) if (at >= time) return true;
    return false;
  }

  /** A message of the server, as the client gets it. */
  toClient(message: Buffer): void {
    const seen = peek(message);
    if (seen.kind === 'request') this.#asked(idOf(message, seen));
    else if (seen.method === 'notifications/cancelled')
      this.#open.delete(paramsOf(decode(message))?.['requestId']);
  }

  /** The client has answered the question with this id. */
  answered(id: string | number | undefined): void {
    if (this.#open.delete(id)) this.answeredAt = this.#now();
  }

  #asked(id: string | number | undefined): void {
    if (typeof id === 'string' && id.length > MAX_ID) return;
    this.#open.set(id, this.#now());
    dropOldest(this.#open, MAX_OPEN);
  }
}

/** Whose session it is, and which. */
export interface InSession {
  readonly caller: string;
  readonly session: string | undefined;
}

/** The questions in sessions that are the server's. A session is known here from its first question on. */
export class QuestionsBySession {
  readonly #now: () => number;
  readonly #known: Map<string, OpenQuestions> = new Map();

  constructor(now: () => number) {
    this.#now = now;
  }

  of({ caller, session }: InSession): OpenQuestions | undefined {
    return session === undefined || this.#known.size === 0
      ? undefined
      : this.#known.get(keyOf(caller, session));
  }

  toClient(of: InSession, message: Buffer): void {
    const known = this.of(of);
    if (known !== undefined) known.toClient(message);
    else if (of.session !== undefined && peek(message).kind === 'request')
      this.#open(keyOf(of.caller, of.session)).toClient(message);
  }

  #open(key: string): OpenQuestions {
    const questions = new OpenQuestions(this.#now);
    setLast(this.#known, key, questions, MAX_OPEN);
    return questions;
  }
}

function keyOf(caller: string, session: string): string {
  return `${caller}\0${session}`;
}
