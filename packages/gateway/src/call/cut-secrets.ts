/** The words of a fault were made of all blocks of a result, and a secret may go over the cut between two of them. */
import type { Fault } from '@mayday/core';
import { isMembers, type Wire } from '@mayday/relay';
import type { Cleaner } from './redaction.ts';

/** More of what a server said becomes no message. */
const MOST = 10_000;

interface Block {
  readonly type: 'text';
  readonly text: string;
}

/** The same fault; of the blocks that its message tells, each as it is where it is read with those beside it. */
export function withoutCutSecrets(fault: Fault, said: Wire | undefined, clean: Cleaner['clean']): Fault {
  const blocks = blocksIn(said);
  if (blocks.length < 2) return fault;
  const safe = clean(blocks);
  const message = blocks.reduce((words, { text }, at) => {
    const told = safe[at]?.text ?? '';
    return told === text ? words : words.replace(text.trim(), () => told.trim());
  }, fault.message);
  return message === fault.message ? fault : { ...fault, message };
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
