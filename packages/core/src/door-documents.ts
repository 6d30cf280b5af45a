/**
 * Documents that doors have in their sources, by the type that is theirs. What their members are called is known there and
 * nowhere else, so it is said in the words of any door; what stands in them is judged as everywhere.
 */
import { isRecord, type Unknown } from './json.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Where a request is found again in Zuplo's logs, and which of its builds has answered. */
function traceOfZuplo(trace: unknown): unknown {
  if (!isRecord(trace)) return trace;
  return renamed(trace, (name, value) => (name === 'buildId' && UUID.test(String(value)) ? 'spanId' : name));
}

/** None of them has fewer members than before: what is said twice has to stay so. */
function renamed(document: Unknown, nameOf: (name: string, value: unknown) => string): Unknown {
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [nameOf(name, value), value]));
}

const DOCUMENTS: ReadonlyMap<unknown, (document: Unknown) => Unknown> = new Map<
  unknown,
  (document: Unknown) => Unknown
>([
  [
    'https://httpproblems.com/http-status/429',
    (document) => {
      const named = renamed(document, (name) => (name === 'instance' ? 'path' : name));
      return { ...named, ...('trace' in named && { trace: traceOfZuplo(named['trace']) }) };
    },
  ],
  [
    // Symfony's type, whatever the status is: what it was stands in the detail.
    'https://tools.ietf.org/html/rfc2616#section-10',
    (document) =>
      document['title'] === 'An error occurred' && document['detail'] === 'Too Many Requests'
        ? { ...document, title: document['detail'] }
        : document,
  ],
]);

/** The document, in the words of any door where it is one of theirs. */
export function inDoorsNames(document: Unknown): Unknown {
  return DOCUMENTS.get(document['type'])?.(document) ?? document;
}
