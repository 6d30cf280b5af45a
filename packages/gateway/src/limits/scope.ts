/** Which calls a limit is for, and which of them it counts together. */
import { dropOldest } from '@mayday/policy';
import { namedBy, type WireCall } from '@mayday/relay';
import { isHidden, mayUseLike } from '../access/verdicts.ts';
import type { Settings } from '../settings/settings.ts';
import { sha256 } from '../sha256.ts';
import { mayMean, resourcesOf } from '../uri-patterns.ts';
import { canonicalUri } from '../uri-readings.ts';

/** What all limits have in common. */
type LimitSettings = Pick<Settings['limits']['concurrency'][number], 'by' | 'tools'>;

/** A tool, prompt or resource that is called: `upstream/name`, of a URI for all its readings. */
export interface Named {
  readonly names: readonly string[];
  /** Where it is hidden from whoever calls it: may they use anything that a pattern fits? */
  readonly mayUseLike?: ((pattern: string) => boolean) | undefined;
}

/** The calls of one limit. */
export interface Scope {
  /** Is it for this tool, prompt or resource? */
  fits(named: Named): boolean;
  /** What is counted together with this call, as a name in the store. */
  keyOf(call: WireCall): string;
}

/** What is called; `undefined` where that is no tool, prompt or resource. */
export function namedIn(call: WireCall): Named | undefined {
  const names = namesOf(call);
  return names && { names, mayUseLike: isHidden(call) ? (pattern) => mayUseLike(call, pattern) : undefined };
}

function namesOf(call: WireCall): readonly string[] | undefined {
  const by = namedBy(call.method);
  if (by === undefined) return undefined;
  const target = targetOf(call);
  if (by === 'name') return [`${call.upstream}/${target}`];
  return namesRead(call.upstream, target);
}

/** `upstream/uri` for all readings of a URI, and for all that could be meant by them. */
export function namesRead(upstream: string, uri: string): readonly string[] {
  return [...new Set(resourcesOf(upstream, uri).flatMap(({ meant }) => meant()))];
}

/**
 * Fits what one of these patterns fits, under one of its names. A pattern without a star is about something that there is,
 * and one with a star about things that are called alike. Neither fits what is hidden from its caller, who would tell it by
 * that from a name that nobody has, unless the same pattern is about something that they may use.
 */
export function fitsUnderAny(patterns: readonly string[]): (named: Named) => boolean {
  const fits = mayMean(patterns);
  const alike = patterns
    .filter((pattern) => pattern.includes('*'))
    .map((pattern) => ({ pattern, fits: mayMean([pattern]) }));
  return ({ names, mayUseLike: may }) =>
    may === undefined ? fits(names) : alike.some((one) => one.fits(names) && may(one.pattern));
}

/**
 * The scopes of some limits. Their names in the store say what they count and not how much of it: a limit that is made
 * smaller heeds what was counted before. Limits that count the same apart from that are told apart by a number.
 */
export function scopesOf<L extends LimitSettings>(
  limits: readonly L[],
  kindOf: (limit: L) => readonly (string | number)[],
): readonly Scope[] {
  const seen = new Map<string, number>();
  return limits.map((limit) => {
    const by = PARTS.filter((part) => limit.by.includes(part));
    const kind = JSON.stringify([...kindOf(limit), by, limit.tools ?? null]);
    const number = seen.get(kind) ?? 0;
    seen.set(kind, number + 1);
    const prefix = `${digestOf(kind)} ${number} `;
    return {
      fits: limit.tools === undefined ? () => true : fitsUnderAny(limit.tools),
      keyOf: remembering(
        by,
        (call) => prefix + shortened(JSON.stringify(by.map((part) => VALUES[part](call)))),
      ),
    };
  });
}

/** How a call was named, and what decides that. */
interface NamedCall extends Pick<WireCall, 'by' | 'upstream' | 'method' | 'target'> {
  readonly key: string;
}

/** So many callers, or tools of theirs, are named without being asked again. */
const MAX_REMEMBERED = 1000;

/** The same names, found once for calls that are alike. URIs are found each time: there is no end of them, and some hold secrets. */
function remembering(parts: readonly Part[], keyOf: Scope['keyOf']): Scope['keyOf'] {
  const byTool = parts.includes('tool');
  const recent = new Map<string, NamedCall>();
  return (call) => {
    const { by, upstream, method, target } = call;
    if (byTool && (target === undefined || namedBy(method) !== 'name')) return keyOf(call);
    const alike = byTool ? `${by.id} ${target}` : by.id;
    const known = recent.get(alike);
    const isSame = known !== undefined && known.by === by && known.upstream === upstream;
    if (isSame && (!byTool || (known.method === method && known.target === target))) return known.key;
    const key = keyOf(call);
    if (alike.length <= LONGEST) {
      recent.set(alike, { by, upstream, method, target: byTool ? target : undefined, key });
      dropOldest(recent, MAX_REMEMBERED);
    }
    return key;
  };
}

type Part = LimitSettings['by'][number];

/** In which order they are written does not matter. */
const PARTS: readonly Part[] = ['caller', 'tenant', 'upstream', 'tool'];

/** Callers without a name, or without a tenant, are counted together. */
const VALUES: { readonly [part in Part]: (call: WireCall) => unknown } = {
  caller: ({ by }) => (by.isKnown ? by.id : null),
  tenant: ({ by }) => by.tenant ?? null,
  upstream: ({ upstream }) => upstream,
  // A URI may hold secrets, which are kept nowhere. All its spellings are one.
  tool: (call) => {
    const target = targetOf(call);
    const name = namedBy(call.method) === 'uri' ? canonicalUri(target) : target;
    return digestOf(JSON.stringify([call.upstream, call.method, name]));
  },
};

/** A question on behalf of a call names a resource in its params alone. */
function targetOf({ target, method, params }: WireCall): string {
  const uri = target === undefined && method === 'resources/read' ? params()?.['uri'] : undefined;
  return target ?? (typeof uri === 'string' ? uri : '');
}

const LONGEST = 200;

/** Names are the callers' words, and of any length. */
function shortened(key: string): string {
  return key.length <= LONGEST ? key : digestOf(key);
}

function digestOf(text: string): string {
  return sha256(text, 'base64url');
}
