/** Redirects that say that a server has moved, and nothing else: whoever works on a request first answers otherwise. */
import { areOfTheDoor } from './refusal-headers.ts';

/** Words of the pages that servers and frameworks send along with a redirect. */
const WORDS: ReadonlySet<string> = new Set(
  `301 302 303 307 308 443 80 a above address and apache at automatically be been being below caddy click continue document
  follow following for found go has have here html http if is it its link located location message moved new nginx not
  now object openresty page permanent permanently please port redirect redirected redirecting redirection redirects
  requested resource see server should target temporarily temporary that the this to url use will you your`.split(
    /\s+/,
  ),
);

/** More than such a page has. */
const MAX_LENGTH = 4000;

/** Does an HTTP answer with a `Location` say no more than where to go? */
export function isMoveAlone({
  headers,
  body,
}: {
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: string;
}): boolean {
  const others = [...headers].filter(([name]) => name.toLowerCase() !== 'location');
  if (!areOfTheDoor(new Map(others)) || body.length > MAX_LENGTH) return false;
  const text = body.replace(/<[^>]*>|&\w+;/g, ' ').replace(/https?:\/\/\S+|(?<![^\s"'(])\/\S*/gi, ' ');
  return text.split(/[^\p{L}\p{N}]+/u).every((word) => word === '' || WORDS.has(word.toLowerCase()));
}
