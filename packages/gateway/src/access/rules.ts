/** Who may use what: the rules of the settings, ready to be asked. */

import type { Caller, WireCall } from '@mayday/relay';
import type { Approvals, Audit } from '@mayday/store';
import { canFitBelow, type Fits, fitsAllBelow, fitsAny } from '../patterns.ts';
import type { Settings } from '../settings/settings.ts';
import type { Crew } from '../workers/crew.ts';

/** The rules that hold now. A reload replaces them, also for the sessions that are open. */
export interface Access {
  /** Nothing is refused where there are none. */
  rules: Rules | undefined;
  /** Where people consent; absent where there is no store. */
  readonly consents: Consents | undefined;
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
  /** What becomes of a caller's use of something, by the name that its upstream has for it. */
  verdict(by: Caller, upstream: string, name: string): Verdict;
  /** Is there anything of an upstream that this caller may use, or may yet ask consent for? */
  mayUseAny(by: Caller, upstream: string): boolean;
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
      /** All that it needs, those that the caller has included. */
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
  readonly callers: Fits | undefined;
  readonly tenants: Fits | undefined;
  readonly verdict: (by: Caller) => Verdict;
}

const DEFAULT_TTL_MS = 3_600_000;
const ALLOWED: Verdict = { isAllowed: true };
const DENIED: Verdict = { isAllowed: false, missing: [], needed: [] };

/** The rules that the settings have; `undefined` where nothing is ever refused or hidden by them. */
export function createRules(
  { access }: Pick<Settings, 'access'>,
  hasOneRefusal: (call: Asking) => boolean,
): Rules | undefined {
  const { rules, default: otherwise, refusals } = access;
  const isOpaque = refusals === 'opaque';
  if (rules.length === 0 && otherwise === 'allow' && !isOpaque) return undefined;
  const all = rules.map(ruleOf);
  return {
    verdict(by, upstream, name) {
      const whole = `${upstream}/${name}`;
      const rule = all.find((one) => isFor(one, by) && one.names(whole));
      return rule?.verdict(by) ?? (otherwise === 'allow' ? ALLOWED : DENIED);
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
    isOpaqueFor: (call) => isOpaque || hasOneRefusal(call),
  };
}

/** Who has no key is none of any callers, and who has no tenant of no tenants. */
function isFor({ callers, tenants }: Rule, { isKnown, name, tenant }: Caller): boolean {
  if (callers !== undefined && !(isKnown && name !== undefined && callers(name))) return false;
  return tenants === undefined || (tenant !== undefined && tenants(tenant));
}

function ruleOf(settings: RuleSettings): Rule {
  const { deny, allow, approve, callers, tenants, scopes = [], ttlMs = DEFAULT_TTL_MS } = settings;
  const passed: Verdict =
    approve === undefined
      ? ALLOWED
      : {
          isAllowed: true,
          consent: { ttlMs, rule: JSON.stringify({ approve, callers, tenants, scopes, ttlMs }) },
        };
  const patterns = deny ?? allow ?? approve ?? [];
  return {
    patterns,
    names: fitsAny(patterns),
    callers: callers && fitsAny(callers),
    tenants: tenants && fitsAny(tenants),
    verdict(by) {
      if (deny !== undefined) return DENIED;
      const missing = scopes.filter((scope) => by.scopes?.includes(scope) !== true);
      return missing.length === 0 ? passed : { isAllowed: false, missing, needed: scopes };
    },
  };
}
