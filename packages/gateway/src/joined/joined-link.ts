/**
 * Many servers as one: lists are put together under prefixed names, calls go to the one they name. A server
 * that is down is missing from the lists and fails its own calls; the others do not notice.
 */
import type { FaultInit, Json, JsonObject } from '@mayday/core';
import {
  type Cancel,
  decode,
  encode,
  idOf,
  type Link,
  type Outgoing,
  paramsOf,
  peek,
  type Sink,
} from '@mayday/relay';
import { mergeDiscover, mergeInitialize, mergeList, type Part } from './merge.ts';
import type { Names } from './names.ts';
import type { PartAnswer, PartLink } from './part-link.ts';

/** What is joined. */
export interface JoinedLinkOptions {
  readonly parts: ReadonlyMap<string, PartLink>;
  readonly names: Names;
  /** A call was found to belong to this upstream. */
  readonly onRoute: (body: Buffer, upstream: string) => void;
  /** An upstream has listed its tools. */
  readonly onTools: (upstream: string, tools: readonly Json[]) => void;
  /** An upstream failed a question that the gateway put together for all. */
  readonly onPartFailed: (upstream: string, message: Outgoing, answer: PartAnswer) => void;
}

const LISTS: { readonly [method: string]: string } = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};
/** Methods that 2026-07-28 no longer has. */
const REMOVED: ReadonlySet<string> = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);
const NO_CANCEL: Cancel = () => {};

/** Many servers as one. */
export class JoinedLink implements Link {
  readonly #options: JoinedLinkOptions;
  /** Who listed a resource. */
  readonly #owners: Map<string, string> = new Map();

  constructor(options: JoinedLinkOptions) {
    this.#options = options;
  }

  request(message: Outgoing, sink: Sink): Cancel {
    const { method } = message.peek;
    const parsed = decode(message.body) as JsonObject;
    const reply = (result: JsonObject): void => {
      sink.answered(encode({ jsonrpc: '2.0', id: parsed['id'], result }));
    };
    if (message.revision === '2026-07-28' && REMOVED.has(method))
      queueMicrotask(() => sink.lost(unsupported(method)));
    else if (method === 'ping') queueMicrotask(() => reply({}));
    else if (method === 'initialize') void this.#initialize(message).then(reply, failing(sink));
    else if (method === 'server/discover') void this.#discover(message, sink, reply);
    else if (LISTS[method] !== undefined)
      void this.#list(message, parsed, LISTS[method], sink, reply).catch(failing(sink));
    else if (method === 'logging/setLevel')
      void this.#tellAll(message, parsed).then(() => reply({}), failing(sink));
    else return this.#route(message, parsed, sink);
    return NO_CANCEL;
  }

  send(message: Outgoing): void {
    if (message.peek.method === 'notifications/initialized') return; // each part was told when it was opened
    if (message.peek.kind === 'response') {
      this.#answerServer(message);
      return;
    }
    for (const part of this.#options.parts.values()) part.send(message);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#options.parts.values()].map((part) => part.close()));
  }

  /** A request of a server, under an id that says whose it is. */
  static tagged(upstream: string, bytes: Buffer): Buffer {
    const message = decode(bytes) as { id?: Json };
    if (message.id === undefined) return bytes;
    return encode({ ...message, id: `${upstream}:${JSON.stringify(message.id)}` });
  }

  #answerServer(message: Outgoing): void {
    const parsed = decode(message.body) as { id?: unknown };
    const [, upstream = '', id = ''] = /^([a-z0-9-]+):(.+)$/.exec(String(parsed.id)) ?? [];
    const part = this.#options.parts.get(upstream);
    if (part === undefined) return;
    const body = encode({ ...parsed, id: decode(Buffer.from(id)) });
    part.send({ body, peek: peek(body), revision: message.revision });
  }

