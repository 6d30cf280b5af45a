/** The specification itself, in two revisions and one draft. `mcp` is `mcp@2026-07-28`. */
import type { Dialect } from '../dialect.ts';
import { codes20251125, codes20260728, codesDraft } from './codes.ts';
import { readWith } from './read.ts';
import { recognise20251125, recognise20260728, recogniseDraft } from './recognise.ts';
import { writeWith } from './write.ts';

/** The current revision, under its short name. */
export const mcp: Dialect = {
  id: 'mcp',
  title: 'MCP specification',
  codes: codes20260728,
  recognise: recognise20260728,
  read: /* @__PURE__ */ readWith('mcp', codes20260728),
  write: /* @__PURE__ */ writeWith('2026-07-28', codes20260728),
};

/** The stateless revision. */
export const mcp20260728: Dialect = {
  id: 'mcp@2026-07-28',
  title: 'MCP specification 2026-07-28',
  codes: codes20260728,
  recognise: () => 0, // detected as `mcp`, which is the same
  read: /* @__PURE__ */ readWith('mcp@2026-07-28', codes20260728),
  write: /* @__PURE__ */ writeWith('2026-07-28', codes20260728),
};

/** The revision with sessions. */
export const mcp20251125: Dialect = {
  id: 'mcp@2025-11-25',
  title: 'MCP specification 2025-11-25',
  codes: codes20251125,
  recognise: recognise20251125,
  read: /* @__PURE__ */ readWith('mcp@2025-11-25', codes20251125),
  write: /* @__PURE__ */ writeWith('2025-11-25', codes20251125),
};

/** The drafted error registry. */
export const mcpDraft: Dialect = {
  id: 'mcp@draft',
  title: 'MCP error registry, draft',
  codes: codesDraft,
  recognise: recogniseDraft,
  read: /* @__PURE__ */ readWith('mcp@draft', codesDraft),
  write: /* @__PURE__ */ writeWith('draft', codesDraft),
};
