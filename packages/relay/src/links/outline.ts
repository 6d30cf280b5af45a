/** What can be made out of an answer that is broken or too long. */
import { eachOutermost } from '../framing/outermost.ts';
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

/**
 * Looks for the outermost members as far as the bytes can be followed. It only ever decides who is told that an answer
 * was broken, so it may be wrong about bytes that are meant to mislead.
 */
export function outlineOf(bytes: Buffer): Readonly<Outline> {
  const outline: Outline = { id: undefined, isOwn: false, isAnswer: false, hasMethod: false };
  eachOutermost(bytes, (keyStart, keyEnd, value) => {
    if (keyEnd - keyStart > 10) return;
    const key = bytes.toString('latin1', keyStart + 1, keyEnd - 1);
    if (key === 'result' || key === 'error') outline.isAnswer = true;
    else if (key === 'method') outline.hasMethod = true;
    else if (key === 'id') {
      outline.id = integerAt(bytes, value);
      outline.isOwn = bytes.subarray(value, value + REPLAY_ID.length).equals(REPLAY_ID);
    }
  });
  return outline;
}

function integerAt(bytes: Buffer, from: number): number | undefined {
  const digits = /^"?(\d{1,15})"?\s*[,}]/.exec(bytes.toString('latin1', from, from + 24))?.[1];
  return digits === undefined ? undefined : Number(digits);
}
