/** A failing answer has an end: each of its texts has one, and so has their number. Whoever reads it has to live on. */
import { redact, withCleanEnd } from '@mayday/core/redact';
import type { Settings } from '../options.ts';
import type { Message } from '../shapes.ts';

const MOST_BLOCKS = 1000;
/** How many of the longest texts an answer may have. */
const MOST_TEXTS = 10;

/** What decides how much is kept. */
type ShortOptions = Pick<Settings, 'maxTextLength'> & Partial<Pick<Settings, 'redaction'>>;

/** The same message; of an error result, as many blocks as anybody reads, and how many more there were. */
export function shortResult(message: Message, { maxTextLength, redaction }: ShortOptions): Message {
  const { result } = message;
  if (result?.['isError'] !== true || !Array.isArray(result['content'])) return message;
  const content: readonly unknown[] = result['content'];
  const kept = howMany(content, maxTextLength);
  if (kept === content.length) return message;
  const left = (content.length - kept).toLocaleString('en-US');
  const note = { type: 'text', text: `… [${left} more blocks]` };
  // Looked through without what follows, half a secret would not be known.
  const told = withCleanEnd(content.slice(0, kept), content, (value) => redact(value, redaction).value);
  return { ...message, result: { ...result, content: [...told, note] } };
}

function howMany(content: readonly unknown[], maxTextLength: number): number {
  let room = MOST_TEXTS * maxTextLength;
  for (let at = 0; at < content.length; at++) {
    if (at === MOST_BLOCKS || room <= 0) return at;
    const block = memberOf(content, at);
    for (const text of [memberOf(block, 'text'), memberOf(memberOf(block, 'resource'), 'text')])
      if (typeof text === 'string') room -= Math.min(text.length, maxTextLength);
  }
  return content.length;
}

function memberOf(holder: unknown, name: string | number): unknown {
  try {
    return (holder as { readonly [name: string | number]: unknown } | null | undefined)?.[name];
  } catch {
    return undefined; // whoever writes the answer finds out what is wrong with it
  }
}
