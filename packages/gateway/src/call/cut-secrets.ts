/** The words of a fault were made of all blocks of a result, and a secret may go over the cut between two of them. */
import type { Fault } from '@mayday/core';
import { isMembers, type Wire } from '@mayday/relay';
import type { Cleaner } from './redaction.ts';
import { SDK_PREFIX } from './told.ts';

/** More of what a server said becomes no message. */
const MOST = 10_000;
/** Between two blocks. */
const MOST_SPACE = 100;

/** A block that has a text. */
type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'resource'; readonly resource: { readonly text: string } };

/** The same fault; of the blocks that its message tells, each as it is where it is read with those beside it. */
export function withoutCutSecrets(fault: Fault, said: Wire | undefined, clean: Cleaner['clean']): Fault {
  const blocks = blocksIn(said);
  if (blocks.length < 2) return fault;
  const safe = clean(blocks);
  const told = blocks.map((block, at): Told => {
    const [text, left] = [textOf(block), safe[at] === undefined ? '' : textOf(safe[at])];
    return { text: plain(text), safe: plain(left), isBeside: block.type === 'resource' };
  });
  if (told.every(({ text, safe: left }) => left === text)) return fault;
  const head = fault.message.slice(0, 2 * MOST);
  const message = withSafe(head, told) + fault.message.slice(head.length);
  return message === fault.message ? fault : { ...fault, message };
}

function textOf(block: Block): string {
  return block.type === 'text' ? block.text : block.resource.text;
}

/** A block as a message tells it. */
function plain(text: string): string {
  return text.trim().replace(SDK_PREFIX, '');
}

interface Told {
  readonly text: string;
  readonly safe: string;
  /** Words are seldom made of it: it may not stand in them at all. */
  readonly isBeside: boolean;
}

/** Words that were made of blocks, one behind the other: a part of a secret may be a syllable of any word before it. */
function withSafe(message: string, told: readonly Told[]): string {
  const parts: string[] = [];
  let from = 0;
  let left = 0;
  for (const { text, safe, isBeside } of told) {
    if (text === '') continue;
    const at = placeOf(text, message, from, isBeside);
    if (at < 0) continue;
    from = at + text.length;
    if (safe === text) continue;
    parts.push(message.slice(left, at), safe);
    left = from;
  }
  return parts.join('') + message.slice(left);
}

/** Where it stands: next, with nothing but space before it, or else, of a text, as a line of its own or anywhere. */
function placeOf(text: string, message: string, from: number, isBeside: boolean): number {
  const next = from + (/^\s*/.exec(message.slice(from, from + MOST_SPACE))?.[0].length ?? 0);
  const isNext =
    message.startsWith(text, next) && (!isBeside || /^(?:\s|$)/.test(message.slice(next + text.length)));
  if (isNext || isBeside) return isNext ? next : -1;
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
  for (const item of content) {
    const block = left > 0 ? blockOf(item, left) : undefined;
    if (block === undefined) continue;
    blocks.push(block);
    left -= textOf(block).length;
  }
  return blocks;
}

/** The block, if it has a text; no more of it than so many letters. */
function blockOf(item: unknown, most: number): Block | undefined {
  if (!isMembers(item)) return undefined;
  const { text, resource } = item;
  if (typeof text === 'string') return { type: 'text', text: text.slice(0, most) };
  const held = isMembers(resource) ? resource['text'] : undefined;
  return typeof held === 'string' ? { type: 'resource', resource: { text: held.slice(0, most) } } : undefined;
}
