/** What a caller can act on, and how sure a reading has to be. */
import type { Kind } from '@mayday/core';

/** Kinds that the caller can do something about. */
export const FOR_CALLERS: ReadonlySet<Kind> = new Set<Kind>([
  'parse_error',
  'invalid_request',
  'invalid_arguments',
  'unprocessable',
  'too_large',
  'unsupported_media',
  'expired',
  'unsupported',
  'unauthenticated',
  'forbidden',
  'approval_required',
  'input_required',
  'not_found',
  'conflict',
  'not_ready',
  'rate_limited',
  'quota_exhausted',
]);

/** From here on a reading is believed. */
export const SURE = 0.6;
