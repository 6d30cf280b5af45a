/** A request on its way to the worker that answers it, over a Unix socket, and the answer on its way back. */
import type { IncomingMessage } from 'node:http';
import { http, isEventStream, type Reply, type ReplyHeaders, type RequestHead } from '@mayday/relay';
import { answering, type DoorFault } from '../http/refusals.ts';

/** What is passed on. Whoever gets it looks at all of it again, as if nobody had. */
export interface Passed {
  readonly request: RequestHead;
  readonly body: Buffer;
  readonly reply: Reply;
  /** Says no. */
  readonly refused: (fault: DoorFault) => undefined;
  /** Nobody is there: what becomes of it instead. */
  readonly otherwise: () => void;
}

/** The way to other workers. */
export interface PassOn {
  to(socket: string, passed: Passed): void;
  /** Requests that are not answered yet. */
  readonly size: number;
  close(): void;
}

/** Opens the way. Connections are kept: there are never more of them than requests at a time. */
export function createPassOn(): PassOn {
  const agent = new http.Agent({ keepAlive: true });
  let size = 0;
  return {
    get size() {
      return size;
    },
    close: () => agent.destroy(),
    to(socketPath, passed) {
      const { request, body, reply } = passed;
      size += 1;
      reply.onClose(() => {
        size -= 1;
      });
      const { method, url: path } = request;
      const sent = http.request({
        agent,
        socketPath,
        method,
        path,
        headers: headersFor(request, body),
        setHost: false,
      });
      let isThere = false;
      sent.on('socket', (socket) => {
        if (!socket.connecting) isThere = true;
        else
          socket.once('connect', () => {
            isThere = true;
          });
      });
      sent.on('response', (answer) => passBack(answer, reply, method));
      sent.on('error', () => {
        if (!reply.isOpen) reply.abort();
        else if (isThere) passed.refused(answering(body, ENDED));
        else passed.otherwise();
      });
      reply.onGone(() => sent.destroy());
      sent.end(body);
    },
  };
}

/** The worker has ended, or was ended, with the request. */
const ENDED: DoorFault = {
  status: 502,
  fault: {
    kind: 'disconnected',
    origin: 'gateway',
    executed: 'maybe',
    message: 'The worker of the gateway that had this request has ended',
  },
};

/** They are about one connection. */
const OF_CONNECTIONS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function headersFor({ method, rawHeaders }: RequestHead, body: Buffer): readonly string[] {
  const headers: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    if (!OF_CONNECTIONS.has(name.toLowerCase())) headers.push(name, rawHeaders[i + 1] ?? '');
  }
  if (method === 'POST') headers.push('content-length', String(body.length));
  return headers;
}

/** Its answer, as it comes. */
function passBack(answer: IncomingMessage, reply: Reply, method: string | undefined): void {
  const headers = headersOf(answer);
  const cut = (): void => {
    if (!reply.isDone) reply.abort();
  };
  answer.on('error', cut);
  answer.on('close', () => {
    if (!answer.complete) cut();
  });
  if (isEventStream(headers)) {
    reply.stream(headers);
    reply.onDrain(() => answer.resume());
    answer.on('data', (chunk: Buffer) => {
      if (!reply.event(chunk)) answer.pause();
    });
    answer.on('end', () => reply.end());
    return;
  }
  const { statusCode = 502 } = answer;
  if (method === 'HEAD') {
    const { 'content-length': length } = answer.headers;
    reply.head(statusCode, length === undefined ? headers : { ...headers, 'content-length': length });
    answer.resume();
    return;
  }
  const chunks: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => chunks.push(chunk));
  answer.on('end', () => reply.raw(statusCode, headers, Buffer.concat(chunks)));
}

function headersOf({ headers }: IncomingMessage): ReplyHeaders {
  const kept = Object.entries(headers).filter(([name]) => name !== 'date' && !OF_CONNECTIONS.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}
