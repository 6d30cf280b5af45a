/** What the gateway says about itself. */
import type { Trouble } from './call/health.ts';
import type { FaultLog } from './faults/fault-log.ts';
import type { Upstream } from './upstreams/upstream.ts';

/** The state of the gateway, for operators and the console. */
export interface GatewayStatus {
  readonly started_at: string;
  readonly faults: number;
  readonly upstreams: readonly {
    readonly name: string;
    readonly type: string;
    readonly endpoint: string;
    /** `open`: calls are held back because it does not answer. */
    readonly circuit: string;
    /** Tools that are held back because they keep failing, while the rest works. */
    readonly troubled: readonly string[];
    /** Why it does not work, as far as its last call tells. */
    readonly trouble?: { readonly kind: string; readonly message: string; readonly since: string };
  }[];
}

/** Describes the gateway. */
export function statusOf(upstreams: readonly Upstream[], faults: FaultLog, startedAt: number): GatewayStatus {
  return {
    started_at: new Date(startedAt).toISOString(),
    faults: faults.total,
    upstreams: upstreams.map(({ name, settings, circuits, health }) => ({
      name,
      type: settings.type,
      endpoint: `/${name}/mcp`,
      circuit: circuits.stateOf(),
      troubled: circuits.troubled,
      ...troubleOf(health.trouble),
    })),
  };
}

function troubleOf(trouble: Trouble | undefined): Pick<GatewayStatus['upstreams'][number], 'trouble'> {
  if (trouble === undefined) return {};
  return { trouble: { ...trouble, since: new Date(trouble.since).toISOString() } };
}
