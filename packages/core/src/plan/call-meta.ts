/**
 * What a caller tells the layers below it, in the request's `_meta`: until when it waits, and which attempt
 * this is. A layer that finds the count leaves retrying to the caller, so that retries do not multiply.
 */
import { isRecord, own } from '../json.ts';
import { ATTEMPT_KEY, DEADLINE_KEY } from '../protocol.ts';

/** What came with a call. */
export interface CallMeta {
  /** Unix time in milliseconds. */
  readonly deadline?: number;
  readonly attempt?: number;
}

const MAX_ATTEMPT = 1000;

/** Reads both keys; nonsense is as good as nothing. */
export function readCallMeta(meta: unknown): CallMeta {
  if (!isRecord(meta)) return {};
  const deadline = own(meta, DEADLINE_KEY);
  const attempt = own(meta, ATTEMPT_KEY);
  const found: { deadline?: number; attempt?: number } = {};
  if (typeof deadline === 'number' && Number.isFinite(deadline) && deadline > 0) found.deadline = deadline;
  if (typeof attempt === 'number' && Number.isInteger(attempt) && attempt >= 1 && attempt <= MAX_ATTEMPT) {
    found.attempt = attempt;
  }
  return found;
}

/** The same `_meta` with both keys set. Nobody is given longer than the caller waits. */
export function writeCallMeta(
  meta: { readonly [key: string]: unknown } | undefined,
  call: CallMeta,
): { [key: string]: unknown } {
  const written: { [key: string]: unknown } = { ...meta };
  if (call.deadline !== undefined) written[DEADLINE_KEY] = Math.max(1, Math.floor(call.deadline));
  if (call.attempt !== undefined) written[ATTEMPT_KEY] = call.attempt;
  return written;
}
