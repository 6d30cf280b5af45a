/** What the admin API answers, as far as the console shows it. `openapi.json` there has all of it. */

/** A failure of the journal. */
export interface FaultDocument {
  readonly id: string;
  readonly at: string;
  readonly fingerprint?: string | undefined;
  readonly kind: string;
  readonly origin: string;
  readonly upstream?: string | undefined;
  readonly message: string;
  readonly details?: FaultDetails | undefined;
}

/** Which call it was, and what became of it. */
interface FaultDetails {
  readonly method?: string;
  readonly target?: string | null;
  readonly caller?: string | null;
  readonly from?: string | null;
  readonly to?: string;
  readonly certainty?: number;
  readonly attempts?: number;
  readonly durationMs?: number;
  readonly executed?: string;
  readonly correlation_id?: string | null;
  readonly rule?: string;
}

/** A failure that the gateway still has in memory: `/-/faults`. */
export interface FaultMemory {
  readonly at: number;
  readonly upstream: string;
  readonly method: string;
  readonly target: string | null;
  readonly caller: string | null;
  readonly from: string | null;
  readonly to: string;
  readonly certainty: number;
  readonly attempts: number;
  readonly durationMs: number;
  readonly original: string;
  readonly fault: {
    readonly kind: string;
    readonly origin: string;
    readonly message: string;
    readonly executed: string;
    readonly reaction?: string;
    readonly advice?: string;
    readonly correlation_id?: string;
    readonly [member: string]: unknown;
  };
}

/** Failures that say the same. */
export interface GroupDocument {
  readonly fingerprint: string;
  readonly kind: string;
  readonly origin: string;
  readonly upstream?: string | undefined;
  readonly message: string;
  readonly count: number;
  readonly first_seen: string;
  readonly last_seen: string;
}

/** One group, with its counts by the minute. */
export interface GroupDetails extends GroupDocument {
  readonly counts: readonly Count[];
  readonly faults: readonly FaultDocument[];
}

/** How many in one minute. */
export interface Count {
  readonly at: string;
  readonly count: number;
}

/** A call that waits for consent. */
export interface ApprovalDocument {
  readonly id: string;
  readonly caller: string | null;
  readonly tool: string;
  readonly arguments: unknown;
  readonly asked_at: string;
  readonly expires_at: string;
}

/** A key, without its secret. */
export interface KeyDocument {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly upstreams: readonly string[] | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly state: string;
}

/** One server behind the gateway. */
export interface UpstreamStatus {
  readonly name: string;
  readonly type: string;
  readonly endpoint: string;
  readonly sessions?: number;
  readonly max_sessions?: number;
  readonly processes?: number;
  readonly operations?: { readonly tools: number; readonly left_out: readonly string[] };
  readonly circuit: string;
  readonly troubled: readonly string[];
  readonly trouble?: { readonly kind: string; readonly message: string; readonly since: string };
}

/** So many calls, counted together or apart. */
export interface CountedLimit {
  readonly calls: number;
  readonly by: readonly string[];
  readonly tools?: readonly string[] | undefined;
}

/** What is too much. */
export interface LimitsStatus {
  readonly body_bytes: number;
  readonly message_bytes: number;
  readonly caller_bytes: number;
  readonly sessions: { readonly max: number; readonly per_caller: number };
  readonly rates: readonly (CountedLimit & {
    readonly per_ms: number;
    readonly algorithm: string;
    readonly costs?: { readonly [pattern: string]: number } | undefined;
  })[];
  readonly concurrency: readonly CountedLimit[];
}

/** How the gateway is. */
export interface StatusDocument {
  readonly started_at: string;
  readonly faults: number;
  readonly upstreams: readonly UpstreamStatus[];
  readonly limits: LimitsStatus;
  readonly joined?: { readonly endpoint: string; readonly sessions: number };
  readonly virtual?: readonly {
    readonly name: string;
    readonly endpoint: string;
    readonly sessions: number;
    readonly upstreams: readonly string[];
  }[];
  readonly store?: {
    readonly engine: string;
    readonly ok: boolean;
    readonly problem?: string;
    readonly warnings?: readonly string[];
  };
  readonly error_budgets?: readonly { readonly [member: string]: unknown }[];
  readonly telemetry?: {
    readonly trouble?: { readonly message: string; readonly since: string };
    readonly exported?: { readonly traces: number; readonly metrics: number };
    readonly lost?: { readonly traces: number; readonly metrics: number };
  };
  readonly workers?: readonly {
    readonly worker: number;
    readonly pid: number;
    readonly started_at: string;
    readonly restarts: number;
  }[];
}
