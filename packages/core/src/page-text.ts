/** What a web page says, without its markup: those who answer with one for people say there what is going on. */
import { redact } from './redact/index.ts';

const PAGE = /<(?:!doctype\s+html|html|head|body)\b/i;

/** Is it a web page, as far as its beginning tells? */
export function isPage(text: string): boolean {
  return PAGE.test(text.slice(0, LOOKED_AT));
}

const LOOKED_AT = 1000;

/** Elements whose content nobody reads. */
const UNREAD: readonly string[] = ['script', 'style', 'svg', 'template', 'head'];

/** Tags inside of words: what they part is one word. */
const INLINE = /^\/?(?:a|abbr|b|bdi|bdo|code|em|font|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|u|wbr)\b/i;

/** The words of a page. By hand, and in one pass: expressions for it take quadratic time. */
export function pageText(page: string): string {
  const lower = page.toLowerCase();
  const parts: string[] = [];
  let at = 0;
  while (at < page.length) {
    const open = page.indexOf('<', at);
    if (open < 0) break;
    parts.push(page.slice(at, open));
    const isComment = page.startsWith('<!--', open);
    const close = isComment ? page.indexOf('-->', open) : page.indexOf('>', open);
    if (close < 0) return wordsOf(parts);
    const tag = lower.slice(open + 1, Math.min(close, open + 40));
    at = close + (isComment ? 3 : 1);
    const unread = UNREAD.find((name) => tag.startsWith(name) && !/\w/.test(tag[name.length] ?? ''));
    if (unread !== undefined) {
      const end = lower.indexOf(`</${unread}`, at);
      if (end < 0) return wordsOf(parts);
      at = end;
    }
    if (!isComment && !INLINE.test(tag)) parts.push(' ');
  }
  return wordsOf([...parts, page.slice(at)]);
}

const ENTITIES: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function wordsOf(parts: readonly string[]): string {
  return parts
    .join('')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : ' ';
    })
    .replace(/\s+/g, ' ')
    .trim();
}

/** Longer lines are read by nobody. */
const MAX_LINE = 200;

/** What a body says to people, in one line: of a page its first words, or else its title. Redacted, by default as everything is. */
export function inOneLine(body: string, clean: (text: string) => string = redacted): string {
  // As it came: once its lines and columns are joined, nobody knows what stood under or behind the name of a secret.
  const safe = clean(body);
  const words = MARKUP.test(safe) ? pageText(safe) || titleOf(safe) : safe.replace(/\s+/g, ' ').trim();
  // Half a word may be half a secret, which nobody would know for one.
  return words.length <= MAX_LINE ? words : `${words.slice(0, MAX_LINE + 1).replace(/\S+$/, '')}…`;
}

function redacted(text: string): string {
  return redact(text).value;
}

/** What begins like this was made for a browser. */
const MARKUP = /^\s*<(?:!|\/?[a-z])/i;

function titleOf(page: string): string {
  const title = /<title[^<>]{0,200}>([^<]{1,1000})/i.exec(page.slice(0, 20_000))?.[1] ?? '';
  return wordsOf([title]);
}
