/** What the gateway says about itself. */
import type { Trouble } from './call/health.ts';
import type { FaultLog } from './faults/fault-log.ts';
import type { MadeEndpoint } from './made-endpoints.ts';
import type { Settings, UpstreamSettings } from './settings/settings.ts';
import type { Setup } from './setup.ts';
import type { StoreHealth } from './state/state.ts';
import type { TelemetryStatus } from './telemetry/hooks.ts';
import type { Upstream } from './upstreams/upstream.ts';
import type { LivingWorker } from './workers/messages.ts';

/** The state of the gateway, for operators and the console. */
export interface GatewayStatus extends TelemetryStatus {
  readonly started_at: string;
  readonly faults: number;
  readonly upstreams: readonly {
    readonly name: string;
    readonly type: string;
    readonly endpoint: string;
    /** Sessions that are open at this endpoint. A server behind a URL keeps its own. */
    readonly sessions?: number | undefined;
    /** As many there may be; absent of a server behind a URL. */
    readonly max_sessions?: number | undefined;
    /** Its processes that run, those for `/mcp` and for callers without a session included. */
    readonly processes?: number | undefined;
    /** Of an API: how many operations of its document are tools, and why the others are none. */
    readonly operations?: { readonly tools: number; readonly left_out: readonly string[] } | undefined;
    /** `open`: calls are held back because it does not answer, everybody's or those of some caller or session. */
    readonly circuit: string;
    /** Tools that are held back now because they keep failing, for some caller at least, while the rest works. */
    readonly troubled: readonly string[];
    /** Why it does not work, as far as its last call tells. */
    readonly trouble?: { readonly kind: string; readonly message: string; readonly since: string };
  }[];
  /** All of them together, where they are served so. */
  readonly joined?: { readonly endpoint: string; readonly sessions: number } | undefined;
  /** Servers that are made of tools of upstreams, where there are any. */
  readonly virtual?:
    | readonly {
        readonly name: string;
        readonly endpoint: string;
        readonly sessions: number;
        readonly upstreams: readonly string[];
      }[]
    | undefined;
  /** What is too much, as the settings have it. How full a counter is, whoever is counted is told with each answer. */
  readonly limits: LimitsStatus;
  /** Where state is kept, if not in memory, and whether it can be reached and written to. */
  readonly store?: StoreHealth | undefined;
  /** The workers behind one port that take calls, where there are several. All else is told of them together. */
  readonly workers?: readonly LivingWorker[] | undefined;
}

/** What is too much. */
interface LimitsStatus {
  /** The largest request, the largest answer, and what one caller may hold of both. */
  readonly body_bytes: number;
  readonly message_bytes: number;
  readonly caller_bytes: number;
  /** Of one upstream that is a process, and of one caller at one upstream. */
  readonly sessions: { readonly max: number; readonly per_caller: number };
  readonly rates: readonly RateStatus[];
  readonly concurrency: readonly PlacesStatus[];
}

interface PlacesStatus {
  readonly calls: number;
  /** What is counted apart; all calls together if empty. */
  readonly by: readonly string[];
  /** What it is for; everything if absent. */
  readonly tools?: readonly string[] | undefined;
}

interface RateStatus extends PlacesStatus {
  readonly per_ms: number;
  readonly algorithm: string;
  readonly costs?: { readonly [pattern: string]: number } | undefined;
}

/** What is told of it beside its upstreams. */
interface Told {
  /** As the file has them: one of several workers has its part. */
  readonly settings: Settings;
  readonly faults: Pick<FaultLog, 'total'>;
  readonly startedAt: number;
  readonly store: StoreHealth | undefined;
}

/** Describes the gateway. */
export function statusOf(
  { upstreams, joined, virtual }: Pick<Setup, 'upstreams' | 'joined' | 'virtual'>,
  { settings, faults, startedAt, store }: Told,
): GatewayStatus {
  return {
    started_at: new Date(startedAt).toISOString(),
    faults: faults.total,
    upstreams: upstreamsOf(upstreams, settings),
    joined: joined && { endpoint: '/mcp', sessions: joined.sessions },
    virtual: virtual.size === 0 ? undefined : [...virtual].map(virtualOf),
    limits: limitsOf(settings),
    store,
  };
}

function limitsOf({ limits, sessions }: Settings): LimitsStatus {
  return {
    body_bytes: limits.bodyBytes,
    message_bytes: limits.messageBytes,
    caller_bytes: limits.callerBytes,
    sessions: { max: sessions.max, per_caller: sessions.perCaller },
    rates: limits.rates.map(({ calls, perMs, by, tools, algorithm, costs }) => ({
      calls,
      per_ms: perMs,
      by,
      tools,
      algorithm,
      costs: Object.keys(costs).length === 0 ? undefined : costs,
    })),
    concurrency: limits.concurrency.map(({ calls, by, tools }) => ({ calls, by, tools })),
  };
}

/** Describes its upstreams. */
export function upstreamsOf(
  upstreams: Setup['upstreams'],
  { upstreams: whole }: Pick<Settings, 'upstreams'>,
): GatewayStatus['upstreams'] {
  return [...upstreams.values()].map((upstream) => upstreamOf(upstream, whole.get(upstream.name)));
}

function upstreamOf(
  upstream: Upstream,
  whole: UpstreamSettings | undefined,
): GatewayStatus['upstreams'][number] {
  const { name, settings, endpoint, circuits, health, processes, api } = upstream;
  const { tools, skipped = [] } = api?.operations ?? {};
  return {
    name,
    type: settings.type,
    endpoint: `/${name}/mcp`,
    sessions: endpoint.sessions,
    max_sessions: settings.type === 'url' ? undefined : whole?.sessions.max,
    processes: settings.type === 'command' ? processes.count : undefined,
    operations: tools === undefined ? undefined : { tools, left_out: skipped },
    circuit: circuits.stateOf(),
    troubled: circuits.troubled,
    ...troubleOf(health.trouble),
  };
}

function virtualOf([name, { endpoint, members }]: [string, MadeEndpoint]): Virtual {
  return { name, endpoint: `/${name}/mcp`, sessions: endpoint.sessions, upstreams: [...members.keys()] };
}

type Virtual = NonNullable<GatewayStatus['virtual']>[number];

function troubleOf(trouble: Trouble | undefined): Pick<GatewayStatus['upstreams'][number], 'trouble'> {
  if (trouble === undefined) return {};
  return { trouble: { ...trouble, since: new Date(trouble.since).toISOString() } };
}
