/** A collector: it keeps what it is sent, over HTTP, in JSON or protobuf, and answers as a test tells it to. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { vi } from 'vitest';
import type { Message } from './http.ts';
import { fromProtobuf, type Metric, metricsOf, type Span, spansOf } from './otlp.ts';

/** Makes a gateway send soon. */
export const SOON = {
  OTEL_BSP_SCHEDULE_DELAY: '50',
  OTEL_METRIC_EXPORT_INTERVAL: '300',
};

/** One request to the collector. */
interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came, unpacked. */
  readonly bytes: Buffer;
  readonly request: Message;
}

/** A running collector. */
export interface Collector {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** What it answers from now on; an ordinary success if nothing is given. */
  answer(how?: (outgoing: ServerResponse, path: string) => void): void;
  spans(): Span[];
  /** Waits for the spans that fit. */
  found(fits: (span: Span) => boolean, count?: number): Promise<Span[]>;
  /** The metrics of the last collection. */
  metrics(): Metric[];
  close(): Promise<void>;
}

/** Starts a collector, at a port of its own or at a given one. */
export async function startCollector(port = 0): Promise<Collector> {
  const received: Received[] = [];
  let how: ((outgoing: ServerResponse, path: string) => void) | undefined;
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    outgoing.on('error', () => undefined);
    incoming.on('error', () => undefined);
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const path = incoming.url ?? '';
      received.push(taken(path, incoming.headers, Buffer.concat(pieces)));
      if (how !== undefined) return how(outgoing, path);
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const here = typeof address === 'object' && address !== null ? address.port : 0;
  const spans = (): Span[] => received.flatMap(({ request }) => spansOf(request));
  return {
    url: `http://127.0.0.1:${here}`,
    port: here,
    received,
    answer: (next) => {
      how = next;
    },
    spans,
    found: (fits, count = 1) =>
      vi.waitFor(
        () => {
          const found = spans().filter(fits);
          if (found.length < count) throw new Error(`${found.length} of ${count} spans came`);
          return found;
        },
        { timeout: 20_000, interval: 25 },
      ),
    metrics: () => metricsOf(received.findLast(({ request }) => 'resourceMetrics' in request)?.request ?? {}),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function taken(path: string, headers: IncomingHttpHeaders, body: Buffer): Received {
  const bytes = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  const json = String(headers['content-type']).startsWith('application/json');
  const signal = path.includes('metrics') ? 'metrics' : 'traces';
  const request = json ? JSON.parse(bytes.toString('utf8')) : fromProtobuf(signal, bytes);
  return { path, headers, bytes, request };
}
