/** Web pages in messages: proxies answer with them, and no model can use their markup. */

const PAGE = /<(?:!doctype\s+html|html|head|body)\b/i;

/** So far a page is looked at for its title. */
const MAX_LENGTH = 20_000;

/** The message without the page in it: what stands before it, and the page's own title or heading. */
export function withoutPage(message: string): string {
  const at = message.search(PAGE);
  if (at < 0) return message;
  const page = message.slice(at, at + MAX_LENGTH);
  const before = message.slice(0, at).trim();
  const title = between(page, 'title') || between(page, 'h1');
  return [before, title].filter((part) => part !== '').join(' ');
}

/** The text of the first element of this name. By hand: an expression for it takes quadratic time. */
function between(page: string, name: string): string {
  const lower = page.toLowerCase();
  const opened = lower.indexOf(`<${name}`);
  const start = opened < 0 ? -1 : lower.indexOf('>', opened);
  const end = start < 0 ? -1 : lower.indexOf(`</${name}`, start);
  if (end < 0) return '';
  return page
    .slice(start + 1, end)
    .replace(/<[^<>]{0,200}>/g, ' ')
    .replace(/[<>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
}
