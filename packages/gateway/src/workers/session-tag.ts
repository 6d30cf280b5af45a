/** Sessions carry the number of their worker at the end of their id, so that every worker knows where they belong. */
import type { ReplyHeaders, RequestHead } from '@mayday/relay';

/** Names the session of a request. */
const SESSION_HEADER = 'mcp-session-id';
const TAGGED = /^(.+)\.w(\d{1,3})$/s;

/** The id of a session, and the worker that it is with. */
interface Tagged {
  readonly id: string;
  readonly worker: number;
}

/** What a request says of its session; `undefined` where it has none, or one that no worker has named. */
export function taggedIn({ headers }: RequestHead): Tagged | undefined {
  const said = headers[SESSION_HEADER];
  const [, id, worker] = (typeof said === 'string' && TAGGED.exec(said)) || [];
  return id === undefined ? undefined : { id, worker: Number(worker) };
}

/** The same request, with the id of its session as whoever keeps the session knows it. */
export function untagged(request: RequestHead, { id }: Tagged): RequestHead {
  const { method, url, headers, rawHeaders } = request;
  const raw = rawHeaders.map((value, i) =>
    i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === SESSION_HEADER ? id : value,
  );
  return { method, url, headers: { ...headers, [SESSION_HEADER]: id }, rawHeaders: raw };
}

/** The same for the name of a conversation over HTTP+SSE. */
export function workerIn(conversation: string): number | undefined {
  const [, , worker] = TAGGED.exec(conversation) ?? [];
  return worker === undefined ? undefined : Number(worker);
}

/** The name of something that is with this worker. */
export function tagged(id: string, worker: number): string {
  return `${id}.w${worker}`;
}

/** Headers of an answer: a session that they name is with this worker. */
export function taggedWith(worker: number): (headers: ReplyHeaders) => ReplyHeaders {
  return (headers) => {
    const id = headers[SESSION_HEADER];
    return id === undefined ? headers : { ...headers, [SESSION_HEADER]: tagged(id, worker) };
  };
}
