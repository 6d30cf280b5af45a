import { isSecretKey } from '../key-values.ts';
import { isSaidName, looksRandom } from '../looks.ts';
import { FORMAT, isAlnum, isWordSign, LOOKS, mark, matchAt, type Page } from '../page.ts';
import { charSet, runStart, type Walked } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { isAt, signSet } from '../sign-sets.ts';
import { wordEnd } from './formats.ts';
import type { KeyHolds } from './key-names.ts';
import { OF_IDENTIFIERS } from './odd-words.ts';

/** A format whose tell-tale part is not at its start. */
export type Inner = readonly [rule: string, keyword: string, back: number, pattern: RegExp, cls: string];

/** Such formats: `[rule, keyword, characters before it, expression, class]`. */
export const INNER: readonly Inner[] = [
  ['azure-client-secret', 'q~', 4, /[\w.~-]{3}\dQ~[\w.~-]{24,60}/y, 'secret'],
  ['azure-functions-key', 'azfu', 44, /[\w-]{40,48}AzFu[\w=-]{6,12}/y, 'api-key'],
  ['azure-devops-token', 'azdo', 76, /[A-Za-z0-9]{72,80}AZDO[A-Za-z0-9]{4}/y, 'token'],
  ['azure-cosmos-key', 'acdb', 76, /[\w+/-]{70,80}ACDb[\w+/=-]{6,12}/y, 'api-key'],
  ['azure-storage-account-key', '+ast', 76, /[\w+/-]{70,80}\+ASt[\w+/=-]{6,12}/y, 'api-key'],
  ['facebook-app-token', '|', 17, /\d{15,17}\|[\w-]{24,45}/y, 'token'],
  ['mailchimp-api-key', '-us', 32, /[a-f0-9]{32}-us\d{1,2}/y, 'api-key'],
  ['maxmind-license-key', '_mmk', 36, /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/y, 'api-key'],
  ['telegram-bot-token', ':aa', 10, /\d{8,10}:AA[\w-]{32,35}/y, 'token'],
  ['terraform-cloud-token', '.atlasv', 14, /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,80}/y, 'token'],
  ['paseto-token', '.local.', 2, /v\d\.local\.[\w-]{30,4000}(?:\.[\w-]{1,2000})?/y, 'token'],
  ['paseto-token', '.public.', 2, /v\d\.public\.[\w-]{30,4000}(?:\.[\w-]{1,2000})?/y, 'token'],
  ['shopify-store-token', 'prtapi_', 0, /prtapi_[a-f0-9]{32}/y, 'token'],
];

const BODY = charSet(/[\w~+/-]/);

/** From where to where such a format stands whose keyword is at an offset. The walk back is bounded. */
export function innerAt(
  [, , back, pattern]: Inner,
  walked: Walked,
  start: number,
): readonly [start: number, end: number] | undefined {
  const at = Math.max(runStart(walked, BODY, start), start - back - 8);
  if (start - at < back - 8) {
    return undefined;
  }
  for (const from of [at, start - back]) {
    const found = from >= 0 && from >= at ? matchAt(pattern, walked.text, from) : null;
    if (found && from + found[0].length > start) {
      return [from, from + found[0].length];
    }
  }
  return undefined;
}

/** Triggers for {@link INNER}: a keyword costs the same wherever it stands. */
export function innerTriggers(): Trigger[] {
  return INNER.map((inner) => {
    const [rule, keyword, , , cls] = inner;
    const detect = (page: Page, start: number): void => {
      const found = start < page.covered ? undefined : innerAt(inner, page, start);
      if (found) mark(page, found[0], wordEnd(page, found[1]), rule, cls, FORMAT);
    };
    return [keyword, detect] as const;
  });
}

const DISCORD = /[MNO][\w-]{22,28}\.[\w-]{6}\.[\w-]{27,45}/y;

/** Prefixes of identifiers that services print for people to quote, and of checksums. */
const PUBLIC_PREFIX =
  /^(?:req|request|res|resp|response|msg|message|chatcmpl|cmpl|gen|evt|event|file|files|run|step|thread|asst|call|toolu|tooluse|item|batch|trace|span|order|ord|inv|invoice|in|cus|customer|sub|pi|pm|ch|re|src|seti|si|prod|price|plan|txn|tr|po|acct|user|usr|u|org|proj|project|team|ws|workspace|doc|page|block|db|commit|diff|sha|sha1|sha256|sha384|sha512|md5|etag|build|job|task|image|img|video|vid|audio|node|pod|container|instance|i|vol|snap|ami|vpc|subnet|sg|eni|rtb|igw|arn|uuid|guid|id|ref|rev|hash|digest|chunk|main|index|app|vendors?|bundle|css|js|module|test|spec|case|cls|fn|func|var|tmp|temp|cache|log|err|error|warn|session|conv|conversation|ft|ftjob|vs|upload|part|mcp|tool|prompt|resource|server|client)$/i;

/** What services print for people to quote: `pi_3Mtw…`, `ch_3Mtw…`. */
export function hasPublicPrefix(word: string): boolean {
  const [prefix = '', ...rest] = word.split('_');
  return rest.length === 1 && PUBLIC_PREFIX.test(prefix) && !/^(?:session|client|server|app)$/.test(prefix);
}

