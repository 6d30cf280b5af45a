/** Headers of an API's answer without what the operator gives it: what is told of them is in words of the gateway's own. */
import type { HttpHeaders } from '@mayday/relay';
import { hidden } from '../call/hide-given.ts';
import type { Hide } from '../call/hiding.ts';

/** Of addresses the names go that the operator adds to every query, and of all of it what the settings call a secret. */
export function withoutGiven(
  headers: HttpHeaders,
  query: { readonly [name: string]: string },
  hide: Hide | undefined,
): HttpHeaders {
  const given = new Set(Object.keys(query).map((name) => name.toLowerCase()));
  const told = given.size === 0 ? headers : hidden(headers, (value) => withoutNames(value, given));
  return hidden(told, hide);
}

const QUERY = /\?([^\s#<>"]*)/g;

function withoutNames(value: string, given: ReadonlySet<string>): string {
  return value.replace(QUERY, (whole, pairs: string) => {
    const all = pairs.split('&');
    const left = all.filter((pair) => !given.has(nameOf(pair)));
    if (left.length === all.length) return whole;
    return left.length === 0 ? '' : `?${left.join('&')}`;
  });
}

function nameOf(pair: string): string {
  const [name = ''] = new URLSearchParams(pair).keys();
  return name.toLowerCase();
}
