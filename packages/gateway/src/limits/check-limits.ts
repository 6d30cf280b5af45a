/** What one setting of a limit means for another. */
import type { Report } from '../settings/problems.ts';
import type { Settings } from '../settings/settings.ts';

/** Limits that would let nothing through, or count nothing. */
export function checkLimits({ rates, concurrency }: Settings['limits'], report: Report): void {
  for (const [i, { calls, costs, tools }] of rates.entries()) {
    const path = ['limits', 'rates', i];
    expectSome(tools, [...path, 'tools'], report);
    for (const [pattern, cost] of Object.entries(costs ?? {}))
      if (cost > calls)
        report([...path, 'costs', pattern], `More than calls, which is ${calls}: it would never fit`);
  }
  for (const [i, { tools }] of concurrency.entries())
    expectSome(tools, ['limits', 'concurrency', i, 'tools'], report);
}

function expectSome(
  tools: readonly string[] | undefined,
  path: readonly (string | number)[],
  report: Report,
): void {
  if (tools?.length === 0) report(path, 'Nothing fits an empty list; leave it out to count everything');
}
