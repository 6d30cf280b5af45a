/** What each fate looks like on the wire; the same for the process and for virtual time. */
import { TOOLS } from './day.ts';
import type { Fate, Model } from './model.ts';

/** A JSON-RPC message that came in. */
export interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: {
    readonly name: string;
    readonly arguments: { readonly call: number };
    readonly _meta?: { readonly [key: string]: unknown };
  };
}

/** What to answer with, and when. */
export type Reply =
  | {
      readonly afterMs: number;
      readonly status: number;
      readonly headers?: { readonly [name: string]: string };
      readonly body?: unknown;
    }
  | { readonly silent: true }
  /** A stream is opened, and breaks after so long. */
  | { readonly brokenAfterMs: number };

const KEY = 'dev.mayday/idempotency-key';

/** How the server answers. `knowsKeys`: it recognises a repeated order by its idempotency key, and says so. */
export function answer(model: Model, message: Message, now: number, knowsKeys: boolean): Reply {
  if (message.id === undefined) return { afterMs: 0, status: 202 };
  if (message.method === 'initialize') {
    const serverInfo = { name: 'shop', version: '1.0.0' };
    return result(message, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo });
  }
  if (message.method === 'tools/list') return result(message, { tools: listed(knowsKeys) });
  const { name, arguments: args, _meta } = message.params!;
  const key = knowsKeys ? (_meta?.[KEY] as string | undefined) : undefined;
  return replyTo(model.arrive({ call: args.call, tool: name, now, key }), message);
}

function listed(knowsKeys: boolean): readonly object[] {
  return TOOLS.map(({ name, annotations }) => ({
    name,
    annotations,
    inputSchema: { type: 'object' },
    ...(knowsKeys && name === 'create_order' ? { _meta: { [KEY]: true } } : {}),
  }));
}

function replyTo(fate: Fate, message: Message): Reply {
  switch (fate.type) {
    case 'busy':
      return { afterMs: 0, status: 503, body: { error: 'no backend available' } };
    case 'throttled':
      return {
        afterMs: 0,
        status: 429,
        headers: { 'retry-after': '1' },
        body: { error: 'too many requests' },
      };
    case 'hangs':
      return { silent: true };
    case 'soft':
      return failure(message, 'The search backend is temporarily unavailable, please try again');
    case 'half':
      return failure(message, 'Order created, but the confirmation mail failed: 503 Service Unavailable');
    case 'lost':
      return { brokenAfterMs: 5 };
    case 'proxied':
      return {
        afterMs: 5,
        status: 503,
        body: { error: 'upstream connect error or disconnect/reset before headers' },
      };
    case 'done':
      return result(message, { content: text('ok') }, fate.afterMs);
  }
}

function failure(message: Message, said: string): Reply {
  return result(message, { isError: true, content: text(said) });
}

function text(said: string): readonly object[] {
  return [{ type: 'text', text: said }];
}

function result(message: Message, value: object, afterMs = 0): Reply {
  return { afterMs, status: 200, body: { jsonrpc: '2.0', id: message.id, result: value } };
}
