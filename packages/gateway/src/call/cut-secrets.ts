/** The words of a fault were made of all blocks of a result, and a secret may go over the cut between two of them. */
import type { Fault } from '@mayday/core';
import { isMembers, type Wire } from '@mayday/relay';
import type { Cleaner } from './redaction.ts';
import { SDK_PREFIX } from './told.ts';

/** More of what a server said becomes no message. */
const MOST = 10_000;
/** Between two blocks. */
const MOST_SPACE = 100;

interface Block {
  readonly type: 'text';
  readonly text: string;
}

/** The same fault; of the blocks that its message tells, each as it is where it is read with those beside it. */
export function withoutCutSecrets(fault: Fault, said: Wire | undefined, clean: Cleaner['clean']): Fault {
  const blocks = blocksIn(said);
  if (blocks.length < 2) return fault;
  const safe = clean(blocks);
  if (blocks.every(({ text }, at) => safe[at]?.text === text)) return fault;
  const told = blocks.map(({ text }, at) => ({ text: plain(text), safe: plain(safe[at]?.text ?? '') }));
  const head = fault.message.slice(0, 2 * MOST);
  const message = withSafe(head, told) + fault.message.slice(head.length);
  return message === fault.message ? fault : { ...fault, message };
}

/** A block as a message tells it. */
function plain(text: string): string {
  return text.trim().replace(SDK_PREFIX, '');
}

interface Told {
  readonly text: string;
  readonly safe: string;
}

/** Words that were made of blocks, one behind the other: a part of a secret may be a syllable of any word before it. */
function withSafe(message: string, told: readonly Told[]): string {
  const parts: string[] = [];
  let from = 0;
  let left = 0;
  for (const { text, safe } of told) {
    if (text === '') continue;
    const at = placeOf(text, message, from);
    if (at < 0) continue;
    from = at + text.length;
    if (safe === text) continue;
    parts.push(message.slice(left, at), safe);
    left = from;
  }
  return parts.join('') + message.slice(left);
}

/** Where it stands: next, with nothing but space before it, or else as a line of its own, or else anywhere. */
function placeOf(text: string, message: string, from: number): number {
  const next = from + (/^\s*/.exec(message.slice(from, from + MOST_SPACE))?.[0].length ?? 0);
  if (message.startsWith(text, next)) return next;
  const line = `\n${text}\n`;
  const at = message.indexOf(line, from);
  return at < 0 ? message.indexOf(text, from) : at + 1;
}

function blocksIn(said: Wire | undefined): readonly Block[] {
  const result = said?.type === 'message' && isMembers(said.message) ? said.message['result'] : undefined;
  const content = isMembers(result) ? result['content'] : undefined;
  if (!Array.isArray(content) || content.length < 2) return [];
  const blocks: Block[] = [];
  let left = MOST;
  for (const block of content) {
    const text = isMembers(block) ? block['text'] : undefined;
    if (typeof text !== 'string' || left <= 0) continue;
    blocks.push({ type: 'text', text: text.slice(0, left) });
    left -= text.length;
  }
  return blocks;
}
