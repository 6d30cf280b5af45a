/** The chain of the audit log: each row vouches for all before it. */
import { createHash } from 'node:crypto';
import type { AuditRow, Deed, Verdict } from './ports.ts';
import { packed } from './text.ts';

/** What the first row stands on. */
export const ORIGIN: string = '0'.repeat(64);

/** A row behind the one with this hash. */
export function link(before: Pick<AuditRow, 'seq' | 'hash'>, deed: Deed, at: number): AuditRow {
  const { actor, action, target, details } = deed;
  const said = { seq: before.seq + 1, at, actor, action, target, details: plain(details) };
  return { ...said, hash: hashOf(before.hash, said) };
}

/** Judges rows in their order, as many at a time as there are. */
export class Verifier {
  #seq = 0;
  #hash = ORIGIN;
  #broken: number | undefined;
  readonly #known: Pick<AuditRow, 'seq' | 'hash'> | undefined;

  constructor(known: Pick<AuditRow, 'seq' | 'hash'> | undefined) {
    this.#known = known;
  }

  /** `false` when it makes no sense to go on. */
  takes(row: AuditRow): boolean {
    const expected = this.#seq + 1;
    const { hash, ...said } = row;
    const isKnown = this.#known?.seq !== expected || this.#known.hash === hash;
    if (row.seq !== expected || hashOf(this.#hash, said) !== hash || !isKnown) this.#broken = expected;
    this.#seq = expected;
    this.#hash = hash;
    return this.#broken === undefined;
  }

  verdict(): Verdict {
    if (this.#broken !== undefined) return { ok: false, brokenAt: this.#broken };
    if (this.#known !== undefined && this.#known.seq > this.#seq)
      return { ok: false, brokenAt: this.#seq + 1 };
    return { ok: true, rows: this.#seq, head: this.#hash };
  }
}

function hashOf(before: string, { seq, at, actor, action, target, details }: Omit<AuditRow, 'hash'>): string {
  const said = packed([before, seq, at, actor, action, target ?? null, details ?? null]);
  return createHash('sha256').update(said).digest('hex');
}

/** As it will be read back, so that it hashes alike. */
function plain(details: unknown): unknown {
  return details === undefined ? undefined : JSON.parse(packed(details));
}
