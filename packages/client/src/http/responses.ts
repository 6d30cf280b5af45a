/** Responses as a `fetch` gives them. */

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
