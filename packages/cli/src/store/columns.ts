/** Rows for people. */
import { harmless } from '../style.ts';

/** Lines of columns as wide as their widest text; what was stored may hold anything, and moves no cursor. */
export function columns(rows: readonly (readonly string[])[]): string {
  const texts = rows.map((row) => row.map((text) => harmless(text)));
  const widths = (texts[0] ?? []).map((_, i) => Math.max(...texts.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((text, i) => (i === row.length - 1 ? text : text.padEnd(widths[i] ?? 0))).join('  ');
  return texts.map((row) => `${line(row).trimEnd()}\n`).join('');
}