/** Words in a prefix that say the rest is a secret. */
const SECRET_PREFIX =
  /(?:^|[_-])(?:sk|pk|rk|ak|tk|pat|key|keys|apikey|api|secret|sec|token|tok|live|test|prod|sandbox|auth|oauth|priv|private|access|refresh|cred|pw|pass|bot|svc|sat|deploy|webhook|whsec|bearer|jwt|license|lic|admin)$/i;

/** A page of a site on which each has its title and an identifier in its address. */
const PAGE_SITE =
  /^:\/\/(?:(?:www\.|app\.)?notion\.(?:so|com)|[\w-]{1,63}\.notion\.site|(?:[\w-]{1,63}\.)?medium\.com)\/(?:[\w@.-]{1,60}\/){0,3}$/i;
const SLUG = /^-[0-9a-f]{32}$/;
const LONGEST_SITE = 200;

/** Whether a word is the last part of such an address. */
function isPage(text: string, start: number, word: string): boolean {
  if (text[start - 1] !== '/' || !SLUG.test(word.slice(-33))) {
    return false;
  }
  const before = text.slice(Math.max(0, start - LONGEST_SITE), start);
  return PAGE_SITE.test(before.slice(Math.max(0, before.lastIndexOf('://'))));
}

/**
 * Judges a long word by its looks: a short prefix, then one random part, as nearly all newer services shape their keys.
 * A bare word without prefix is left alone here; hashes and identifiers look the same.
 */
export function detectTokenShape(page: Page, start: number, end: number): void {
  const { text } = page;
  if (end - start === 36 && text[start + 8] === '-' && text[start + 13] === '-') {
    return;
  }
  const word = text.slice(start, Math.min(end, start + 200));
  if (isPage(text, start, word)) {
    return;
  }
  const near = start - page.hint;
  if (
    near > 0 &&
    near < 40 &&
    looksRandom(word, 16) &&
    /\d/.test(word) &&
    !/[\n]/.test(text.slice(page.hint, start)) &&
    !isQuoted(word) &&
    !isSaidName(word) &&
    !OF_IDENTIFIERS.test(wordBefore(text, start))
  ) {
    const whole = page.hintHolds === undefined ? { start, end } : keyAround(page, start, end, page.hintHolds);
    if (whole) {
      mark(page, whole.start, whole.end, 'near-name', 'token', LOOKS);
      return;
    }
  }
  if (text[end] === '.' && matchAt(DISCORD, text, start)) {
    mark(page, start, DISCORD.lastIndex, 'discord-bot-token', 'token', FORMAT);
    return;
  }
  const shape =
    /^([A-Za-z][A-Za-z\d]{0,11}(?:[_-][a-z\d]{1,10}){0,2})[_-]([A-Za-z\d]{16,}(?:[_-][A-Za-z\d]{4,}){0,2})$/.exec(
      word,
    );
  if (!shape || (start > 0 && /[/.=@]/.test(text[start - 1] as string) && isAlnum(text.charCodeAt(end)))) {
    return;
  }
  const [, prefix = '', body = ''] = shape;
  const random = body.split(/[_-]/)[0] as string;
  if (!/\d/.test(body) || !looksRandom(random, 16) || PUBLIC_PREFIX.test(prefix)) {
    return;
  }
  if (
    SECRET_PREFIX.test(prefix) ||
    (random.length >= 30 && /^[a-z]{1,8}(?:[_-][a-z\d]{1,6})?$/i.test(prefix))
  ) {
    mark(page, start, end, 'token-shape', 'token', LOOKS);
  }
}

/** Signs of base64, and of what is made of words: both are judged as a whole. */
const JOINTS = signSet('+/=.:#|');
const LONGEST_WHOLE = 400;

/** The whole of what a word is part of, where that is a secret under a name that need not be one's. */
function keyAround(
  { text }: Page,
  start: number,
  end: number,
  holds: KeyHolds,
): { readonly start: number; readonly end: number } | undefined {
  const isPart = (at: number): boolean =>
    isWordSign(text.charCodeAt(at)) || text[at] === '-' || isAt(JOINTS, text, at);
  let first = start;
  while (start - first < LONGEST_WHOLE && isPart(first - 1)) first--;
  let last = end;
  while (last - end < LONGEST_WHOLE && isPart(last)) last++;
  while (last > end && '.:#|'.includes(text.charAt(last - 1))) last--;
  // A name and its sign are no part of it.
  const sign = text.slice(first, start).lastIndexOf('=');
  first += sign < 0 ? 0 : sign + 1;
  return isSecretKey(text.slice(first, last), holds) ? { start: first, end: last } : undefined;
}

const LAST_WORD = /[\w-]{1,24}(?=[ :=#"'(]{1,3}$)/;

/** The word in front of an offset. */
function wordBefore(text: string, at: number): string {
  return LAST_WORD.exec(text.slice(Math.max(0, at - 28), at))?.[0] ?? '';
}

/** Identifiers that stay even beside a secret's name: UUIDs, dates, dotted or many-part names. */
function isQuoted(word: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(word) || PUBLIC_PREFIX.test(word.split(/[_-]/)[0] as string);
}
