/** All workers behind one port, told of as one gateway, whichever of them is asked. */
import type { FaultEntry } from '../faults/fault-log.ts';
import type { About } from '../http/about.ts';
import type { GatewayStatus } from '../status.ts';
import type { Crew } from './crew.ts';
import { mergeMetrics } from './merge-metrics.ts';
import { mergeStatus } from './merge-status.ts';
import { askOthers } from './questions.ts';

/** What this worker and the others tell, together. Whether calls can be taken is told of the one that is asked. */
export function aboutAll(own: About, crew: Crew): About {
  return {
    health: own.health,
    async status() {
      const [mine, others] = await Promise.all([own.status(), askOthers<GatewayStatus>(crew, 'status')]);
      const said = others.map((other) => other.said);
      return mergeStatus(mine, said, { workers: crew.living(), failedBefore: crew.failedBefore().count });
    },
    async metrics() {
      const [mine, others] = await Promise.all([own.metrics(), askOthers<string>(crew, 'metrics')]);
      const all = [{ worker: crew.worker, said: mine }, ...others];
      return mergeMetrics(all.sort((a, b) => a.worker - b.worker));
    },
    async faults(url, query) {
      const asked = url.includes('?') ? url.slice(url.indexOf('?')) : '';
      const others = await askOthers<readonly FaultEntry[]>(crew, 'faults', asked);
      const before = crew.failedBefore().entries.filter(query.fits);
      const all = [...(await own.faults(url, query)), ...others.flatMap(({ said }) => said), ...before];
      return all.sort(newestFirst).slice(0, query.limit);
    },
  };
}

/** Of the same moment in an order that is the same whoever is asked. */
function newestFirst(a: FaultEntry, b: FaultEntry): number {
  return b.at - a.at || (idOf(a) < idOf(b) ? -1 : 1);
}

function idOf({ fault }: FaultEntry): string {
  return String(fault['correlation_id']);
}
