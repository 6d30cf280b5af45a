/** What is too much for a model: texts without an end, and web pages in place of an answer. */

/** A cut must not leave half a secret that redaction would have known whole. */
const SLACK = 4096;

/** What was read may end in half of a secret of so many letters. */
const LONGEST_SECRET = 1024;

/** The text, shortened to a length and marked where it was; `safely` is applied before the last cut. */
export function clip(text: string, length: number, safely: (text: string) => string): string {
  // A title is made one line, so that it has to be safe before.
  const isCut = text.length > length + SLACK;
  const read = safely(isCut ? text.slice(0, length + SLACK) : text);
  const safe = withoutPages(isCut ? read.slice(0, -LONGEST_SECRET) : read);
  if (safe.length <= length && !isCut) return safe;
  const left = Math.max(0, text.length - length).toLocaleString('en-US');
  return `${safe.slice(0, length)}… [${left} more characters]`;
}

const OPENS = /<!doctype html\b|<html[\s>]/i;
const CLOSES = /<\/html\s*>/gi;
const TITLE = /<title[^>]{0,200}>([^<]{0,200})/i;

/** The text with a web page replaced by its title: the rest of it is for people, and their browsers. */
function withoutPages(text: string): string {
  const opens = OPENS.exec(text);
  if (opens === null) return text;
  const start = opens.index;
  CLOSES.lastIndex = start;
  let end = text.length;
  for (let close = CLOSES.exec(text); close !== null; close = CLOSES.exec(text)) end = CLOSES.lastIndex;
  const title = TITLE.exec(text.slice(start, end))?.[1]?.replace(/\s+/g, ' ').trim();
  const page = title === undefined || title === '' ? '[a web page]' : `[a web page: ${title}]`;
  return `${text.slice(0, start)}${page}${text.slice(end)}`;
}
