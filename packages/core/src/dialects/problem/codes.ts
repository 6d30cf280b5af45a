import { KIND_NAMES, KINDS } from '../../kinds.ts';
import type { CodeRow } from '../dialect.ts';

/** Problem types are URLs; their last segment is the kind. */
export const codes: readonly CodeRow[] = /* @__PURE__ */ KIND_NAMES.map((kind) => ({
  code: kind,
  name: kind,
  title: KINDS[kind].title,
  kind,
  written: true,
}));

/** Where the pages of the problem types live. */
export const TYPE_BASE = 'https://mayday.dev/faults/';
