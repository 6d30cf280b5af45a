/** Log messages are words of the server's own, in which its tools and resources have their names. */
import { decode, paramsOf } from '@mayday/relay';
import type { ToolHints } from '../call/tool-hints.ts';
import { deniedBeside } from './denied-words.ts';
import { isInside } from './names-of-lists.ts';
import type { Reader } from './trim-lists.ts';

export const LOGGED = 'notifications/message';

/** Longer ones are looked through by nobody. */
const LONGEST_BYTES = 64 * 1024;

/**
 * Does one name what its reader may not use, in its data or as its logger? Where everything is denied that no rule allows, only
 * what was listed as a tool is a name. What nobody looks through may name anything.
 */
export function namesDeniedInLog(
  message: Buffer,
  reader: Reader,
  wasListed: ToolHints['wasListed'],
): boolean {
  if (message.length > LONGEST_BYTES) return true;
  const { rules, by, upstream } = reader;
  const { data, logger } = paramsOf(decode(message)) ?? {};
  const isDenied = (name: string): boolean =>
    wasListed(name) && !rules.verdict(by, upstream, { type: 'tool', name }).isAllowed;
  // As one text: so many words are looked up in all, and not in each.
  return deniedBeside(reader, { has: isDenied })(textsIn([data, logger]).join('\n'));
}

/** All texts in it, and names of members, however deep. */
function textsIn(whole: unknown): readonly string[] {
  const texts: string[] = [];
  isInside(whole, (member, key) => {
    if (key !== undefined) texts.push(key);
    if (typeof member === 'string') texts.push(member);
    return false;
  });
  return texts;
}
