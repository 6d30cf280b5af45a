/**
 * Requests of servers travel to the client under ids that say whose they are, and the answers find their way back. A mark
 * tells a conversation from the one that a reload has put in its place: the older one may still wait for an answer.
 */
import { decode, encode, idOf, peek, withId } from '@mayday/relay';

/** The mark of the n-th conversation with an upstream, from 1. */
export function markOf(upstream: string, n: number): string {
  return n === 1 ? upstream : `${upstream}.${n}`;
}

/** A request of this conversation under an id that names it; everything else as it came. */
export function tag(mark: string, message: Buffer): Buffer {
  const seen = peek(message);
  if (seen.kind !== 'request') return message;
  return withId(message, seen, encode(tagOf(mark, idOf(message, seen))));
}

/** The id under which a client knows a request of this conversation. */
export function tagOf(mark: string, id: unknown): string {
  return `${mark}:${JSON.stringify(id ?? null)}`;
}

/** A client's answer, and whose request it answers; `undefined` when that cannot be told. */
export function untag(message: Buffer): { readonly mark: string; readonly message: Buffer } | undefined {
  const seen = peek(message);
  const id = seen.kind === 'response' ? idOf(message, seen) : undefined;
  const found = untagged(id);
  return found && { mark: found.mark, message: withId(message, seen, found.original) };
}

/** What stands behind a tag, as the bytes that the server sent, and whose it is. */
export function untagged(tag: unknown): { readonly mark: string; readonly original: Buffer } | undefined {
  const [, mark, said] = /^([a-z0-9-]+(?:\.\d+)?):(.+)$/s.exec(typeof tag === 'string' ? tag : '') ?? [];
  if (mark === undefined || said === undefined) return undefined;
  const original = Buffer.from(said);
  const decoded = decode(original);
  return typeof decoded === 'string' || typeof decoded === 'number' ? { mark, original } : undefined;
}
