/** How long to wait, as texts say it. */
import { bounded, isInstant } from '../http-status.ts';

const UNITS: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const AMOUNT =
  '(\\d{1,15}(?:\\.\\d{1,6})?)\\s{0,2}(ms|millis\\w{0,7}|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?)(?![a-z])';
const ASKED = new RegExp(
  `\\b(?:retry|try again|wait|reset\\w{0,2}|cool-?down|available|backoff|again|(?:retry|reconnect)ing in)\\b[^\\n\\d]{0,40}${AMOUNT}(?:\\s{0,2}(?:and\\s)?${AMOUNT})?`,
  'i',
);
const HEADER = /\bretry[-_ ]?after["']?\s{0,2}[:=]?\s{0,2}["']?(\d{1,15})(?![\d.]*\s?[a-z])/i;

function hinted(text: string): boolean {
  return /\d/.test(text) && /etry|ETRY|again|wait|Wait|eset|ool|vailable in|nnecting in/.test(text);
}

function unitOf(word: string): number {
  const unit = word.toLowerCase();
  if (unit.startsWith('ms') || unit.startsWith('milli')) return 1;
  return UNITS[unit[0] as string] ?? 1000;
}

/** The wait in milliseconds that a text asks for: "retry in 1m30s", "Retry-After: 30". */
export function waitIn(text: string): number | undefined {
  if (!hinted(text)) return undefined;
  const asked = ASKED.exec(text);
  if (asked !== null) {
    const [, amount, unit = 's', more, moreUnit = 's'] = asked;
    const wait = Number(amount) * unitOf(unit) + (more === undefined ? 0 : Number(more) * unitOf(moreUnit));
    return sane(wait);
  }
  const header = HEADER.exec(text);
  return header === null ? undefined : sane(Number(header[1]) * 1000);
}

/** The wait that a member of a body means: a number of `unit` milliseconds, or a text like `3s`. */
export function waitOf(value: unknown, unit: number): number | undefined {
  if (typeof value === 'number') return isInstant(value, unit) ? undefined : sane(value * unit);
  if (typeof value !== 'string') return undefined;
  const said = /^\s{0,4}(\d{1,15}(?:\.\d{1,9})?)\s{0,2}(ms|s|m|h)?\s{0,4}$/.exec(value);
  if (said === null) return undefined;
  return said[2] === undefined
    ? waitOf(Number(said[1]), unit)
    : sane(Number(said[1]) * (UNITS[said[2]] as number));
}

/** A wait of nothing is not a wait. */
function sane(wait: number): number | undefined {
  return wait > 0 ? bounded(Math.ceil(wait)) : undefined;
}
