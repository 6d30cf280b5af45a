/** Responses as a `fetch` gives them. */

/** Statuses after which the SDKs sign in, and send the request again by themselves. */
export const SIGN_IN: readonly number[] = [401, 403];

const EVENTS = 'text/event-stream';

/** The type of the content, without its parameters. */
export function typeOf({ headers }: Response): string {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Does it have a stream of events? */
export function isEvents(
  response: Response,
): response is Response & { readonly body: ReadableStream<Uint8Array> } {
  return response.body !== null && typeOf(response) === EVENTS;
}

/** The same response, with its body looked at on its way. */
export function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers, url, redirected } = response;
  const watched = new Response(body, { status, statusText, headers });
  return Object.defineProperties(watched, { url: { value: url }, redirected: { value: redirected } });
}

/** A 200 with one JSON-RPC message; the other headers stay, a session id may be among them. */
export function reply(response: Response, message: unknown): Response {
  return new Response(JSON.stringify(message), { status: 200, headers: headersFor(response) });
}

/** The same message for those who look at the status: it stays in the error that they throw. Nobody signs in after it. */
export function failure(response: Response, message: unknown): Response {
  const { status, statusText } = response;
  const isOther = status < 400 || SIGN_IN.includes(status);
  return failing(response, message, isOther ? { status: 502 } : { status, statusText });
}

/** The same for those who may sign in, and send the request again. */
export function signIn(response: Response, message: unknown): Response {
  const { status, statusText } = response;
  return failing(response, message, { status, statusText });
}

function failing(response: Response, message: unknown, line: ResponseInit): Response {
  return new Response(JSON.stringify(message), { ...line, headers: headersFor(response) });
}

function headersFor(response: Response): Headers {
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  headers.set('content-type', 'application/json');
  return headers;
}