  async #initialize(message: Outgoing): Promise<JsonObject> {
    const { found, missing } = await this.#askAll((part) => part.open(message), message);
    return mergeInitialize(found, missing);
  }

  /** The joined endpoint is of the new era when all that answer are; otherwise the client falls back to the old one. */
  async #discover(message: Outgoing, sink: Sink, reply: (result: JsonObject) => void): Promise<void> {
    const params = (decode(message.body) as { params?: JsonObject }).params ?? {};
    let said: JsonObject | undefined;
    const { found, missing } = await this.#askAll(async (part) => {
      const answer = await part.ask('server/discover', params, message.revision);
      if (!answer.ok && answer.message !== undefined) said = answer.message;
      return answer;
    }, message);
    if (codeOf(said) === -32022)
      sink.answered(encode({ ...(said as JsonObject), id: idOf(message.body, message.peek) }));
    else if (said !== undefined || found.length === 0) sink.lost(unsupported('server/discover'));
    else reply(mergeDiscover(found, missing));
  }

  async #list(
    message: Outgoing,
    parsed: JsonObject,
    key: string,
    sink: Sink,
    reply: (result: JsonObject) => void,
  ): Promise<void> {
    const { method } = message.peek;
    const { cursor: _one, ...params } = (parsed['params'] ?? {}) as { [key: string]: Json };
    const lists: { upstream: string; items: readonly Json[] }[] = [];
    const missing: string[] = [];
    let said: PartAnswer | undefined;
    await Promise.all(
      [...this.#options.parts.values()].map(async (part) => {
        const items = await part.list(method, key, params, message.revision);
        if (isItems(items)) lists.push({ upstream: part.name, items });
        else if (!isUnsupported(items)) {
          missing.push(part.name);
          said = items;
          this.#options.onPartFailed(part.name, message, items);
        }
      }),
    );
    const order = [...this.#options.parts.keys()];
    lists.sort((a, b) => order.indexOf(a.upstream) - order.indexOf(b.upstream));
    if (key === 'tools') for (const { upstream, items } of lists) this.#options.onTools(upstream, items);
    if (key === 'resources') {
      for (const { upstream, items } of lists) {
        for (const item of items) this.#owners.set(String((item as JsonObject)['uri']), upstream);
      }
    }
    // When nobody has a list and somebody says why, that is the answer: a revision that is not spoken, for example.
    const why = said as Extract<PartAnswer, { ok: false }> | undefined;
    if (lists.length === 0 && why?.message !== undefined) {
      sink.answered(encode({ ...why.message, id: parsed['id'] }));
    } else reply(mergeList(key, lists, missing.sort(), this.#options.names, message.revision));
  }

  async #tellAll(message: Outgoing, parsed: JsonObject): Promise<void> {
    const params = (parsed['params'] ?? {}) as JsonObject;
    await Promise.all(
      [...this.#options.parts.values()].map((part) =>
        part.ask(message.peek.method, params, message.revision),
      ),
    );
  }

  #route(message: Outgoing, parsed: JsonObject, sink: Sink): Cancel {
    const { method } = message.peek;
    const [only, another] = this.#options.parts.values();
    if (method === 'subscriptions/listen' && only !== undefined && another === undefined) {
      return this.#forward(only, message, parsed, sink);
    }
    const params = (paramsOf(parsed) ?? {}) as { [key: string]: Json };
    const ref = params['ref'] as { [key: string]: Json } | undefined;
    const named = method === 'completion/complete' ? ref?.['name'] : params['name'];
    if (
      (method === 'tools/call' || method === 'prompts/get' || ref !== undefined) &&
      typeof named === 'string'
    ) {
      const owned = this.#options.names.split(named);
      const part = owned === undefined ? undefined : this.#options.parts.get(owned.upstream);
      if (owned === undefined || part === undefined) {
        queueMicrotask(() => sink.lost(unknownName(method, named)));
        return NO_CANCEL;
      }
      const inner =
        ref === undefined
          ? { ...params, name: owned.name }
          : { ...params, ref: { ...ref, name: owned.name } };
      return this.#forward(part, message, { ...parsed, params: inner }, sink);
    }
    const uri = params['uri'] ?? ref?.['uri'];
    if (typeof uri === 'string') return this.#routeUri(message, parsed, uri, sink);
    queueMicrotask(() => sink.lost(unsupported(method)));
    return NO_CANCEL;
  }

  /** A resource goes to whoever listed it; one that nobody listed is asked for in turn. */
  #routeUri(message: Outgoing, parsed: JsonObject, uri: string, sink: Sink): Cancel {
    const owner = this.#options.parts.get(this.#owners.get(uri) ?? '');
    if (owner !== undefined) return this.#forward(owner, message, parsed, sink);
    const parts = [...this.#options.parts.values()];
    let cancelled = false;
    void (async () => {
      for (const part of parts) {
        const answer = await part.ask(
          message.peek.method,
          (parsed['params'] ?? {}) as JsonObject,
          message.revision,
        );
        if (cancelled) return;
        if (!answer.ok) continue;
        this.#owners.set(uri, part.name);
        this.#options.onRoute(message.body, part.name);
        sink.answered(encode({ jsonrpc: '2.0', id: parsed['id'], result: answer.result }));
        return;
      }
      sink.lost({
        kind: 'not_found',
        origin: 'caller',
        subject: { type: 'resource', id: uri },
        message: `Resource not found: ${uri}`,
      });
    })();
    return () => {
      cancelled = true;
    };
  }

  #forward(part: PartLink, message: Outgoing, inner: JsonObject, sink: Sink): Cancel {
    this.#options.onRoute(message.body, part.name);
    const body = encode(inner);
    return part.request(
      { ...message, body, peek: peek(body) },
      { ...sink, related: (bytes) => sink.related(JoinedLink.tagged(part.name, bytes)) },
    );
  }

  async #askAll(
    ask: (part: PartLink) => Promise<PartAnswer>,
    message: Outgoing,
  ): Promise<{ found: readonly Part[]; missing: readonly string[] }> {
    const found: Part[] = [];
    const missing: string[] = [];
    const parts = [...this.#options.parts.values()];
    const answers = await Promise.all(parts.map(ask));
    for (const [i, answer] of answers.entries()) {
      const upstream = parts[i]?.name ?? '';
      if (answer.ok) found.push({ upstream, result: answer.result });
      else {
        missing.push(upstream);
        this.#options.onPartFailed(upstream, message, answer);
      }
    }
    return { found, missing };
  }
}

function isItems(value: readonly Json[] | PartAnswer): value is readonly Json[] {
  return Array.isArray(value);
}

/** A server without prompts is not broken. */
function isUnsupported(answer: PartAnswer): boolean {
  return !answer.ok && codeOf(answer.message) === -32601;
}

function codeOf(message: JsonObject | undefined): unknown {
  return (message?.['error'] as { code?: unknown } | undefined)?.code;
}

function unsupported(method: string): FaultInit {
  return {
    kind: 'unsupported',
    origin: 'caller',
    subject: { type: 'method', id: method },
    message: `Method not found: ${method}`,
  };
}

function unknownName(method: string, name: string): FaultInit {
  const type = method === 'tools/call' ? 'tool' : 'prompt';
  return {
    kind: 'not_found',
    origin: 'caller',
    subject: { type, id: name },
    message: `Unknown ${type}: ${name}`,
    advice: `Names begin with the name of an upstream; list the ${type}s to see them`,
  };
}

function failing(sink: Sink): () => void {
  return () =>
    sink.lost({
      kind: 'internal',
      origin: 'gateway',
      message: 'The gateway could not put the answer together',
    });
}
