/** Requests of servers travel to the client under ids that say whose they are, and the answers find their way back. */
import { decode, encode, idOf, peek, withId } from '@mayday/relay';

/** A request of this upstream under an id that names it; everything else as it came. */
export function tag(upstream: string, message: Buffer): Buffer {
  const seen = peek(message);
  if (seen.kind !== 'request') return message;
  return withId(message, seen, encode(tagOf(upstream, idOf(message, seen))));
}

/** The id under which a client knows a request of this upstream. */
export function tagOf(upstream: string, id: unknown): string {
  return `${upstream}:${JSON.stringify(id ?? null)}`;
}

/** A client's answer, and whose request it answers; `undefined` when that cannot be told. */
export function untag(message: Buffer): { readonly upstream: string; readonly message: Buffer } | undefined {
  const seen = peek(message);
  const id = seen.kind === 'response' ? idOf(message, seen) : undefined;
  const [, upstream, original] = /^([a-z0-9-]+):(.+)$/s.exec(typeof id === 'string' ? id : '') ?? [];
  if (upstream === undefined || original === undefined) return undefined;
  const bytes = Buffer.from(original);
  const decoded = decode(bytes);
  if (typeof decoded !== 'string' && typeof decoded !== 'number') return undefined;
  return { upstream, message: withId(message, seen, bytes) };
}
