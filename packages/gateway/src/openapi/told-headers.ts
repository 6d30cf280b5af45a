/** What an API says in headers beside its answer: what becomes of it, that there is more, and how often it may still be asked. */
import type { JsonObject } from '@mayday/core';
import type { HttpHeaders } from '@mayday/relay';
import { toUrl } from '../to-url.ts';
import { LARGE_INTEGER } from './fit.ts';

/** What is told beside an answer. */
export interface Beside {
  /** For the model. */
  readonly lines: readonly string[];
  /** For programs. */
  readonly meta: JsonObject | undefined;
}

interface Said {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly query: QueryNames;
  /** What was made, and where, is told in place of a body. */
  readonly isBodiless: boolean;
  /** Does a tool take the version of what it changes? */
  readonly takesVersions: boolean;
}

/** The names that the query of an operation knows, with the arguments that they are filled from. */
export type QueryNames = ReadonlyMap<string, { readonly argument: string; readonly isNumber: boolean }>;

const MAX_HEADER = 500;

/** How much there is: what these are called differs, what they mean does not. */
const PAGING =
  /^(?:x-)?(?:total(?:-count|-pages|-items)?|total-?count|page(?:-count|-size)?|per-page|next-page|prev-page|next-cursor|has-more|pagination-[a-z-]+)$/;
const LIMITS = /^(?:x-)?rate-?limit(?:-(?:policy|limit|remaining|reset|used|resource))?$/;
const REMAINING = /^(?:x-)?rate-?limit-remaining$/;

/** What is still to be done or known about what the body says. */
const ABOUT_THE_BODY = [
  'Location',
  'Retry-After',
  'ETag',
  'Content-Range',
  'Deprecation',
  'Sunset',
  'Warning',
] as const;
const ACCEPTED = 202;

/** What to tell beside an answer with these headers. */
export function headersBeside({ status, headers, query, isBodiless, takesVersions }: Said): Beside {
  const told: [string, string][] = [];
  const lines: string[] = [];
  if (status === ACCEPTED && !isBodiless) lines.push('Accepted, not done yet (HTTP 202)');
  for (const label of isBodiless ? [] : ABOUT_THE_BODY) {
    const name = label.toLowerCase();
    const said = headerText(headers, name).slice(0, MAX_HEADER);
    if (said === '') continue;
    told.push([name, said]);
    if (label !== 'ETag' || takesVersions) lines.push(`${label}: ${said}`);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value !== 'string' || value === '') continue;
    const isPaging = PAGING.test(name);
    if (!isPaging && !LIMITS.test(name)) continue;
    const said = value.slice(0, MAX_HEADER);
    told.push([name, said]);
    if (isPaging) lines.push(`${name}: ${said}`);
    else if (REMAINING.test(name) && /^0\b/.test(said)) lines.push(`${name}: 0, wait before the next call`);
  }
  const next = nextPage(headers['link'], query);
  const isAsked = next !== undefined && Object.keys(next).length > 0;
  if (next !== undefined)
    lines.unshift(
      isAsked
        ? `There is more: call again with ${JSON.stringify(next)}`
        : 'There is more, but no argument of this operation asks for it',
    );
  if (told.length === 0 && !isAsked) return { lines, meta: undefined };
  return {
    lines,
    meta: {
      ...(told.length === 0 ? {} : { headers: Object.fromEntries(told) }),
      ...(isAsked ? { next } : {}),
    },
  };
}

/**
 * The arguments of the next page, out of `Link: <…?page=2>; rel="next"` (RFC 8288), as far as the operation has them. The URL
 * itself is not told: it may hold what the operator adds to every query.
 */
function nextPage(link: unknown, query: QueryNames): JsonObject | undefined {
  const all = typeof link === 'string' ? link : Array.isArray(link) ? link.join(', ') : '';
  for (const [, target = '', parameters = ''] of all.slice(0, MAX_LINK).matchAll(LINK)) {
    if (!/;\s*rel="?(?:[^";]*\s)?next(?:[\s";]|$)/i.test(parameters)) continue;
    const url = toUrl(target, 'http://api.invalid');
    const found = [...(url?.searchParams ?? [])].flatMap(([name, value]) => {
      const { argument, isNumber } = query.get(name) ?? {};
      const isCounted = isNumber === true && !LARGE_INTEGER.test(value);
      if (argument === undefined || (isCounted && !/^-?\d+(?:\.\d+)?$/.test(value))) return [];
      return [[argument, isCounted ? Number(value) : value] as const];
    });
    return Object.fromEntries(found);
  }
  return undefined;
}

const MAX_LINK = 8192;
const LINK = /<([^<>]*)>((?:\s*;\s*[\w-]+\*?(?:=(?:"[^"]*"|[^\s;,"]*))?)*)/g;

/** A header, or nothing. */
export function headerText(headers: HttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : '';
}
