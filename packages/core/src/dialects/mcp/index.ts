/** The specification itself, in two revisions and one draft. `mcp` is `mcp@2026-07-28`. */
import type { Dialect } from '../dialect.ts';
import { codes20251125, codes20260728, codesDraft } from './codes.ts';
import { drafted } from './drafted.ts';
import { readWith } from './read.ts';
import { recognise20251125, recognise20260728, recogniseDraft } from './recognise.ts';
import { writeWith } from './write.ts';

/** A revision, with what all have in common. By a call: bundlers keep an object in which another is spread. */
function revisionOf(own: Omit<Dialect, 'extendsProtocol' | 'places' | 'unknownId'>): Dialect {
  return {
    shape: 'top-level error, or a tool result with isError',
    extendsProtocol: true,
    places: ['protocol', 'tool'],
    unknownId: 'absent',
    ...own,
  };
}

/** The current revision, under its short name. */
export const mcp: Dialect = /* @__PURE__ */ revisionOf({
  id: 'mcp',
  aliasOf: 'mcp@2026-07-28',
  title: 'MCP',
  tell: 'the members of data that the specification defines',
  codes: codes20260728,
  recognise: recognise20260728,
  read: /* @__PURE__ */ readWith('mcp', codes20260728),
  write: /* @__PURE__ */ writeWith('2026-07-28', codes20260728),
  isProtocol: true,
});

/** The stateless revision. */
export const mcp20260728: Dialect = /* @__PURE__ */ revisionOf({
  id: 'mcp@2026-07-28',
  title: 'MCP 2026-07-28',
  tell: 'the members of data that the specification defines',
  codes: codes20260728,
  recognise: () => 0, // detected as `mcp`, which is the same
  read: /* @__PURE__ */ readWith('mcp@2026-07-28', codes20260728),
  write: /* @__PURE__ */ writeWith('2026-07-28', codes20260728),
});

/** The revision with sessions. */
export const mcp20251125: Dialect = /* @__PURE__ */ revisionOf({
  id: 'mcp@2025-11-25',
  title: 'MCP 2025-11-25',
  tell: 'data.uri for -32002, data.elicitations for -32042',
  codes: codes20251125,
  recognise: recognise20251125,
  read: /* @__PURE__ */ readWith('mcp@2025-11-25', codes20251125),
  write: /* @__PURE__ */ writeWith('2025-11-25', codes20251125),
  revision: '2025-11-25',
});

/** The drafted error registry. */
export const mcpDraft: Dialect = /* @__PURE__ */ revisionOf({
  id: 'mcp@draft',
  title: 'MCP, drafted registry',
  shape: 'top-level error',
  tell: 'the drafted members of data: retryAfterMs, reason, part, kind, feature',
  codes: codesDraft,
  recognise: recogniseDraft,
  read: /* @__PURE__ */ readWith('mcp@draft', codesDraft),
  write: /* @__PURE__ */ writeWith('2026-07-28', codesDraft, drafted),
});
