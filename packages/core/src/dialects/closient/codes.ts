import type { Kind } from '../../kinds.ts';
import type { CodeRow } from '../dialect.ts';

/** The four failure classes, by hundred block. */
export type ClosientClass = 'transport' | 'validation' | 'business' | 'internal';

/** A code of Closient's, with the status of its class. */
export interface ClosientRow extends CodeRow {
  readonly name: string;
  readonly status: number;
}

type Row = readonly [
  code: number,
  name: string,
  title: string,
  kind: Kind,
  status: number,
  retryable: 0 | 1,
  refusal: 0 | 1,
];

/** The classes "Transport / authentication" and "Request validation" turn a call away before any business rule is asked. */
// biome-ignore format: a table
const rows: readonly Row[] = [
  [-32001, 'unauthorized', 'Unauthorized', 'unauthenticated', 401, 0, 1],
  [-32002, 'forbidden', 'Forbidden', 'forbidden', 403, 0, 1],
  [-32003, 'rate_limited', 'Rate Limited', 'rate_limited', 429, 1, 1],
  [-32100, 'bad_request', 'Bad Request', 'invalid_request', 400, 0, 1],
  [-32101, 'validation_error', 'Validation Error', 'invalid_arguments', 400, 0, 1],
  [-32102, 'unprocessable_entity', 'Unprocessable Entity', 'unprocessable', 422, 0, 1],
  [-32200, 'not_found', 'Not Found', 'not_found', 404, 0, 0],
  [-32201, 'conflict', 'Conflict', 'conflict', 409, 0, 0],
  [-32300, 'internal_error', 'Internal Error', 'internal', 500, 1, 0],
];

/** The nine codes. */
export const codes: readonly ClosientRow[] = /* @__PURE__ */ rows.map(
  ([code, name, title, kind, status, retryable, refusal]) => ({
    code,
    name,
    title,
    kind,
    status,
    retryable: retryable === 1,
    refusal: refusal === 1,
    written: true,
  }),
);

/** The failure class of a code, also of codes that do not exist yet. */
export function classOf(code: number): ClosientClass | undefined {
  if (code <= -32001 && code >= -32099) return 'transport';
  if (code <= -32100 && code >= -32199) return 'validation';
  if (code <= -32200 && code >= -32299) return 'business';
  if (code <= -32300 && code >= -32399) return 'internal';
  return undefined;
}

/** Kinds without a code of their own go out under the nearest class; the status tells them apart. */
const NEAREST: { readonly [K in Kind]?: number } = {
  parse_error: -32100,
  too_large: -32100,
  unsupported_media: -32100,
  expired: -32101,
  unsupported: -32100,
  approval_required: -32002,
  input_required: -32002,
  quota_exhausted: -32003,
  cancelled: -32201,
};

/** The code that a kind goes out under. */
export function codeFor(kind: Kind): number {
  return Number(codes.find((row) => row.kind === kind)?.code ?? NEAREST[kind] ?? -32300);
}
