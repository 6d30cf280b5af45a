import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** One request that a planted backend got. */
export interface Visit {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** What a planted backend does with a request. */
export type Reply =
  | {
      readonly status?: number;
      readonly headers?: Record<string, string>;
      readonly body?: string | Buffer;
    }
  | 'reset'
  | 'hang'
  | 'cut';

/** An HTTP server that behaves as badly as a test wants it to. */
export interface Backend {
  readonly url: string;
  readonly visits: Visit[];
  /** How many callers hung up before they had an answer. */
  left(): number;
  /** What it does from now on. */
  reply: (visit: Visit) => Reply;
  close(): Promise<void>;
}

/** Plants a backend on a free port. */
export async function plantBackend(reply: (visit: Visit) => Reply): Promise<Backend> {
  const visits: Visit[] = [];
  let left = 0;
  const server = createServer((request, response) => {
    response.once('close', () => {
      left += response.writableFinished ? 0 : 1;
    });
    void text(request).then((body) => {
      const visit = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      visits.push(visit);
      answer(request, response, backend.reply(visit));
    });
  });
  const port = await listen(server);
  const backend: Backend = {
    url: `http://127.0.0.1:${port}`,
    visits,
    left: () => left,
    reply,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return backend;
}

function answer(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (reply === 'reset') {
    request.socket.resetAndDestroy();
    return;
  }
  if (reply === 'hang') {
    return;
  }
  if (reply === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"half": ', () => request.socket.destroy());
    return;
  }
  const { status = 200, headers = { 'content-type': 'application/json' }, body = '' } = reply;
  response.writeHead(status, headers);
  response.end(body);
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
}
