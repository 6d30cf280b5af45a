/** What stands behind a failing HTTP status: is it about the request that was asked? */

/** The ids that servers give to errors about a request that they have not taken; the second is that of the SDK for Python. */
const OF_NO_REQUEST: readonly unknown[] = [undefined, null, 'server-error', ''];

/** Nobody says in a megabyte what went wrong. */
const LOOKED_AT = 1_000_000;

/**
 * Is a body an answer to some other request, or more than one answer? Then it proves nothing about this one, and its words may be for
 * somebody else. A page, a plain problem and an error without an id are about the request that they came for.
 */
export function isAboutAnother(body: string, id: string | number | undefined): boolean {
  if (!body.includes('"jsonrpc"')) return false;
  if (body.length > LOOKED_AT) return true;
  const messages = messagesIn(body);
  const [first] = messages;
  if (messages.length !== 1 || first === undefined || 'method' in first) return true;
  const said = first['id'];
  if (OF_NO_REQUEST.includes(said)) return !('error' in first);
  const isId = typeof said === 'string' || typeof said === 'number';
  return !isId || String(said) !== String(id);
}

type Message = { readonly [key: string]: unknown };

/** The JSON-RPC messages in a body: alone, in a batch, or in the events of a stream. */
function messagesIn(body: string): readonly Message[] {
  const whole = parsed(body);
  const values = whole === undefined ? eventsIn(body).map(parsed) : [whole].flat();
  return values.filter((value) => isMessage(value));
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value;
}

function eventsIn(body: string): readonly string[] {
  return body.split(/(?:\r\n|\r|\n){2}/).map((event) =>
    event
      .split(/\r\n|\r|\n/)
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
      .join('\n'),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
