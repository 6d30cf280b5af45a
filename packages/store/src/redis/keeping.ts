/** Does this Redis keep what it is given? */
import { StoreError } from '../store-error.ts';
import { type Link, textOf } from './link.ts';
import { lying } from './problem.ts';

const NO_LOG =
  'Redis keeps no append-only file: keys, approvals and the audit log may be lost when it stops; set appendonly yes';
const UNTOLD = 'Redis does not tell whether it keeps what it is given; give the user the right to INFO';

/** What would lose state some day, in sentences that say what to do. */
export async function risksOf(link: Link): Promise<readonly string[]> {
  const info = await infoOf(link);
  if (info === undefined) return [UNTOLD];
  const said = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  if (said('redis_version') === undefined) throw lying();
  const risks: string[] = [];
  if (said('aof_enabled') === '0') risks.push(NO_LOG);
  const eviction = said('maxmemory_policy') ?? 'noeviction';
  if (said('maxmemory') !== '0' && eviction !== 'noeviction')
    risks.push(`Redis may throw state away when it is full (${eviction}); set maxmemory-policy noeviction`);
  return risks;
}

/** Ends the connection to a Redis that may lose what it was given, and says what to do. */
export async function expectKept(link: Link): Promise<void> {
  try {
    const [risk] = await risksOf(link);
    const known = 'or end the URL in `?volatile=1`, if all of it may be lost';
    if (risk !== undefined) throw new StoreError('unsupported', `${risk}, ${known}`);
  } catch (thrown) {
    link.close();
    throw thrown;
  }
}

/** A URL without the word that what is behind it may lose everything, and whether it was said. */
export function readVolatile(url: string): { readonly url: string; readonly isVolatile: boolean } {
  const [rest = '', query] = url.split('?', 2);
  if (query === undefined || query === '') return { url: rest, isVolatile: false };
  if (query === 'volatile=1') return { url: rest, isVolatile: true };
  throw new StoreError('unsupported', 'The URL of a Redis may end in `?volatile=1`, and in no other `?`');
}

/** `undefined` when we may not look. */
async function infoOf(link: Link): Promise<string | undefined> {
  try {
    return textOf(await link.command(['INFO']));
  } catch (thrown) {
    if (thrown instanceof StoreError && thrown.problem === 'refused') return undefined;
    throw thrown;
  }
}
