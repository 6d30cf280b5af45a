/** Follows `$ref`. Runs in a worker. */
import { decoded } from '../decoded.ts';
import { toUrl } from '../to-url.ts';
import { type Documents, type SourceDocument, withoutFragment } from './documents.ts';

/** A part of a document: references in it are seen from there. */
export interface Part {
  readonly value: unknown;
  readonly document: SourceDocument;
}

/** Finds what references mean. */
export interface References {
  /** The part itself, or what it refers to. Throws a {@link PartProblem} when that is nowhere. */
  resolve(part: Part): Part;
}

/** A part of a document that cannot be used: a reference that leads nowhere, or where it must not; too much of it. */
export class PartProblem extends Error {
  override readonly name = 'PartProblem';
}

/** A reference to a reference to … */
const MAX_HOPS = 32;

/** References among some documents. */
export function createReferences({ root, others }: Documents): References {
  // The same place means the same object each time: that is how a schema that contains itself is found.
  const merged = new WeakMap<object, unknown>();

  function target(reference: string, from: SourceDocument): Part {
    const url = toUrl(reference, from.url.href);
    if (url === undefined) throw new PartProblem(`$ref ${shown(reference)} is no URL`);
    const { href } = withoutFragment(url);
    const document =
      href === withoutFragment(from.url).href ? from : href === root.url.href ? root : others.get(href);
    if (document === undefined || typeof document === 'string')
      throw new PartProblem(`$ref ${shown(reference)}: ${document ?? 'it was not read'}`);
    return { document, value: at(document.value, url.hash.slice(1), reference) };
  }

  return {
    resolve(part) {
      let found = part;
      for (let hops = 0; hops < MAX_HOPS; hops++) {
        const reference = memberOf(found.value, '$ref');
        if (typeof reference !== 'string') return found;
        const beside = found.value as object;
        const next = target(reference, found.document);
        if (!merged.has(beside)) merged.set(beside, withSiblings(next.value, beside));
        found = { document: next.document, value: merged.get(beside) };
      }
      throw new PartProblem('A $ref leads in a circle');
    },
  };
}

/** What stands beside a `$ref` adds to what it refers to, or replaces it. */
function withSiblings(value: unknown, beside: object): unknown {
  const { $ref: _reference, ...siblings } = beside as { readonly [key: string]: unknown };
  if (Object.keys(siblings).length === 0 || typeof value !== 'object' || value === null) return value;
  return { ...value, ...siblings };
}

/** The value at a JSON Pointer. */
function at(value: unknown, pointer: string, reference: string): unknown {
  if (pointer !== '' && !pointer.startsWith('/'))
    throw new PartProblem(`$ref ${shown(reference)} is no JSON Pointer`);
  let found = value;
  for (const step of pointer.split('/').slice(1)) {
    found = memberOf(found, decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'));
    if (found === undefined) throw new PartProblem(`$ref ${shown(reference)} leads nowhere`);
  }
  return found;
}

function shown(reference: string): string {
  return JSON.stringify(reference.slice(0, 200));
}

/** A member of its own; what an object inherits is no part of a document. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as { readonly [key: string]: unknown })[name];
}
