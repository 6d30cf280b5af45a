/** Texts of our own making that a server has said: what to do about them stands in our answer, and may have changed since. */
import { read } from '@mayday/core';

/** The text without the advice of ours that it ends with. */
export function withoutOwnAdvice(text: string): string {
  if (!text.endsWith('.')) return text; // ours ends with a full stop
  const reading = read({ isError: true, content: [{ type: 'text', text }] });
  return reading.failure && reading.evidence[0]?.by === 'advice' ? reading.fault.message : text;
}
