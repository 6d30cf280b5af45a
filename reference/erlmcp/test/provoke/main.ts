/**
 * `npm run reference:erlmcp-table`: provokes every documented error on a running server and writes what came
 * back into the README. With `--check` it writes nothing and fails when the README says otherwise.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { CASES } from './cases.ts';
import type { Said } from './raw-client.ts';
import { createRig } from './rig.ts';

const README = new URL('../../README.md', import.meta.url);
const HEADINGS = ['code', 'how to provoke it', 'message', '`data`'];
const MARKS = /(<!-- table -->\n)[\s\S]*(<!-- \/table -->)/;

/** The table, from a run of all cases, one after the other. */
export async function provokeAll(): Promise<readonly { readonly how: string; readonly said: Said }[]> {
  const rig = await createRig();
  try {
    const rows: { how: string; said: Said }[] = [];
    for (const { how, run } of CASES) rows.push({ how, said: await run(rig) });
    return rows;
  } finally {
    await rig.close();
  }
}

/** The README with the table that these rows make. */
export function withTable(readme: string, rows: Awaited<ReturnType<typeof provokeAll>>): string {
  const cells = rows.map(({ how, said: { error } }) => [
    String(error?.code),
    how,
    error?.message ?? '',
    shown(error?.data),
  ]);
  const table = [HEADINGS, HEADINGS.map(() => '-'), ...cells];
  const widths = HEADINGS.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => `| ${row.map((cell, at) => pad(cell, widths[at] ?? 0)).join(' | ')} |`);
  return readme.replace(
    MARKS,
    (_, open: string, close: string) => `${open}\n${lines.join('\n')}\n\n${close}`,
  );
}

/** A cell as wide as its column, as the formatter wants it; rules are made of dashes. */
function pad(cell: string, width: number): string {
  return cell.padEnd(width, cell === '-' ? '-' : ' ');
}

/** `data`, with what differs from run to run left out. */
function shown(data: unknown): string {
  if (data === undefined) return '';
  const json = JSON.stringify(data)
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '…')
    .replace(/page-[\w-]+/g, '…')
    .replace(/("(?:expired_at|elapsed_ms|retry_after)":)\d+/g, '$1…');
  return `\`${json}\``;
}

if (import.meta.main) {
  const readme = readFileSync(README, 'utf8');
  const fresh = withTable(readme, await provokeAll());
  if (!process.argv.includes('--check')) writeFileSync(README, fresh);
  else if (fresh !== readme) {
    process.stderr.write('The table in the README is out of date: npm run reference:erlmcp-table\n');
    process.exitCode = 1;
  }
}
