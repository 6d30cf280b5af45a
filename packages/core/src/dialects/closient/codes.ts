import type { CodeRow } from '../dialect.ts';

/** The four failure classes, by hundred block. */
export type ClosientClass = 'transport' | 'validation' | 'business' | 'internal';

/** A code of Closient's, with the status of its class. */
export interface ClosientRow extends CodeRow {
  readonly name: string;
  readonly status: number;
  readonly class: ClosientClass;
}

// biome-ignore format: a table
export const codes: readonly ClosientRow[] = [
  { code: -32001, name: 'unauthorized', title: 'Unauthorized', kind: 'unauthenticated', status: 401, class: 'transport', retryable: false, written: true },
  { code: -32002, name: 'forbidden', title: 'Forbidden', kind: 'forbidden', status: 403, class: 'transport', retryable: false, written: true },
  { code: -32003, name: 'rate_limited', title: 'Rate Limited', kind: 'rate_limited', status: 429, class: 'transport', retryable: true, written: true },
  { code: -32100, name: 'bad_request', title: 'Bad Request', kind: 'invalid_request', status: 400, class: 'validation', retryable: false, written: true },
  { code: -32101, name: 'validation_error', title: 'Validation Error', kind: 'invalid_arguments', status: 400, class: 'validation', retryable: false, written: true },
  { code: -32102, name: 'unprocessable_entity', title: 'Unprocessable Entity', kind: 'unprocessable', status: 422, class: 'validation', retryable: false, written: true },
  { code: -32200, name: 'not_found', title: 'Not Found', kind: 'not_found', status: 404, class: 'business', retryable: false, written: true },
  { code: -32201, name: 'conflict', title: 'Conflict', kind: 'conflict', status: 409, class: 'business', retryable: false, written: true },
  { code: -32300, name: 'internal_error', title: 'Internal Error', kind: 'internal', status: 500, class: 'internal', retryable: true, written: true },
];

/** The failure class of a code, also of codes that do not exist yet. */
export function classOf(code: number): ClosientClass | undefined {
  if (code <= -32001 && code >= -32099) return 'transport';
  if (code <= -32100 && code >= -32199) return 'validation';
  if (code <= -32200 && code >= -32299) return 'business';
  if (code <= -32300 && code >= -32399) return 'internal';
  return undefined;
}
