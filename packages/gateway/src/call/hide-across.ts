/** Secrets that a cut between two blocks goes through: the texts of a list of blocks are read as the one that they may have been. */
import { isMembers, type Members } from '@mayday/relay';
import type { Hide } from './hiding.ts';

/** The same list where no cut goes through a secret; otherwise with something else in the place of each part of one. */
export function hiddenAcross(items: readonly unknown[], hide: Hide): readonly unknown[] {
  const texts = items.map(textOf);
  const all = texts.filter((text) => text !== undefined);
  if (all.length < 2) return items;
  const whole = all.join('');
  // As long as it was, so that what is found can be told from where it stands.
  const marked = hide(whole, (secret) => MARK.repeat(secret.length));
  if (marked === whole) return items;
  let from = 0;
  return items.map((item, at) => {
    const text = texts[at];
    if (text === undefined) return item;
    const left = withoutEnds(text, marked, from);
    from += text.length;
    return left === text ? item : withText(item as Members, left);
  });
}

/** No text has it. */
const MARK = '\uffff';
const HIDDEN = '[hidden]';

/** A text without the end of a secret that it begins with, and the beginning of one that it ends with. */
function withoutEnds(text: string, marked: string, from: number): string {
  const to = from + text.length;
  let start = from;
  let end = to;
  if (isMarked(marked, from - 1)) while (start < to && isMarked(marked, start)) start += 1;
  if (isMarked(marked, to)) while (end > start && isMarked(marked, end - 1)) end -= 1;
  const hidden = (length: number): string => (length > 0 ? HIDDEN : '');
  return hidden(start - from) + text.slice(start - from, end - from) + hidden(to - end);
}

function isMarked(marked: string, at: number): boolean {
  return marked.charAt(at) === MARK;
}

function textOf(item: unknown): string | undefined {
  if (!isMembers(item)) return undefined;
  const said = item['type'] === 'text' ? item : item['type'] === 'resource' ? item['resource'] : undefined;
  const text = isMembers(said) ? said['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

function withText(block: Members, text: string): Members {
  if (block['type'] === 'text') return { ...block, text };
  return { ...block, resource: { ...(block['resource'] as Members), text } };
}
