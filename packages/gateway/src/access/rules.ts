/** Who may use what: the rules of the settings, ready to be asked. */

import type { Caller, WireCall } from '@mayday/relay';
import type { Approvals, Audit } from '@mayday/store';
import { canFitBelow, canMeet, type Fits, fitsAllBelow, fitsAny } from '../patterns.ts';
import type { Settings } from '../settings/settings.ts';
import { mayMean, means, type Resource, resourcesOf } from '../uri-patterns.ts';
import type { Crew } from '../workers/crew.ts';
import type { Use } from './uses.ts';

/** The rules that hold now. A reload replaces them, also for the sessions that are open. */
export interface Access {
  /** Nothing is refused where there are none. */
  rules: Rules | undefined;
  /** All names that the server of an upstream has in the settings of now; only its own, if absent. */
  namesOf?: ((upstream: string) => readonly string[]) | undefined;
  /** Where people consent; absent where there is no store. */
  readonly consents: Consents | undefined;
  /** Is there one caller alone, who has started this process? */
  readonly isForOne?: boolean | undefined;
  /** Other workers behind the same port, who have to know whose tasks are whose; absent where this process is alone. */
  readonly crew?: Pick<Crew, 'tell' | 'hear'> | undefined;
}

/** Everybody may use everything. */
export const NO_RULES: Access = { rules: undefined, consents: undefined };

/** Where people consent, and where it is written down. */
export interface Consents {
  readonly approvals: Approvals;
  readonly audit: Audit;
}

/** Who asks, what of, and in which dialect. */
export type Asking = Pick<WireCall, 'by' | 'headers' | 'upstream'>;

/** All rules. */
export interface Rules {
  /** What becomes of a caller's use of something, by the name that its upstream has for it. The strictest of all readings of a URI. */
  verdict(by: Caller, upstream: string, used: Pick<Use, 'type' | 'name'>): Verdict;
  /** Is there anything of an upstream that this caller may use, or may yet ask consent for? */
  mayUseAny(by: Caller, upstream: string): boolean;
  /** May this caller use anything that such a pattern of `upstream/name` fits, whether there is such a thing or not? */
  mayUseLike(by: Caller, pattern: string): boolean;
  /** Is this caller told the same of what is denied and of what does not exist? */
  isOpaqueFor(call: Asking): boolean;
}

/** May it be used? */
export type Verdict =
  | {
      readonly isAllowed: true;
      /** A person has to consent to it, as this rule says. */
      readonly consent?: Consent | undefined;
    }
  | {
      readonly isAllowed: false;
      /** The scopes that would allow it; empty where nothing does. */
      readonly missing: readonly string[];
      /**
       * All that a token needs for it, those that the caller has included: what every token needs, and what it has for
       * other rules too. Whoever asks for less would lose the rest.
       */
      readonly needed: readonly string[];
    };

/** A rule that asks for consent. */
export interface Consent {
  readonly ttlMs: number;
  /** Tells rules apart: another rule, another consent. */
  readonly rule: string;
}

type RuleSettings = Settings['access']['rules'][number];

interface Rule {
  readonly patterns: readonly string[];
  readonly names: Fits;
  /** Is it surely about this resource? */
  readonly means: (resource: Resource) => boolean;
  /** Could it be about it? */
  readonly mayMean: (resource: Resource) => boolean;
  readonly callers: Fits | undefined;
  readonly tenants: Fits | undefined;
  readonly verdict: (by: Caller) => Verdict;
}

const DEFAULT_TTL_MS = 3_600_000;
const ALLOWED: Verdict = { isAllowed: true };
const DENIED: Verdict = { isAllowed: false, missing: [], needed: [] };

