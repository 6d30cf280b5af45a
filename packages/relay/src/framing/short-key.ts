/** Names that others choose, as they are remembered: in no more characters than a digest has, however long they are. */
import { createHash } from 'node:crypto';

/** Shorter than what is made of a longer one: neither can be taken for the other. */
const LONGEST = 44;

/** The same for the same text, and in practice for no other. */
export function shortKey(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${createHash('sha256').update(text).digest('base64')}#${text.length}`;
}
