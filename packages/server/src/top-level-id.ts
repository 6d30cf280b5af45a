/**
 * Finds the request id in a message that is too large to keep, while its bytes pass by: only then can the
 * refusal be addressed to the request, and a client need not wait for its own timeout.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN = [0x7b, 0x5b];
const CLOSE = [0x7d, 0x5d];

/** Longer ids are not worth looking for. */
const MAX_TOKEN = 256;

/** Gets a message piece by piece, and tells its `id`. */
export interface IdFinder {
  push(bytes: Uint8Array): void;
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
    if (OPEN.includes(byte)) depth++;
    else if (CLOSE.includes(byte)) {
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

  return {
    push(bytes) {
      for (const byte of bytes) {
        if (!inString) {
          if (byte === QUOTE) {
            inString = true;
            keep(byte);
          } else structural(byte);
          continue;
        }
        keep(byte);
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
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
