/** What a server has asked a client, as far as it decides who keeps whom waiting. */
import { createHash } from 'node:crypto';
import { dropOldest, setLast } from '@mayday/policy';
import { idOf } from '../framing/ids.ts';
import { decode } from '../framing/json.ts';
import { type Peek, peek } from '../framing/peek.ts';
import { paramsOf } from '../protocol/params.ts';

/** Beyond these the oldest are forgotten. */
const MAX_OPEN = 1000;
const MAX_ID = 256;

/** One question of a server. */
export interface OpenQuestion {
  readonly askedAt: number;
  /** Neither answered nor withdrawn. */
  readonly isOpen: boolean;
}

/** The questions of one conversation that wait for the client's answer. Whether somebody is there (`ping`) is none. */
export class OpenQuestions {
  readonly #now: () => number;
  readonly #open: Map<unknown, { -readonly [key in keyof OpenQuestion]: OpenQuestion[key] }> = new Map();
  /** When the client last answered one. */
  answeredAt: number = Number.NEGATIVE_INFINITY;
  /** The one that was asked last, open or not. */
  newest: OpenQuestion | undefined;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Does one wait that was asked then, or later? An older one is none of a call that began then. */
  isOpenSince(time: number): boolean {
    for (const { askedAt } of this.#open.values()) if (askedAt >= time) return true;
    return false;
  }

  /** A message of the server, as the client gets it. */
  toClient(message: Buffer): void {
    const seen = peek(message);
    if (isQuestion(seen)) this.#asked(idOf(message, seen));
    else if (seen.method === 'notifications/cancelled') this.#close(paramsOf(decode(message))?.['requestId']);
  }

  /** The client has answered the question with this id. */
  answered(id: string | number | undefined): void {
    if (this.#close(id)) this.answeredAt = this.#now();
  }

  #asked(id: string | number | undefined): void {
    const question = { askedAt: this.#now(), isOpen: true };
    this.newest = question;
    this.#open.set(keptAs(id), question);
    dropOldest(this.#open, MAX_OPEN);
  }

  #close(id: unknown): boolean {
    const question = this.#open.get(keptAs(id));
    if (question === undefined) return false;
    question.isOpen = false;
    return this.#open.delete(keptAs(id));
  }
}

/** Does a server wait for an answer that only its client can give? */
export function isQuestion({ kind, method }: Peek): boolean {
  return kind === 'request' && method !== 'ping';
}

/** A long id is known by its digest: many of them must not fill the memory. */
function keptAs(id: unknown): unknown {
  return typeof id === 'string' && id.length > MAX_ID ? createHash('sha256').update(id).digest('hex') : id;
}

/** Whose session it is, and which. */
export interface InSession {
  readonly caller: string;
  readonly session: string | undefined;
}

/** The questions of a server that has sessions, or none. A session is known here from its first question on. */
export class ServersQuestions {
  readonly #now: () => number;
  readonly #known: Map<string, OpenQuestions> = new Map();
  /** Of calls without a session, each its own, with the caller whose they are: servers count their questions alike. */
  readonly #ofCalls: Map<OpenQuestions, string> = new Map();

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
    else if (of.session !== undefined && isQuestion(peek(message)))
      this.#open(keyOf(of.caller, of.session)).toClient(message);
  }

  /** The client has answered a question. Without a session it does not say in which call it was asked that. */
  answered(of: InSession, id: string | number | undefined): void {
    this.of(of)?.answered(id);
    if (of.session !== undefined) return;
    for (const [questions, caller] of this.#ofCalls) if (caller === of.caller) questions.answered(id);
  }

  /** Those of a call without a session, until it is over. */
  inCall(caller: string): OpenQuestions {
    const questions = new OpenQuestions(this.#now);
    this.#ofCalls.set(questions, caller);
    return questions;
  }

  over(questions: OpenQuestions): void {
    this.#ofCalls.delete(questions);
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
