/** Secrets that are all digits, where a server says them as numbers: what reads a setting may have made one of it. */
import { isMembers, type Members } from '@mayday/relay';
import type { Hide } from './hiding.ts';

/** What stands in the place of one; where the protocol wants a number, that. */
const HIDDEN = '[hidden]';
const HIDDEN_CODE = -32603;
const HIDDEN_PROGRESS = 0;

/** Fewer digits are no secret. */
const FEWEST = 6;
/** So many of them stand nowhere by chance. */
const NO_CHANCE = 10;
/** As JSON writes them; one with an exponent has more digits than it shows. */
const NUMBERS = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The number, or what stands in its place where its digits are a secret: whatever its sign, its point and its exponent. */
export function hiddenNumber(value: number, hide: Hide): unknown {
  return spellingsOf(value).some((spelling) => isSecret(spelling, hide)) ? HIDDEN : value;
}

/** A list of numbers that are the bytes of a secret, or of it and of others, as one; all others as they are. */
export function hiddenBytes(items: readonly unknown[], hide: Hide): readonly unknown[] {
  if (items.length < FEWEST || !items.every(isByte)) return items;
  const shown = items.join(', ');
  return hide(shown) === shown ? items : [HIDDEN];
}

/** Of some languages a byte has a sign. */
function isByte(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= -128 && Number(value) <= 255;
}

/** A few digits of another number are no secret: they stand in it by chance, and somebody counts with it. */
function isSecret(spelling: string, hide: Hide): boolean {
  const rest = hide(spelling, () => '').length;
  return rest === 0 || spelling.length - rest >= NO_CHANCE;
}

/** Does a message have such a number in it? One in its texts counts too: whoever looks closer will see. */
export function holdsGivenNumber(message: string, hide: Hide): boolean {
  const spellings = new Set<string>();
  for (const [number] of message.matchAll(NUMBERS)) {
    if (number.length < FEWEST && !/e/i.test(number)) continue;
    spellings.add(number);
    for (const spelling of spellingsOf(Number(number))) spellings.add(spelling);
  }
  const all = [...spellings].join('|');
  return all !== '' && hide(all) !== all;
}

/** Whole, and its digits alone. */
function spellingsOf(value: number): readonly string[] {
  const [digits = ''] = Math.abs(value).toExponential().split('e');
  return [String(Math.abs(value)), digits.replace('.', '')].filter(({ length }) => length >= FEWEST);
}

/** What is left of a message, with numbers where the protocol has to have some. */
export function withNumbersOfProtocol(said: unknown, left: unknown): unknown {
  if (left === said || !isMembers(said) || !isMembers(left)) return left;
  const { id, method, error, params } = said;
  const isAnswer = method === undefined && 'id' in said;
  return {
    ...left,
    // By these it is known whose it is; they were given to the server.
    ...(isAnswer && { id }),
    ...(isAnswer && isMembers(error) && { error: withCode(error, left['error']) }),
    ...(method === 'notifications/progress' &&
      isMembers(params) && { params: withProgress(params, left['params']) }),
  };
}

function withCode({ code }: Members, left: unknown): unknown {
  return isMembers(left) && left['code'] !== code ? { ...left, code: HIDDEN_CODE } : left;
}

function withProgress(said: Members, left: unknown): unknown {
  if (!isMembers(left)) return left;
  const told = Object.entries(left).map(([name, value]) => {
    if (name === 'progressToken') return [name, said[name]];
    return [name, typeof said[name] === 'number' && value !== said[name] ? HIDDEN_PROGRESS : value];
  });
  return Object.fromEntries(told);
}
