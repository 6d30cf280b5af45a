/** How long was waited, and by which setting, as people and programs are told it. */

/** What has ended a wait. */
export interface Limit {
  /** As it is called where it is set. */
  readonly setting: string;
  readonly ms: number;
}

/** ``2 s (`max_time_ms`)``: whoever gives more time has to know by which setting. */
export function spelt({ setting, ms }: Limit): string {
  return `${spanOf(ms)} (\`${setting}\`)`;
}

/** The same for programs. */
export function limitDetails({ setting, ms }: Limit): {
  readonly timeout_ms: number;
  readonly setting: string;
} {
  return { timeout_ms: ms, setting };
}

/** A span of time as people say it: `400 ms`, `2.5 s`. */
function spanOf(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}
