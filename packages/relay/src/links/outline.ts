/** What can be made out of an answer that is broken or too long. */
import { COLON, QUOTE, skipSpace } from '../framing/scan.ts';
import { REPLAY_ID } from './handshake.ts';

/** What stands outermost in a message that begins like JSON. */
export interface Outline {
  id: number | undefined;
  /** Its id is that of what the relay itself asks. */
  isOwn: boolean;
  isAnswer: boolean;
  /** A notification, or a request of the server: nobody waits for it. */
  hasMethod: boolean;
}

const BACKSLASH = 0x5c;

/**
 * Looks for the outermost members as far as the bytes can be followed. It only ever decides who is told that an answer
 * was broken, so it may be wrong about bytes that are meant to mislead.
 */
export function outlineOf(bytes: Buffer): Readonly<Outline> {
  const outline: Outline = { id: undefined, isOwn: false, isAnswer: false, hasMethod: false };
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== 0x7b) return outline;
  for (let depth = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      const end = skipLoosely(bytes, at);
      if (depth === 1) member(outline, bytes, at, end);
      at = end;
      continue;
    }
    if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) depth--;
    at++;
  }
  return outline;
}

/** The position after a string, whatever it holds; the end of the bytes when it does not end. */
function skipLoosely(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at + 1;
}

function member(outline: Outline, bytes: Buffer, start: number, end: number): void {
  const colon = skipSpace(bytes, end);
  if (bytes[colon] !== COLON || end - start > 10) return;
  const key = bytes.toString('latin1', start + 1, end - 1);
  if (key === 'result' || key === 'error') outline.isAnswer = true;
  else if (key === 'method') outline.hasMethod = true;
  else if (key === 'id') {
    const from = skipSpace(bytes, colon + 1);
    outline.id = integerAt(bytes, from);
    outline.isOwn = bytes.subarray(from, from + REPLAY_ID.length).equals(REPLAY_ID);
  }
}

function integerAt(bytes: Buffer, from: number): number | undefined {
  const digits = /^"?(\d{1,15})"?\s*[,}]/.exec(bytes.toString('latin1', from, from + 24))?.[1];
  return digits === undefined ? undefined : Number(digits);
}
