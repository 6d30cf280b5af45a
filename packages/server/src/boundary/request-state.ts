import type { ToldSecret } from '@mayday/core/redact';
import { type Call, headerOf, metaOf, nameOf, type Revision, revisionOf, type ToolFacts } from '../call.ts';
import type { Passage } from '../guards/guard.ts';
import type { AuthInfo, Extra, Message, RequestId } from '../shapes.ts';
import type { Failure } from './failure.ts';
import type { FailedStep } from './inside.ts';
import type { Worked } from './once-outcome.ts';
import type { Stray } from './strays.ts';

/** Who a request belongs to. */
export interface Owner {
  toolFacts(name: string): ToolFacts | undefined;
  /** Something that the request's handler started and forgot was rejected. */
  strayed?(state: RequestState, reason: unknown): void;
}

const NO_SCOPES: readonly string[] = [];
const NOTHING: readonly ToldSecret[] = [];

/** What a handler came back with. */
export type Returned = 'success' | 'error' | 'question';

/** One request under way: what it is, and what has become of it so far. */
export class RequestState implements Call, Stray {
  readonly #owner: Owner;
  // The others are declared, and set by the constructor: fields that set themselves as well are set twice, at each call.
  declare readonly message: Message;
  declare readonly extra: Extra | undefined;
  declare readonly startedAt: number;
  declare dueAt: number;
  declare principal: string | undefined;
  declare scopes: readonly string[];
  /** The server has seen it; before that, it is held back by a guard. */
  declare delivered: boolean;
  /** A handler of the author's was entered; until then, every failure is the SDK's. */
  declare entered: boolean;
  /** It has been answered, or nobody wants an answer any more. */
  declare over: boolean;
  /** The handler came back, with a success or with an error result of its own making. */
  declare returned: Returned | undefined;

  // What few requests have to remember starts on the prototype.
  /** The SDK's own handler was entered, where that calls functions of the author's that nobody sees. */
  declare reached: boolean;
  /** The guards that want to see checked arguments were asked all the same, for want of a later chance. */
  declare innerAsked: boolean;
  /** What it came back with is the stored answer of an earlier call with the same key. */
  declare replayed: boolean;
  /** What the handler threw, or what a check found. */
  declare failure: Failure | undefined;
  /** What another handler threw that its own has called. */
  declare failedStep: FailedStep | undefined;
  declare passage: Passage | undefined;
  /** It carries a key, under which it may be under way for another request. */
  declare keyed: boolean;
  /** It is refused before anybody looked at its key, under which an earlier call may have been made. */
  declare doubtful: boolean;
  /** It is the one that is made under its key. */
  declare leads: boolean;
  /** Tells whoever keeps the answers of its key what it came to. */
  declare conclude: ((worked: Worked) => void) | undefined;
  /** What it has given away as secrets so far. */
  declare told: readonly ToldSecret[];
  /** Settles when that is kept. */
  declare kept: Promise<unknown> | undefined;
  /** What its handler comes to, with or without anybody who waits for it. */
  declare worked: Promise<Worked> | undefined;

  constructor(owner: Owner, message: Message, extra: Extra | undefined, startedAt: number) {
    this.#owner = owner;
    this.message = message;
    this.extra = extra;
    this.startedAt = startedAt;
    this.dueAt = Number.POSITIVE_INFINITY;
    this.delivered = false;
    this.entered = false;
    this.over = false;
    this.returned = undefined;
    const auth = extra?.authInfo;
    this.principal = auth?.clientId;
    this.scopes = auth?.scopes ?? NO_SCOPES;
  }

  /** Most requests carry no `_meta`, and need not be asked for its members. */
  get hasMeta(): boolean {
    return this.message.params?.['_meta'] !== undefined;
  }

  get id(): RequestId {
    return this.message.id as RequestId;
  }

  get method(): string {
    return this.message.method as string;
  }

  get name(): string | undefined {
    return nameOf(this.message);
  }

  get arguments(): unknown {
    return this.message.params?.['arguments'];
  }

  get revision(): Revision {
    return revisionOf(this.message);
  }

  get auth(): AuthInfo | undefined {
    return this.extra?.authInfo;
  }

  get tool(): ToolFacts | undefined {
    const { name } = this;
    return this.method === 'tools/call' && name !== undefined ? this.#owner.toolFacts(name) : undefined;
  }

  reportStray(reason: unknown): void {
    this.#owner.strayed?.(this, reason);
  }

  header(name: string): string | undefined {
    return headerOf(this.extra, name);
  }

  meta(key: string): unknown {
    return metaOf(this.message, key);
  }
}

/** A member of its own costs every call, also the many of which it says nothing. */
const AT_FIRST: Partial<RequestState> = {
  reached: false,
  innerAsked: false,
  replayed: false,
  failure: undefined,
  failedStep: undefined,
  passage: undefined,
  keyed: false,
  doubtful: false,
  leads: false,
  conclude: undefined,
  told: NOTHING,
  kept: undefined,
  worked: undefined,
};
Object.assign(RequestState.prototype, AT_FIRST);
