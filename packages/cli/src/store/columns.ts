/** Rows for people. */
import { visible } from '../style.ts';

/** Lines of columns as wide as their widest text; what was stored may hold anything; it moves no cursor, and hides nothing. */
export function columns(rows: readonly (readonly string[])[]): string {
  const texts = rows.map((row) => row.map((text) => visible(text)));
  const widths = (texts[0] ?? []).map((_, i) => Math.max(...texts.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row.map((text, i) => (i === row.length - 1 ? text : text.padEnd(widths[i] ?? 0))).join('  ');
  return texts.map((row) => `${line(row).trimEnd()}\n`).join('');
}
