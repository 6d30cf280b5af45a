/** Where a request was sent, and the members of an answer that say so: the address that was asked tells nothing new. */
import { isRecord } from './json.ts';

/**
 * A path of MCP, behind its first slash, as those write it who print it: with or without a slash at its end, and with what
 * they encode. What stands behind a question mark may be anything, unless it was asked.
 */
export const PATH =
  '(?:(?:[\\w.-]|%[0-9a-f]{2}){1,50}/){0,4}(?:m|%6d)(?:c|%63)(?:p|%70)/?(?:\\?[\\w.~%&=+:@,;-]{1,300})?';
const MCP = new RegExp(`^/${PATH}$`, 'i');

/** Members that say where. */
export const PLACE: RegExp = /^(?:path|instance|pathname|url|route)$/i;

/** An address that was asked. */
export interface Address {
  /** Absent, and no steps, where nobody knows it. */
  readonly host: string | undefined;
  readonly steps: readonly string[];
  /** What stands behind the path, with its question mark. */
  readonly query: string;
}

const ADDRESS = /^https?:\/\/(?:[^/?#@]*@)?([^/?#:]+|\[[^\]]*\])(?::\d+)?([^?#]*)([^#]*)/i;

/** The parts of a URL. */
export function addressOf(url: string | undefined): Address {
  const [, host, path = '', query = ''] = ADDRESS.exec(url ?? '') ?? [];
  return { host: host?.toLowerCase(), steps: host === undefined ? [] : stepsOf(path), query };
}

/** Is it the path that was asked, or its end? A proxy takes away what leads to the server. */
export function isAskedPath(named: string, { steps: asked, query }: Address): boolean {
  const [path = '', ...behind] = named.split('?');
  const steps = stepsOf(path);
  if (behind.length > 0 && `?${behind.join('?')}` !== query) return false;
  return steps.length <= asked.length && steps.every((step, at) => step === asked.at(at - steps.length));
}

/** One prints what was encoded as it came, another as it reads. */
function stepsOf(path: string): readonly string[] {
  const steps = path.split('/').filter((step) => step !== '');
  return steps.map((step) => step.replace(/%[2-7][0-9a-f]/gi, decodeURIComponent));
}

/** Is it the path of an endpoint of MCP, and the one that was asked? */
export function isAskedPlace(named: string, asked: Address): boolean {
  return MCP.test(named) && isAskedPath(named, asked);
}

/** Is it the path of any endpoint of MCP? */
export function isPlaceOfMcp(named: unknown): boolean {
  return typeof named === 'string' && MCP.test(named);
}

const MAX_DEPTH = 4;

/** What was said, with nothing in the members that name such a place. It keeps as many: none is to be said twice unseen. */
export function withoutPlaces(
  said: unknown,
  isSilent: (place: unknown) => boolean,
  depth: number = MAX_DEPTH,
): unknown {
  if (!isRecord(said) || depth === 0) return said;
  let found = 0;
  const members = Object.entries(said).map(([name, member]): [string, unknown] => {
    if (!PLACE.test(name) || !isSilent(member)) return [name, withoutPlaces(member, isSilent, depth - 1)];
    found += 1;
    return [found === 1 ? 'path' : `path_${found}`, null];
  });
  return Object.fromEntries(members);
}
