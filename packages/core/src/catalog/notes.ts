/** What the documents of the dialects say of their codes, found by the table: whoever takes one over takes its notes along. */
import { closient } from '../dialects/closient/index.ts';
import { notes as ofClosient } from '../dialects/closient/notes.ts';
import type { CodeRow, Dialect } from '../dialects/dialect.ts';
import { erlmcp } from '../dialects/erlmcp/index.ts';
import { notes as ofErlmcp } from '../dialects/erlmcp/notes.ts';
import { mcp20251125, mcp20260728, mcpDraft } from '../dialects/mcp/index.ts';
import { notes as ofMcp } from '../dialects/mcp/notes.ts';
import type { Notes } from '../dialects/notes.ts';
import { onx } from '../dialects/onx/index.ts';
import { notes as ofOnx } from '../dialects/onx/notes.ts';
import { platica } from '../dialects/platica/index.ts';
import { notes as ofPlatica } from '../dialects/platica/notes.ts';
import { qaqnuz } from '../dialects/qaqnuz/index.ts';
import { notes as ofQaqnuz } from '../dialects/qaqnuz/notes.ts';

const NOTES: ReadonlyMap<readonly CodeRow[], Notes> = /* @__PURE__ */ new Map([
  [closient.codes, ofClosient],
  [onx.codes, ofOnx],
  [erlmcp.codes, ofErlmcp],
  [qaqnuz.codes, ofQaqnuz],
  [platica.codes, ofPlatica],
  [mcp20260728.codes, ofMcp],
  [mcp20251125.codes, ofMcp],
  [mcpDraft.codes, ofMcp],
]);

/** Every row of a dialect, with what its document says of it; what a row says itself counts. */
export function notedRows({ codes, alsoReads = [] }: Dialect): readonly CodeRow[] {
  const notes = NOTES.get(codes);
  const rows = [...codes, ...alsoReads];
  return notes === undefined ? rows : rows.map((row) => ({ ...notes(row), ...row }));
}
