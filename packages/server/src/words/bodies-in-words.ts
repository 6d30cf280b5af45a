/**
 * Answers of a backend that an author has put into the words of an exception as they came, JSON or an envelope of SOAP.
 * What they say is for the caller; all that they hold beside it is not.
 */
import type { Issue } from '@mayday/core';
import { untold } from '@mayday/core/render';
import { bodyInWords, LONGEST_BODY } from './bodies.ts';
import { isRecord, lookOwn } from './look.ts';
import { isComplaint, saidIn } from './said-in-bodies.ts';
import { isPage } from './server-addresses.ts';
import { withoutXml } from './xml-bodies.ts';

const MOST = 10;
const DEEPEST = 3;

/** The words with what such an answer says in its place; the same where there is none. `isSent` knows what the caller wrote. */
export function inWords(text: string, isSent: (body: unknown) => boolean, depth: number = DEEPEST): string {
  if (text.length > LONGEST_BODY || depth === 0) return text;
  const found = bodyInWords(text);
  if (found === undefined) return withoutDetail(withoutXml(text));
  const { at, json, body } = found;
  const said = isSent(body) || !isRecord(body) ? undefined : sayingOf(body);
  if (said === undefined) return withoutDetail(withoutXml(text));
  // What it says may hold another one.
  const inner = inWords(said, isSent, depth - 1);
  return text.slice(0, at) + inner + text.slice(at + json.length).replace(/[^)]/g, '');
}

/**
 * What a body says in words, of its fields, and where it sends somebody; `undefined` where that is nothing, or a
 * validator's, whose judge knows more.
 */
function sayingOf(body: object): string | undefined {
  if ([body].flat().some(isComplaint)) return undefined;
  const { words, issues } = saidIn(body);
  // A sentence that names its field has said it.
  const more = issues.filter((one) => untold(words ?? '', [one]).length > 0);
  const said = [words?.replace(/[.:;]$/, ''), fieldsOf(more), pageIn(body)].filter(isText);
  return (said.length === 1 ? (words ?? said[0]) : said.join(': ')) || undefined;
}

/** All that is said of a field behind its name. */
function fieldsOf(issues: readonly Issue[]): string {
  const fields = new Map<string, string>();
  for (const { path, message } of issues.slice(0, MOST)) {
    const name = path.join('.');
    const before = fields.get(name);
    fields.set(name, before === undefined ? message : `${before}, ${message}`);
  }
  return [...fields].map((field) => field.filter(isText).join(': ')).join('; ');
}

/** The page that a body sends somebody to, by itself or in what it holds. */
function pageIn(body: object): string | undefined {
  const members = [body, lookOwn(body, 'data')].filter(isRecord).flatMap((one) => Object.entries(one));
  return members.find(([name, value]) => isText(value) && isPage(name, value))?.join(': ');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** What some of its clients put behind the sentence of a fault. */
function withoutDetail(text: string): string {
  const [from, to] = [text.indexOf('<detail>'), text.lastIndexOf('</detail>')];
  if (from < 0 || to < from) return text;
  return text.slice(0, from).replace(/[:\s]{1,5}$/, '') + text.slice(to + '</detail>'.length);
}
