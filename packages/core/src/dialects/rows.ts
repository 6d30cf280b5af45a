/** Looking things up in a dialect's table of codes. */
import type { Fault } from '../fault.ts';
import type { CodeRow, DialectId, Evidence } from './dialect.ts';

/** A row, and what it is worth as evidence. */
export interface KnownCode<Row extends CodeRow = CodeRow> {
  readonly row: Row;
  readonly evidence: readonly Evidence[];
}

/** Rows by code, for readers. Evidence is made once for each row, not once for each reading. */
export function byCode<Row extends CodeRow>(
  dialect: DialectId,
  rows: readonly Row[],
): ReadonlyMap<number | string, KnownCode<Row>> {
  return new Map(
    rows.map((row) => [
      row.code,
      { row, evidence: [{ by: 'code', says: `${row.code} ${row.name}`, dialect, kind: row.kind }] },
    ]),
  );
}

/**
 * The row that says a fault best: what it said natively, else its kind and subject, else its kind alone.
 * A native code counts only while the fault still means what that code means.
 */
export function pickRow(rows: readonly CodeRow[], fault: Fault, dialect: string): CodeRow | undefined {
  const candidates = rows.filter((row) => row.kind === fault.kind);
  if (fault.native?.dialect === dialect) {
    const native = candidates.find((row) => row.code === fault.native?.code && fits(row, fault));
    if (native !== undefined) return native;
  }
  const written = candidates.filter((row) => row.written);
  return (
    written.find((row) => row.subject !== undefined && fits(row, fault)) ??
    written.find((row) => row.subject === undefined)
  );
}

function fits(row: CodeRow, fault: Fault): boolean {
  return row.subject === undefined || row.subject === fault.subject?.type;
}
