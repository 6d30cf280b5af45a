/** A link to a server that only speaks the transport of 2024-11-05. */
import { type HttpHeaders, isHopByHop } from '../../protocol/headers.ts';
import { createHttpClient, type HttpClientOptions } from '../http1/client.ts';
import type { LinkEvents } from '../link.ts';
import { createNotes } from '../notes.ts';
import { StdioLink } from '../stdio-link.ts';
import type { StdioLinkOptions } from '../stdio-options.ts';
import type { Sent } from '../stdio-process.ts';
import { SseConnection } from './sse-connection.ts';

/** Which server. */
export interface SseLinkOptions
  extends LinkEvents,
    Pick<
      StdioLinkOptions,
      | 'maxMessageBytes'
      | 'maxPending'
      | 'maxPendingPerCaller'
      | 'shared'
      | 'opening'
      | 'openTimeoutMs'
      | 'onExit'
      | 'now'
    > {
  readonly url: URL;
  /** Headers for the server. */
  readonly headers?: { readonly [name: string]: string } | undefined;
  /** The caller's `Authorization` is for this server: it goes along unless `headers` has one. */
  readonly passAuthorization?: boolean | undefined;
  /** How it is reached. */
  readonly reach?: HttpClientOptions | undefined;
}

/**
 * A conversation over a stream is kept as one with a process is: opened when it is first needed, and again, the way the
 * client opened it, when it has ended.
 */
export class SseLink extends StdioLink {
  readonly #client: ReturnType<typeof createHttpClient>;

  constructor(options: SseLinkOptions) {
    const { url, reach, now, onNote, openTimeoutMs } = options;
    const client = createHttpClient(url.origin, reach);
    const note = createNotes(onNote, { now: now ?? Date.now });
    // A stream that is opened again without being asked for has the credentials of the one before.
    let first: Sent | undefined;
    super({
      ...options,
      command: url.origin,
      isAddressed: true,
      start: (events) => {
        first = events.first ?? first;
        return new SseConnection(
          {
            ...events,
            client,
            url,
            openTimeoutMs,
            headers: (own, sent) => headersFor(options, own, sent),
            note,
          },
          first,
        );
      },
    });
    this.#client = client;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#client.close();
  }
}

function headersFor(
  { headers: given = {}, passAuthorization }: SseLinkOptions,
  own: readonly string[],
  sent: Sent | undefined,
): string[] {
  const headers = new Map<string, string>();
  for (let i = 0; i + 1 < own.length; i += 2) headers.set(own[i] ?? '', own[i + 1] ?? '');
  for (const [name, value] of Object.entries(sent?.headers ?? {})) {
    const isTheirs = name === 'authorization' ? passAuthorization === true : TRACED.has(name);
    if (isTheirs) headers.set(name, value);
  }
  for (const [name, value] of Object.entries(given))
    if (!isHopByHop(name.toLowerCase())) headers.set(name.toLowerCase(), value);
  return [...headers].flat();
}

const TRACED: ReadonlySet<keyof HttpHeaders> = new Set(['traceparent', 'tracestate']);
