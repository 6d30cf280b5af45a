/** Rules about groups of failures that cannot be meant as they are written. */
import type { Report } from './problems.ts';
import type { Settings } from './settings.ts';

/** What a rule may look at. */
const CONDITIONS = ['messages', 'kinds', 'upstreams', 'targets'] as const;

/** Rules that all failures fit, or none. */
export function checkFaultGroups({ faults }: Settings, report: Report): void {
  for (const [i, rule] of faults.groups.entries()) {
    const path = ['faults', 'groups', i];
    if (CONDITIONS.every((name) => rule[name] === undefined))
      report(path, `It fits every failure; add one of ${CONDITIONS.join(', ')}`);
    for (const name of CONDITIONS)
      if (rule[name]?.length === 0) report([...path, name], 'Expected at least one');
  }
}
