/**
 * Finds the request id in a message that is too large to keep, while its bytes pass by: only then can the
 * refusal be addressed to the request, and a client need not wait for its own timeout.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;

/** Longer ids are not worth looking for. */
const MAX_TOKEN = 256;

/** Gets a message piece by piece, and tells its `id`. */
export interface IdFinder {
  push(bytes: Buffer): void;
  /** The id, if the message had one at the top level. */
  id(): string | number | undefined;
}

/** A finder for one message. */
export function createIdFinder(): IdFinder {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let isValue = false;
  let token: number[] = [];
  let key = '';
  let found: string | undefined;

  function take(): string {
    const text = Buffer.from(token).toString('utf8').trim();
    token = [];
    return text;
  }

  function endMember(): void {
    const value = take();
    if (isValue && key === '"id"') found ??= value;
    isValue = false;
  }

  function structural(byte: number): void {
    if (byte === QUOTE) {
      inString = true;
      keep(byte);
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === 1) endMember();
      depth--;
    } else if (depth === 1 && byte === COLON) {
      key = take();
      isValue = true;
    } else if (depth === 1 && byte === COMMA) endMember();
    else keep(byte);
  }

  function keep(byte: number): void {
    if (depth === 1 && token.length < MAX_TOKEN) token.push(byte);
  }

  /** Passes over a string, which may be most of the message, and gives where to go on. */
  function skipString(bytes: Buffer, start: number): number {
    const quote = bytes.indexOf(QUOTE, start);
    const end = quote < 0 ? bytes.length : quote;
    for (const byte of bytes.subarray(start, Math.min(end, start + MAX_TOKEN))) keep(byte);
    let first = end;
    while (first > start && bytes[first - 1] === BACKSLASH) first--;
    const slashes = end - first + (first === start && escaped ? 1 : 0);
    escaped = slashes % 2 === 1;
    if (quote < 0) return end;
    keep(QUOTE);
    inString = escaped;
    escaped = false;
    return quote + 1;
  }

  return {
    push(bytes) {
      for (let at = 0; at < bytes.length; ) {
        if (inString) at = skipString(bytes, at);
        else structural(bytes[at++] as number);
      }
    },
    id: () => parseId(found),
  };
}

function parseId(text: string | undefined): string | number | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'string' || Number.isSafeInteger(value) ? (value as string | number) : undefined;
  } catch {
    return undefined; // cut off at MAX_TOKEN
  }
}
