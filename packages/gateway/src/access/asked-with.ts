/** What somebody consents to: told apart exactly, and shown without secrets. */
import { canonicalJson, sha256 } from '@mayday/policy';
import type { WireCall } from '@mayday/relay';
import { type DigestOf, shownWhole } from './shown-arguments.ts';
import { hasTwins } from './twins.ts';

/** What a call is asked with. */
export interface Asked {
  /** The same for the same arguments, whatever the order of their members. */
  readonly digest: string;
  /** As a person sees them. */
  readonly shown: unknown;
  /** What is asked, as a person sees it: a URI may hold secrets. */
  readonly target: string;
}

/** Arguments that nobody can consent to. */
interface Unclear {
  readonly kind: 'too_large' | 'invalid_arguments';
  readonly why: string;
}

/** Longer texts are cut where they are shown; what was left out still counts. */
const MAX_TEXT = 2000;
/** Nobody reads more before they consent. */
const MAX_BYTES = 256 * 1024;

/** What a call to something is asked with, or why nobody can consent to that. */
export function askedWith({ body, peek }: WireCall, name: string, digest: DigestOf): Asked | Unclear {
  const named = shownWhole(name, digest);
  if (named === undefined) return HIDES_MORE;
  const target = cutText(named, name.length);
  const range = peek.deciding.arguments;
  if (range === undefined) return { digest: sha256(''), shown: undefined, target };
  const bytes = body.subarray(range.start, range.end);
  if (bytes.length > MAX_BYTES)
    return {
      kind: 'too_large',
      why: `its arguments are too large for a person to read: ${bytes.length} bytes, where ${MAX_BYTES} are allowed`,
    };
  if (hasTwins(bytes))
    return { kind: 'invalid_arguments', why: 'two members of its arguments have the same name' };
  const given = parsed(bytes, shownDigits, shownText);
  if (typeof given !== 'object' || Array.isArray(given))
    return { kind: 'invalid_arguments', why: 'its arguments are no object' };
  const shown = shownWhole(given, digest);
  if (shown === undefined) return HIDES_MORE;
  return { digest: sha256(canonicalJson(exact(bytes))), shown: cut(shown), target };
}

const HIDES_MORE: Unclear = {
  kind: 'invalid_arguments',
  why: 'more than a secret would be hidden from whoever consents; give each secret as an argument of its own, or leave it out',
};

/** Letters before them keep texts and the digits of numbers apart. */
function exact(bytes: Buffer): unknown {
  return parsed(
    bytes,
    (digits) => `n${digits}`,
    (text) => `s${text}`,
  );
}

/** A number that a parser would round is taken for its digits. */
function parsed(
  bytes: Buffer,
  ofDigits: (digits: string) => unknown,
  ofText: (text: string) => string,
): unknown {
  return JSON.parse(
    bytes.toString('utf8'),
    (_key, value: unknown, context?: { readonly source?: string }) => {
      if (typeof value === 'string') return ofText(value);
      if (typeof value !== 'number' || context?.source === undefined) return value;
      return String(value) === context.source ? value : ofDigits(context.source);
    },
  );
}

/** Whoever writes more digits than this means each of them. */
const LONGEST_PLAIN = 40;

/** A number as it is; one that would be rounded by its digits, said to be one: `"10"` and 10 are not the same. */
function shownDigits(digits: string): unknown {
  return digits.length <= LONGEST_PLAIN && isSame(digits, String(Number(digits)))
    ? Number(digits)
    : `${digits} (number)`;
}

const SAID_NUMBER = /^-?\d[\d.eE+-]* \(number\)(?: \(text\))*$/;

/** A text that reads as such a number is said to be a text. */
function shownText(text: string): string {
  return SAID_NUMBER.test(text) ? `${text} (text)` : text;
}

/** Do two numerals mean the same number, digit by digit: `10.0` and `10`, `1e2` and `100`? */
function isSame(one: string, other: string): boolean {
  return plainDigits(one) === plainDigits(other);
}

/** Sign, digits without noughts around them, and the power of ten that they are multiplied by. */
function plainDigits(numeral: string): string | undefined {
  const found = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(numeral);
  if (found === null) return undefined;
  const [, sign = '', whole = '', part = '', power = '0'] = found;
  const digits = (whole + part).replace(/^0+/, '');
  const plain = digits.replace(/0+$/, '');
  if (plain === '') return `${sign}0`;
  return `${sign}${plain}e${Number(power) - part.length + digits.length - plain.length}`;
}

/** Cut last: what only a part is left of is no longer found to be a secret. */
function cut(shown: unknown): unknown {
  return JSON.parse(JSON.stringify(shown), (_key, value: unknown) =>
    typeof value === 'string' ? cutText(value) : value,
  );
}

function cutText(text: string, length = text.length): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (${length} characters)` : text;
}
