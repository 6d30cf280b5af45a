/** Rules that cannot be meant as they are written. */

import { canFitBelow, fitsAny } from '../patterns.ts';
import type { Path, Report } from './problems.ts';
import type { KeySettings, Settings } from './settings.ts';
import { hintFor } from './shape-checks.ts';

type Rule = Settings['access']['rules'][number];

const ACTIONS = ['deny', 'allow', 'approve'] as const;

/** Rules that say too much or too little, and those that nobody could ever meet. */
export function checkRules({ access: { rules }, store }: Settings, report: Report): void {
  for (const [i, rule] of rules.entries()) {
    const path = ['access', 'rules', i];
    const said = ACTIONS.filter((action) => rule[action] !== undefined);
    if (said.length !== 1) {
      const found = said.length === 0 ? 'none of them is here' : `here are ${said.join(' and ')}`;
      report(path, `A rule has one of deny, allow and approve; ${found}`);
      continue;
    }
    for (const name of [...said, 'callers', 'tenants'] as const)
      if (rule[name]?.length === 0) report([...path, name], 'Expected at least one pattern');
    if (rule.deny !== undefined && rule.scopes !== undefined)
      report(
        [...path, 'scopes'],
        'A rule with deny refuses whatever the scopes are; write allow, or leave them out',
      );
    if (rule.approve === undefined && rule.ttlMs !== undefined)
      report([...path, 'ttl_ms'], 'Only a rule with approve has a time; leave it out');
    if (rule.approve !== undefined && store.url === undefined)
      report([...path, 'approve'], 'Nobody could consent without a store; add `store: file:./mayday.db`');
  }
}

/** Rules that do less, or more, than their author may think. */
export function weighRules(settings: Settings, warn: Report): void {
  const { access, store, oauth } = settings;
  const { rules } = access;
  if (access.default === 'deny' && rules.every(({ deny }) => deny !== undefined))
    warn(['access', 'default'], 'Nobody may use anything: there is no rule with allow or approve');
  else if (isShut(settings))
    warn(['access', 'rules'], 'Nobody may use anything: all of it is denied to everybody');
  for (const [i, rule] of rules.entries()) {
    const path = ['access', 'rules', i];
    for (const action of ACTIONS) weighPatterns(rule[action], [...path, action], settings, warn);
    for (const action of ACTIONS) weighPlace(rule[action], [...path, action], rules.slice(0, i), warn);
    if (store.url === undefined && oauth.issuers.length === 0) weighPeople(rule, path, settings, warn);
    if (rule.approve !== undefined && /^memory:/i.test(store.url ?? ''))
      warn(
        [...path, 'approve'],
        'A store in memory is known to this process alone; `mayday approvals` cannot reach it',
      );
  }
}

/** Is everything denied before anything is allowed? */
function isShut({ access: { rules }, upstreams }: Settings): boolean {
  const open = rules.findIndex(({ deny }) => deny === undefined);
  const first = rules.slice(0, open < 0 ? rules.length : open).filter(isForEverybody);
  const isDenied = fitsAny(first.flatMap(({ deny = [] }) => deny));
  return [...upstreams.keys()].every((name) => isDenied(`${name}/*`));
}

function isForEverybody({ callers, tenants }: Rule): boolean {
  return callers === undefined && tenants === undefined;
}

/**
 * The first rule that fits decides alone. A pattern fits all that another one does if it fits that pattern itself; what is
 * about hosts is left out, whose parts are looked at one by one.
 */
function weighPlace(
  patterns: readonly string[] | undefined,
  path: Path,
  above: readonly Rule[],
  warn: Report,
): void {
  for (const [i, pattern] of (patterns ?? []).entries()) {
    const decides = above.findIndex(
      (rule) => isForEverybody(rule) && ACTIONS.some((action) => decidesAll(rule[action] ?? [], pattern)),
    );
    if (decides >= 0) warn([...path, i], `It is never reached: access.rules.${decides} decides all of it`);
  }
}

function decidesAll(patterns: readonly string[], pattern: string): boolean {
  return fitsAny(patterns.filter((one) => one === pattern || !one.includes('://')))(pattern);
}

/** A pattern that fits nothing protects nothing, and nobody would notice. */
function weighPatterns(
  patterns: readonly string[] | undefined,
  path: Path,
  { upstreams }: Settings,
  warn: Report,
): void {
  const known = [...upstreams.keys()];
  for (const [i, pattern] of (patterns ?? []).entries()) {
    const hint = whyNothing(pattern, known);
    if (hint !== undefined) warn([...path, i], `It fits nothing; ${hint}`);
  }
}

function whyNothing(pattern: string, known: readonly string[]): string | undefined {
  if (known.some((name) => canFitBelow(pattern, `${name}/`))) return undefined;
  return hintFor(pattern, known);
}

/** Limits whose patterns fit nothing limit nothing. */
export function weighLimits(settings: Settings, warn: Report): void {
  const { rates, concurrency } = settings.limits;
  const known = [...settings.upstreams.keys()];
  for (const [i, { tools, costs }] of rates.entries()) {
    weighPatterns(tools, ['limits', 'rates', i, 'tools'], settings, warn);
    for (const pattern of Object.keys(costs)) {
      const hint = whyNothing(pattern, known);
      if (hint !== undefined) warn(['limits', 'rates', i, 'costs', pattern], `It fits nothing; ${hint}`);
    }
  }
  for (const [i, { tools }] of concurrency.entries())
    weighPatterns(tools, ['limits', 'concurrency', i, 'tools'], settings, warn);
}

/** All callers are known where there is no store, and nobody else makes them. */
function weighPeople({ callers, tenants, scopes }: Rule, path: Path, { keys }: Settings, warn: Report): void {
  const named = keys.filter(({ name }) => callers === undefined || fitsAny(callers)(name));
  const ofTenant = ({ tenant }: KeySettings): boolean =>
    tenants === undefined || (tenant !== undefined && fitsAny(tenants)(tenant));
  const isNamed = callers === undefined || named.length > 0;
  const isOfSome = tenants === undefined || keys.some(ofTenant);
  if (!isNamed) warn([...path, 'callers'], 'No key has such a name; the rule fits nobody');
  if (!isOfSome) warn([...path, 'tenants'], 'No key is of such a tenant; the rule fits nobody');
  const mayPass = (key: KeySettings): boolean =>
    ofTenant(key) && scopes?.every((scope) => key.scopes.includes(scope)) === true;
  if (isNamed && isOfSome && scopes !== undefined && scopes.length > 0 && !named.some(mayPass))
    warn([...path, 'scopes'], 'No key that the rule fits has all of these scopes; it lets nobody pass');
}

/** A key that lets its caller in, and to nothing. Operators need no upstream. */
export function weighKeys({ keys }: Settings, warn: Report): void {
  for (const [i, { role, upstreams }] of keys.entries())
    if (role === 'caller' && upstreams?.length === 0)
      warn(['keys', i, 'upstreams'], 'This key may use nothing; name its upstreams, or leave this out');
}
