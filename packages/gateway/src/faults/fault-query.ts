/** Which failures an operator asks for: the query of `/-/faults`. */
import type { FaultEntry } from './fault-log.ts';

/** What was asked for, or why nobody can tell. */
export type FaultQuery =
  | { readonly limit: number; readonly fits: (entry: FaultEntry) => boolean }
  | { readonly wrong: string };

const MAX_LIMIT = 1000;

const FIELDS: { readonly [name: string]: (entry: FaultEntry) => unknown } = {
  upstream: (entry) => entry.upstream,
  kind: (entry) => entry.fault['kind'],
  target: (entry) => entry.target,
  caller: (entry) => entry.caller,
  correlation_id: (entry) => entry.fault['correlation_id'],
};

const NAMES = ['limit', 'since', ...Object.keys(FIELDS)];

/** Reads the query of a URL. A name that is not known would otherwise look like a filter that fits everything. */
export function faultQueryOf(url: string): FaultQuery {
  const at = url.indexOf('?');
  const asked = new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
  const unknown = [...asked.keys()].find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    return {
      wrong: `Nothing is called ${JSON.stringify(unknown.slice(0, 40))} here; use ${NAMES.join(', ')}`,
    };
  const limit = asked.get('limit') ?? '100';
  if (!/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT)
    return { wrong: `limit is a number from 1 to ${MAX_LIMIT}` };
  const since = sinceIn(asked.get('since'));
  if (Number.isNaN(since))
    return { wrong: 'since is a time, such as 2026-01-31T12:00:00Z or milliseconds since 1970' };
  const wanted = Object.entries(FIELDS).filter(([name]) => asked.has(name));
  return {
    limit: Number(limit),
    fits: (entry) => entry.at >= since && wanted.every(([name, of]) => of(entry) === asked.get(name)),
  };
}

function sinceIn(said: string | null): number {
  if (said === null) return 0;
  return /^\d{1,15}$/.test(said) ? Number(said) : Date.parse(said);
}
