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
  readonly message: Message;
  readonly extra: Extra | undefined;
  readonly startedAt: number;
  /** Most requests carry no `_meta`, and need not be asked for its members. */
  readonly hasMeta: boolean;
  readonly #owner: Owner;
  dueAt: number = Number.POSITIVE_INFINITY;
  principal: string | undefined;
  scopes: readonly string[];
  /** The server has seen it; before that, it is held back by a guard. */
  delivered = false;
  /** A handler of the author's was entered; until then, every failure is the SDK's. */
  entered = false;
  /** The SDK's own handler was entered, where that calls functions of the author's that nobody sees. */
  reached = false;
  /** The guards that want to see checked arguments were asked all the same, for want of a later chance. */
  innerAsked = false;
  /** It has been answered, or nobody wants an answer any more. */
  over = false;
  /** The handler came back, with a success or with an error result of its own making. */
  returned: Returned | undefined;
  /** What it came back with is the stored answer of an earlier call with the same key. */
  replayed = false;
  /** What the handler threw, or what a check found. */
  failure: Failure | undefined;
  /** What another handler threw that its own has called. */
  failedStep: FailedStep | undefined;
  passage: Passage | undefined;
  /** It carries a key, under which it may be under way for another request. */
  keyed = false;
  /** It is refused before anybody looked at its key, under which an earlier call may have been made. */
  doubtful = false;
  /** It is the one that is made under its key. */
  leads = false;
  /** Tells whoever keeps the answers of its key what it came to. */
  conclude: ((worked: Worked) => void) | undefined;
  /** What it has given away as secrets so far. */
  told: readonly ToldSecret[] = NOTHING;
  /** Settles when that is kept. */
  kept: Promise<unknown> | undefined;
  /** What its handler comes to, with or without anybody who waits for it. */
  worked: Promise<Worked> | undefined;

  constructor(owner: Owner, message: Message, extra: Extra | undefined, startedAt: number) {
    this.#owner = owner;
    this.message = message;
    this.extra = extra;
    this.startedAt = startedAt;
    this.hasMeta = message.params?.['_meta'] !== undefined;
    const auth = extra?.authInfo;
    this.principal = auth?.clientId;
    this.scopes = auth?.scopes ?? NO_SCOPES;
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
