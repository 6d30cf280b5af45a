/** Which failures are one group, where the operator knows better than their words tell. */
import type { Fault } from '@mayday/core';
import { type Fits, fitsAny } from '../patterns.ts';
import type { Settings } from '../settings/settings.ts';

/** Looked at from top to bottom, the first that fits decides. */
export type GroupRules = Settings['faults']['groups'];

/** One of them. */
export type GroupRule = GroupRules[number];

/** What a rule looks at. */
interface Looked {
  readonly upstream: string;
  readonly target?: string | null | undefined;
}

type RuleFits = (fault: Fault, of: Looked) => boolean;

/** Rules stay the same from one failure to the next. */
const compiled = new WeakMap<GroupRule, RuleFits>();

/** The rule that a failure belongs to. */
export function ruleFor(fault: Fault, of: Looked, rules: GroupRules): GroupRule | undefined {
  return rules.find((rule) => {
    const fits = compiled.get(rule) ?? fitsOf(rule);
    compiled.set(rule, fits);
    return fits(fault, of);
  });
}

function fitsOf({ messages, kinds, upstreams, targets }: GroupRule): RuleFits {
  const any: Fits = () => true;
  const [message, upstream, target] = [messages, upstreams, targets].map((patterns) =>
    patterns === undefined ? any : fitsAny(patterns),
  ) as [Fits, Fits, Fits];
  return (fault, of) =>
    (kinds?.includes(fault.kind) ?? true) &&
    upstream(of.upstream) &&
    target(of.target ?? '') &&
    message(fault.message);
}