/** The rules that the settings have; `undefined` where nothing is ever refused or hidden by them. */
export function createRules(
  { access, oauth }: Pick<Settings, 'access' | 'oauth'>,
  hasOneRefusal: (call: Asking) => boolean,
): Rules | undefined {
  const { rules, default: otherwise, refusals } = access;
  const isOpaque = refusals === 'opaque';
  if (rules.length === 0 && otherwise === 'allow' && !isOpaque) return undefined;
  const ruled = new Set(rules.flatMap(({ scopes = [] }) => scopes));
  const neededFor: NeededFor = (scopes, by) => [
    ...new Set([...oauth.scopes, ...scopes, ...(by.scopes ?? []).filter((scope) => ruled.has(scope))]),
  ];
  const all = rules.map((rule) => ruleOf(rule, neededFor));
  const last = otherwise === 'allow' ? ALLOWED : DENIED;
  return {
    verdict(by, upstream, { type, name }) {
      const heeded = all.filter((rule) => isFor(rule, by));
      if (type !== 'resource')
        return heeded.find(({ names }) => names(`${upstream}/${name}`))?.verdict(by) ?? last;
      return strictest(resourcesOf(upstream, name).map((resource) => verdictOn(resource, heeded, by, last)));
    },
    mayUseAny(by, upstream) {
      const below = `${upstream}/`;
      for (const rule of all) {
        if (!isFor(rule, by)) continue;
        const { isAllowed } = rule.verdict(by);
        if (isAllowed && rule.patterns.some((pattern) => canFitBelow(pattern, below))) return true;
        if (!isAllowed && rule.patterns.some((pattern) => fitsAllBelow(pattern, below))) return false;
      }
      return otherwise === 'allow';
    },
    mayUseLike(by, pattern) {
      for (const rule of all) {
        if (!isFor(rule, by)) continue;
        const { isAllowed } = rule.verdict(by);
        if (isAllowed && rule.patterns.some((one) => canMeet(one, pattern))) return true;
        // No pattern has a star that means itself: one that fits another as it is written fits all that the other fits.
        if (!isAllowed && fitsAny(rule.patterns)(pattern)) return false;
      }
      return otherwise === 'allow';
    },
    isOpaqueFor: (call) => isOpaque || hasOneRefusal(call),
  };
}

/**
 * The first rule that is surely about a resource decides. One before it that only could be about it lets nothing through
 * that would not go through without it, and holds it back as if it were.
 */
function verdictOn(resource: Resource, rules: readonly Rule[], by: Caller, otherwise: Verdict): Verdict {
  const held: Verdict[] = [];
  for (const rule of rules) {
    const verdict = rule.verdict(by);
    if (rule.means(resource)) return strictest([...held, verdict]);
    if (strictness(verdict) > 0 && rule.mayMean(resource)) held.push(verdict);
  }
  return strictest([...held, otherwise]);
}

/** Of several verdicts on the same thing, the one that lets the least through. */
function strictest(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((one, other) => (strictness(other) > strictness(one) ? other : one));
}

/** What nothing allows comes before what lacks scopes: it is not told of scopes that would not help. */
function strictness(verdict: Verdict): number {
  if (verdict.isAllowed) return verdict.consent === undefined ? 0 : 1;
  return verdict.missing.length > 0 ? 2 : 3;
}

/** Who has no key is none of any callers, and who has no tenant of no tenants. */
function isFor({ callers, tenants }: Rule, { isKnown, name, tenant }: Caller): boolean {
  if (callers !== undefined && !(isKnown && name !== undefined && callers(name))) return false;
  return tenants === undefined || (tenant !== undefined && tenants(tenant));
}

/** All that a token of this caller needs where a rule asks for these scopes. */
type NeededFor = (scopes: readonly string[], by: Caller) => readonly string[];

function ruleOf(settings: RuleSettings, neededFor: NeededFor): Rule {
  const { deny, allow, approve, callers, tenants, scopes = [], ttlMs = DEFAULT_TTL_MS } = settings;
  const passed: Verdict =
    approve === undefined
      ? ALLOWED
      : {
          isAllowed: true,
          consent: { ttlMs, rule: JSON.stringify({ approve, callers, tenants, scopes, ttlMs }) },
        };
  const patterns = deny ?? allow ?? approve ?? [];
  const could = mayMean(patterns);
  return {
    patterns,
    names: fitsAny(patterns),
    // Whoever denies escapes or dots means nothing else.
    means: deny === undefined ? means(patterns) : (resource) => could(resource.meant()),
    mayMean: (resource) => could(resource.meant()),
    callers: callers && fitsAny(callers),
    tenants: tenants && fitsAny(tenants),
    verdict(by) {
      if (deny !== undefined) return DENIED;
      const missing = scopes.filter((scope) => by.scopes?.includes(scope) !== true);
      return missing.length === 0 ? passed : { isAllowed: false, missing, needed: neededFor(scopes, by) };
    },
  };
}
