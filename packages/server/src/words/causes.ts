/** What plain exceptions came from: `new Error('Failed to load order', { cause })`, and several of them in one. */
import { describe } from './describe.ts';
import { isRecord, look } from './look.ts';

const MOST = 4;
const MOST_PARTS = 10;

/** The words of a chain of plain exceptions in one sentence; `undefined` when there is none, or one is more than words. */
export function wordsOfChain(reason: unknown): string | undefined {
  const said: string[] = [];
  let next: unknown = reason;
  for (let depth = 0; depth <= MOST && next !== undefined; depth += 1) {
    if (!isPlain(next)) return undefined;
    said.push(describe(next).message.trim());
    const several = look(next, 'errors');
    if (Array.isArray(several)) {
      if (several.length === 0 || several.length > MOST_PARTS || !several.every(isPlain)) return undefined;
      said.push(several.map((one) => describe(one).message.trim()).join('; '));
    }
    next = look(next, 'cause');
  }
  const spoken = said.filter((words) => words !== '');
  const isSeveral = Array.isArray(look(reason, 'errors'));
  const isEnough = spoken.length > 1 || (isSeveral && spoken.length === 1);
  return isEnough && next === undefined ? spoken.join(': ') : undefined;
}

/** The words of a plain exception, and those of what GraphQL answered behind it: no status says what that is. */
export function wordsOfGraphql(reason: unknown): string | undefined {
  const cause = look(reason, 'cause');
  const said = look(cause, 'message');
  if (!isPlain(reason) || typeof said !== 'string') return undefined;
  return Array.isArray(look(look(cause, 'response'), 'errors'))
    ? `${describe(reason).message.trim()}: ${said}`
    : undefined;
}

/** Nothing but a sentence: a driver's or a client's exception is judged by more than that. */
export function isPlain(value: unknown): boolean {
  if (!isRecord(value) || !/^(?:Aggregate)?Error$/.test(describe(value).name)) return false;
  return ['code', 'status', 'statusCode', 'response', 'errno'].every(
    (name) => look(value, name) === undefined,
  );
}
