/** How a limit is told in the headers of an answer: draft-ietf-httpapi-ratelimit-headers-11. */
import { toSeconds } from '@mayday/core/http';
import type { RateLevel } from '@mayday/policy';
import type { ReplyHeaders } from '@mayday/relay';
import type { Settings } from '../settings/settings.ts';

type RateSettings = Pick<Settings['limits']['rates'][number], 'calls' | 'perMs'>;

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
];

/** `60 calls per minute`, without the calls. */
export function spanWords(ms: number): string {
  const [unit, unitMs] = UNITS.find(([, each]) => ms % each === 0) ?? ['ms', 1];
  const count = ms / unitMs;
  if (unit === 'ms') return `${count} ms`;
  return count === 1 ? unit : `${count} ${unit}s`;
}

/** Names for limits: `60-per-minute`. Several that would have the same are numbered. */
export function policyNames(limits: readonly RateSettings[]): readonly string[] {
  const seen = new Map<string, number>();
  return limits.map(({ calls, perMs }) => {
    const name = `${calls}-per-${spanWords(perMs).replace(' ', '-')}`;
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return number === 1 ? name : `${name}-${number}`;
  });
}

/** What an answer says about the limit that decides: what it allows, how much of it is left, and when there is more. */
export function rateHeaders(
  name: string,
  { calls, perMs }: RateSettings,
): (level: RateLevel) => ReplyHeaders {
  const allowed = `"${name}";q=${calls};w=${toSeconds(perMs)}`;
  return ({ remaining, growsMs }) => ({
    'ratelimit-policy': allowed,
    ratelimit: `"${name}";r=${remaining};t=${toSeconds(growsMs)}`,
  });
}
