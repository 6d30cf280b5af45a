/** A span of time as people say it: `400 ms`, `2.5 s`. */
export function spanOf(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : `${Math.round(ms / 100) / 10} s`;
}
