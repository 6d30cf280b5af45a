/** Does a server speak the transport of 2024-11-05? The specification says how a client finds out: it asks for the stream. */
import { createEventSplitter, splitEvents } from '../../framing/events.ts';
import { isEventStream } from '../../protocol/headers.ts';
import { createHttpClient, type HttpClientOptions } from '../http1/client.ts';

/** Where to ask. */
export interface SpeaksSseOptions {
  readonly url: URL;
  readonly headers: { readonly [name: string]: string };
  readonly reach?: HttpClientOptions | undefined;
  readonly timeoutMs?: number | undefined;
}

const TIMEOUT_MS = 10_000;
const READ_AT_MOST = 64 * 1024;

/** Is the first event of its stream the address for messages? Nobody who cannot be asked does. */
export async function speaksSse({
  url,
  headers,
  reach,
  timeoutMs = TIMEOUT_MS,
}: SpeaksSseOptions): Promise<boolean> {
  const client = createHttpClient(url.origin, reach);
  const events = createEventSplitter();
  const isIt = await new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), timeoutMs).unref();
    client.send(
      {
        method: 'GET',
        path: url.pathname + url.search,
        headers: Object.entries({ ...headers, accept: 'text/event-stream' }).flat(),
        headersTimeoutMs: timeoutMs,
      },
      {
        onStart: (head) => {
          if (head.status !== 200 || !isEventStream(head.headers)) resolve(false);
        },
        onData: (chunk) => {
          const run = events.push(chunk);
          const [first] = run === undefined ? [] : splitEvents(run).filter(({ data }) => data.length > 0);
          if (first !== undefined || events.held > READ_AT_MOST) resolve(first?.name === 'endpoint');
        },
        onEnd: () => resolve(false),
        onError: () => resolve(false),
      },
    );
  });
  await client.close();
  return isIt;
}
