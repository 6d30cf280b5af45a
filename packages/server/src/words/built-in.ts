/** What built-in functions throw over a text of the caller's. Most do not quote it: the same text gives the same complaint. */
import type { Described } from './describe.ts';
import { isRecord } from './look.ts';
import { textsIn } from './sent.ts';

const BIGINT = /^Cannot convert ([^\n]{1,200}) to a BigInt$/;
const LONGEST = 100_000;

/** What is said of it; `undefined` where it is over nothing that was sent. */
export function overBuiltIn({ name, message }: Described, sent: unknown): string | undefined {
  const number = name === 'SyntaxError' ? BIGINT.exec(message)?.[1] : undefined;
  if (number !== undefined && textsIn(sent).includes(number)) return message;
  if (name === 'InvalidCharacterError' && /^invalid character$|\bnot correctly encoded\b/i.test(message)) {
    const wrong = refusedIn(sent, OF_BASE64, (text) => atob(text));
    return wrong && `${wrong[0]} is not correctly encoded in base64`;
  }
  if (name === 'RangeError' && message === 'Incorrect locale information provided') {
    const wrong = refusedIn(sent, OF_LOCALE, (text) => Intl.getCanonicalLocales(text));
    return wrong && `${message}: ${wrong[0]}=${wrong[1]}`;
  }
  return name === 'RangeError' ? overNumber(message, sent) : undefined;
}

/** What `toFixed`, `toString`, `repeat` and the like ask of a number: a bound, or the number itself is quoted. */
const BOUND = /^to[A-Z]\w{1,20}\(\) (\w{1,20})(?: argument)? must be between (-?\d{1,6}) and (-?\d{1,6})$/;
const NUMBER = /^Invalid (?:count value|code point):? (-?[\d.]{1,30})$/;

function overNumber(message: string, sent: unknown): string | undefined {
  const number = NUMBER.exec(message)?.[1];
  if (number !== undefined) return textsIn(sent).includes(number) ? message : undefined;
  const [, , least, most] = BOUND.exec(message) ?? [];
  if (least === undefined || !isRecord(sent)) return undefined;
  const wrong = Object.entries(sent).filter(
    ([, value]) => typeof value === 'number' && (value < Number(least) || value > Number(most)),
  );
  // Of several nobody knows which it was.
  return wrong.length === 1 ? `${wrong[0]?.[0]} must be between ${least} and ${most}` : undefined;
}

const OF_BASE64 =
  /data|base64|b64|content|file|blob|image|bytes|payload|encoded|attachment|input|string|value|^s(?:tr)?$/i;
const OF_LOCALE = /locale|lang|culture/i;

/** The argument of such a name whose text the function refuses. */
function refusedIn(
  sent: unknown,
  names: RegExp,
  take: (text: string) => unknown,
): readonly [string, string] | undefined {
  if (!isRecord(sent)) return undefined;
  for (const [name, value] of Object.entries(sent)) {
    if (!names.test(name) || typeof value !== 'string' || value.length > LONGEST) continue;
    try {
      take(value);
    } catch {
      return [name, value];
    }
  }
  return undefined;
}
