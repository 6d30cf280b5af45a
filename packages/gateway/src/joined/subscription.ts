/** What one subscription of a client tells it, whoever of the servers says it. */

import type { Json } from '@mayday/core';
import { SUBSCRIPTION_KEY } from '@mayday/core/protocol';
import { decode, encode, isMembers, type Members, peek, type WireCall } from '@mayday/relay';

/** Which changes somebody wants to hear about, or is told about. */
export type Filter = Members;

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** Lists whose changes can be subscribed to. */
const LISTS: readonly (readonly [flag: string, method: string])[] = [
  ['toolsListChanged', 'notifications/tools/list_changed'],
  ['promptsListChanged', 'notifications/prompts/list_changed'],
  ['resourcesListChanged', 'notifications/resources/list_changed'],
];

/** The oldest of more are dropped. */
const MAX_WAITING = 256;

/** A client expects one acknowledgement, and nothing before it: what servers say until then waits. */
export class Subscription {
  readonly #call: WireCall;
  readonly #id: Json;
  readonly #waiting: Buffer[] = [];
  #honoured: { [key: string]: Json } = {};
  #isAcknowledged = false;

  constructor(call: WireCall, id: Json) {
    this.#call = call;
    this.#id = id;
  }

  /** Passes on what a server says. False: the reader is behind. */
  say(message: Buffer): boolean {
    if (this.#isAcknowledged) return this.#call.back.related({ data: message });
    this.#waiting.push(message);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    return true;
  }

  /** A server tells about this from now on. What it had to tell before nobody has heard. */
  honour(filter: Filter): void {
    if (!this.#isAcknowledged) {
      this.#honoured = union(this.#honoured, filter);
      return;
    }
    for (const [flag, method] of LISTS) if (filter[flag] === true) this.say(this.#message(method, {}));
  }

  /** The servers are others: so are the lists that it tells about. */
  changed(): void {
    for (const [flag, method] of LISTS)
      if (this.#honoured[flag] === true) this.say(this.#message(method, {}));
  }

  /** All that could be asked have been. */
  acknowledge(): void {
    this.#isAcknowledged = true;
    this.say(this.#message(ACKNOWLEDGED, { notifications: this.#honoured }));
    for (const message of this.#waiting.splice(0)) this.say(message);
  }

  #message(method: string, params: { readonly [key: string]: Json }): Buffer {
    const _meta = { [SUBSCRIPTION_KEY]: this.#id };
    return encode({ jsonrpc: '2.0', method, params: { ...params, _meta } });
  }
}

/** What a server acknowledges; `undefined` when this message is about something else. */
export function acknowledgedIn(message: Buffer): Filter | undefined {
  if (peek(message).method !== ACKNOWLEDGED) return undefined;
  const said = decode(message);
  const params = isMembers(said) ? said['params'] : undefined;
  const filter = isMembers(params) ? params['notifications'] : undefined;
  return isMembers(filter) ? filter : {};
}

/** What either of them tells about. */
function union(left: { readonly [key: string]: Json }, right: Filter): { [key: string]: Json } {
  const both: { [key: string]: Json } = { ...left };
  for (const [key, value] of Object.entries(right)) {
    const known = both[key];
    both[key] =
      Array.isArray(known) && Array.isArray(value)
        ? [...new Set([...known, ...(value as Json[])])]
        : known === true
          ? true
          : (value as Json);
  }
  return both;
}
