/** One upstream inside the joined endpoint: opened when it is first needed, asked with a time limit. */
import type { FaultInit, Json, JsonObject } from '@mayday/core';
import {
  type Cancel,
  decode,
  encode,
  type Link,
  type Outgoing,
  peek,
  type Revision,
  type Sink,
} from '@mayday/relay';

/** What an upstream answered, or why it did not. */
export type PartAnswer =
  | { readonly ok: true; readonly result: JsonObject }
  | {
      readonly ok: false;
      readonly fault?: FaultInit;
      readonly message?: JsonObject;
      readonly bytes?: Buffer;
    };

const MAX_PAGES = 50;

/** One upstream's conversation. */
export class PartLink {
  readonly name: string;
  readonly #link: Link;
  readonly #timeoutMs: number;
  #opening: Outgoing | undefined;
  #opened: Promise<PartAnswer> | undefined;

  constructor(name: string, link: Link, timeoutMs: number) {
    this.name = name;
    this.#link = link;
    this.#timeoutMs = timeoutMs;
  }

  /** Opens the conversation the way the client opened it. An upstream that is down is tried again when it is needed. */
  open(initialize?: Outgoing): Promise<PartAnswer> {
    if (initialize !== undefined) {
      this.#opening = initialize;
      this.#opened = undefined;
    }
    const opening = this.#opening;
    if (opening === undefined) return Promise.resolve({ ok: true, result: {} });
    this.#opened ??= this.#ask(opening).then((answer) => {
      if (answer.ok) this.#link.send(INITIALIZED);
      else this.#opened = undefined;
      return answer;
    });
    return this.#opened;
  }

  /** Sends a request and waits for its answer. */
  async ask(method: string, params: JsonObject, revision: Revision): Promise<PartAnswer> {
    const opened = await this.open();
    if (!opened.ok) return opened;
    const body = encode({ jsonrpc: '2.0', id: `mayday-${nextId++}`, method, params });
    return this.#ask({ body, peek: peek(body), revision });
  }

  /** All items of a list, page by page. */
  async list(
    method: string,
    key: string,
    params: JsonObject,
    revision: Revision,
  ): Promise<readonly Json[] | PartAnswer> {
    const items: Json[] = [];
    let cursor: Json | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const answer = await this.ask(method, cursor === undefined ? params : { ...params, cursor }, revision);
      if (!answer.ok) return answer;
      const found = answer.result[key];
      if (Array.isArray(found)) items.push(...(found as Json[]));
      cursor = answer.result['nextCursor'];
      if (typeof cursor !== 'string') break;
    }
    return items;
  }

  /** Passes a request on. */
  request(message: Outgoing, sink: Sink): Cancel {
    let cancel: Cancel | undefined;
    let gone = false;
    void this.open().then((opened) => {
      if (gone) return;
      if (opened.ok) cancel = this.#link.request(message, sink);
      else if (opened.fault !== undefined) sink.lost(opened.fault);
      else sink.answered(encode({ ...opened.message, id: (decode(message.body) as { id?: Json }).id }));
    });
    return (reason) => {
      gone = true;
      cancel?.(reason);
    };
  }

  /** Passes a notification or an answer on. */
  send(message: Outgoing): void {
    if (this.#opened !== undefined || message.revision === '2026-07-28') this.#link.send(message);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  #ask(message: Outgoing): Promise<PartAnswer> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        cancel('the time limit was reached');
        resolve({
          ok: false,
          fault: { kind: 'timeout', origin: 'gateway', message: `${this.name} did not answer in time` },
        });
      }, this.#timeoutMs);
      const settle = (answer: PartAnswer): void => {
        clearTimeout(late);
        resolve(answer);
      };
      const cancel = this.#link.request(message, {
        answered: (bytes) => settle(toAnswer(bytes)),
        related: () => {
          // Nobody asked for the progress of what the gateway asks for itself.
        },
        lost: (fault) => settle({ ok: false, fault }),
      });
    });
  }
}

let nextId = 1;

const INITIALIZED_BODY: Buffer = encode({ jsonrpc: '2.0', method: 'notifications/initialized' });
const INITIALIZED: Outgoing = {
  body: INITIALIZED_BODY,
  peek: peek(INITIALIZED_BODY),
  revision: '2025-11-25',
};

function toAnswer(bytes: Buffer): PartAnswer {
  const message = decode(bytes) as { result?: JsonObject } & JsonObject;
  return message.result === undefined ? { ok: false, message, bytes } : { ok: true, result: message.result };
}
