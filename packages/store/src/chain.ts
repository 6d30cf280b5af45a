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
    const { seq, at: _a, actor: _b, action: _c, target: _d, details: _e, ...unsaid } = said;
    const isKnown = this.#known?.seq !== expected || this.#known.hash === hash;
    const isWhole = seq === expected && hashOf(this.#hash, said) === hash;
    // What the hash does not vouch for was added by somebody else.
    if (!isWhole || !isKnown || Object.keys(unsaid).length > 0) this.#broken = expected;
    this.#seq = expected;
    this.#hash = hash;
    return this.#broken === undefined;
  }

  /** `written` is how many rows there were ever, as far as that is known beside them. */
  verdict(written = 0): Verdict {
    if (this.#broken !== undefined) return { ok: false, brokenAt: this.#broken };
    if (Math.max(written, this.#known?.seq ?? 0) > this.#seq) return { ok: false, brokenAt: this.#seq + 1 };
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
