import { KIND_NAMES, TRAITS } from '../../kinds.ts';
import type { CodeRow } from '../dialect.ts';

/** The kinds are the codes; numbers on the wire are the specification's. */
export const codes: readonly CodeRow[] = /* @__PURE__ */ KIND_NAMES.map((kind) => ({
  code: kind,
  name: kind,
  title: TRAITS[kind].title,
  kind,
  written: true,
}));
