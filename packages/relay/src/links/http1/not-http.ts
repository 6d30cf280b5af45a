/** What a server sent is not HTTP as the client understands it. */

/** Thrown while an answer is read; the connection it came over is closed. */
export class NotHttpError extends Error {
  override readonly name = 'NotHttpError';
  readonly code = 'ERR_NOT_HTTP';
}
