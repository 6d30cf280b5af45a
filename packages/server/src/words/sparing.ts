/**
 * What the caller wrote itself is not taken out of the words that quote it: the piece of its query that a database
 * stumbled over, the folder that it named.
 */
import { type RedactOptions, redact } from '@mayday/core/redact';
import { textsIn } from './files.ts';

/** How databases quote the place of a syntax error, and a value that they do not take. */
const ECHO =
  /(?:\bnear |\binvalid input (?:syntax|value) for (?:type|enum) [\w. ]{1,80}: |\bvalue out of range: |\bvalue )["'`]([^"'`\n]{1,200})["'`]/g;
/** Folders that are named after people. */
const HOME = /(?:\/home|\/Users|\\Users)[/\\]+[^/\\\s'"`,;:)]{1,80}/g;

/** The options of redaction for words, without the rules that would only take out what the caller sent. */
export function sparing(
  words: string,
  sent: unknown,
  options: RedactOptions | undefined,
): RedactOptions | undefined {
  const own = [...quoted(words, ECHO, 'sql-echo', sent), ...quoted(words, HOME, 'user-path', sent)];
  return own.length === 0 ? options : { ...options, disable: [...(options?.disable ?? []), ...own] };
}

/** The rule, if all that it would find is a quotation of what was sent. */
function quoted(words: string, pattern: RegExp, rule: string, sent: unknown): readonly string[] {
  const pieces = [...words.matchAll(pattern)].map(([whole, inner]) => inner ?? whole);
  if (pieces.length === 0) return [];
  const texts = textsIn(sent);
  if (!pieces.every((piece) => texts.some((text) => text.includes(piece)))) return [];
  const rest = redact(words.replace(pattern, ' '));
  return rest.findings.some((finding) => finding.rule === rule) ? [] : [rule];
}
