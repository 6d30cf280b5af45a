/** One request, as guards, loggers and policies see it. */
import { PROTOCOL_VERSION_KEY } from '@mayday/core/protocol';
import type { Hints } from './hints.ts';
import type { AuthInfo, Extra, Message, RequestId } from './shapes.ts';

/** Which revision's rules a request follows. */
export type Revision = '2025-11-25' | '2026-07-28';

/** What is known about a tool that is called. */
export interface ToolFacts {
  readonly enabled: boolean;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  /** What the author says about it; a hint. */
  readonly annotations?: Hints | undefined;
  readonly _meta?: { readonly [key: string]: unknown } | undefined;
}

/** One request. */
export interface Call {
  readonly id: RequestId;
  readonly method: string;
  /** The tool, the prompt, or the resource's URI. */
  readonly name: string | undefined;
  /** A tool's or a prompt's arguments. */
  readonly arguments: unknown;
  /** The whole message, as it came. */
  readonly message: Message;
  readonly revision: Revision;
  /** What the authenticating transport knows about the caller. */
  readonly auth: AuthInfo | undefined;
  /** Who calls, for limits and approvals: set by `keys`, otherwise the client id that the transport knows. */
  principal: string | undefined;
  /** What the caller may do. Set by `keys`, otherwise the transport's. */
  scopes: readonly string[];
  /** The tool, if the call names one that exists. */
  readonly tool: ToolFacts | undefined;
  /** A request header, over HTTP. */
  header(name: string): string | undefined;
  /** A value of the request's `_meta`. */
  meta(key: string): unknown;
}

const FIRST_STATELESS = '2026-07-28';

/** Headers of either SDK's request. */
export function headerOf(extra: Extra | undefined, name: string): string | undefined {
  const header = extra?.request?.headers.get(name) ?? extra?.requestInfo?.headers?.[name.toLowerCase()];
  return Array.isArray(header) ? header[0] : (header ?? undefined);
}

/** A value of a message's `_meta`. */
export function metaOf(message: Message, key: string): unknown {
  const meta = message.params?.['_meta'];
  return typeof meta === 'object' && meta !== null ? (meta as { [key: string]: unknown })[key] : undefined;
}

/** The revision that a request speaks: stateless requests name theirs, older ones do not. */
export function revisionOf(message: Message): Revision {
  const version = metaOf(message, PROTOCOL_VERSION_KEY);
  return typeof version === 'string' && version >= FIRST_STATELESS ? '2026-07-28' : '2025-11-25';
}

/** The tool, the prompt or the URI that a request names. */
export function nameOf(message: Message): string | undefined {
  const name = message.params?.[message.method?.startsWith('resources/') ? 'uri' : 'name'];
  return typeof name === 'string' ? name : undefined;
}
