/** The head of an HTTP answer with all that was said before and behind it. */
import type { HttpHeaders } from '../protocol/headers.ts';
import type { Beside, HttpHead } from './link.ts';

/** What whoever judges an answer looks at. It is nobody's to send on: trailers are no headers. */
export function wholeHead({ status, statusText, headers, beside, askedAt }: HttpHead): HttpHead {
  const { words, headers: more } = beside ?? NOTHING;
  return { status, statusText: statusText + words, headers: together(headers, more), askedAt };
}

/** What is said beside an answer, and what more is. */
export function andBeside({ words, headers }: Beside = NOTHING, more: Beside): Beside {
  return { words: words + more.words, headers: together(headers, more.headers) };
}

const NOTHING: Beside = { words: '', headers: {} };

/** All values of both; one that is repeated says nothing new. */
function together(headers: HttpHeaders, more: HttpHeaders): HttpHeaders {
  const all: { [name: string]: string } = {};
  for (const name of new Set([...Object.keys(headers), ...Object.keys(more)]))
    all[name] = [...new Set([headers[name] ?? [], more[name] ?? []].flat())].join(', ');
  return all;
}
