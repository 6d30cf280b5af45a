import { initFromDocument, issuesFrom } from '../../document.ts';
import { waitSeconds } from '../../fault.ts';
import { kindOfStatus } from '../../http-status.ts';
import {
  firstString,
  own,
  ownArray,
  ownBoolean,
  ownInteger,
  ownNumber,
  ownString,
  toJsonObject,
} from '../../json.ts';
import { isKind, type Kind } from '../../kinds.ts';
import type { Wire } from '../../wire/wire.ts';
import type { Heard, ReadContext } from '../dialect.ts';

/** Our own members say everything; a foreign problem is read by type, status and the usual extensions. */
export function read(wire: Wire, context: ReadContext): Heard | undefined {
  const { body } = wire;
  const status = ownInteger(body, 'status') ?? wire.http?.status;
  const detail = ownString(body, 'detail');
  const init = initFromDocument(body);
  if (init !== undefined && ownString(body, 'reaction') !== undefined) {
    return {
      ...init,
      message: detail ?? init.message,
      certainty: 0.99,
      evidence: [
        { by: 'document', says: `problem with kind ${init.kind}`, dialect: 'problem', kind: init.kind },
      ],
    };
  }
  if (body === undefined || status === undefined) return undefined;
  const byType = kindOfType(ownString(body, 'type'));
  const said = context.prose(wire);
  const guess = byType ?? said?.kind;
  const byStatus = kindOfStatus(status);
  const kind = byType ?? refine(byStatus, guess) ?? 'unknown';
  const seconds =
    ownNumber(body, 'retry_after') ?? ownNumber(body, 'retryAfter') ?? ownNumber(body, 'retry_after_seconds');
  return {
    kind,
    message: detail ?? ownString(body, 'title') ?? wire.text,
    retryable: ownBoolean(body, 'retryable'),
    retry: waitSeconds(seconds),
    issues:
      issuesFrom(own(body, 'errors')) ??
      invalidParams(body) ??
      issuesFrom(own(body, 'issues')) ??
      said?.issues,
    name: firstString(body, ['error_code', 'code']),
    details: toJsonObject(own(body, 'details')),
    certainty: byType === undefined ? 0.85 : 0.9,
    evidence: [{ by: 'status', says: `problem document with status ${status}`, dialect: 'problem', kind }],
  };
}

/** RFC 7807's own example of an extension: `{"name": "age", "reason": "must be positive"}`. */
function invalidParams(body: unknown): Heard['issues'] {
  return issuesFrom(
    ownArray(body, 'invalid-params')?.map((item) => ({
      path: own(item, 'name'),
      message: own(item, 'reason'),
    })),
  );
}

/** Text may sharpen a status of the same reaction family, never contradict it: 400 stays the caller's fault. */
function refine(byStatus: Kind | undefined, guess: Kind | undefined): Kind | undefined {
  if (guess === undefined || byStatus === undefined) return byStatus ?? guess;
  const sharpens =
    (byStatus === 'forbidden' && guess === 'approval_required') ||
    (byStatus === 'rate_limited' && guess === 'quota_exhausted');
  return sharpens ? guess : byStatus;
}

/** The last segment of a type URL, if it is one of our kinds: `…/not-found`. */
function kindOfType(type: string | undefined): Kind | undefined {
  const slug = type?.slice(type.lastIndexOf('/') + 1).replaceAll('-', '_');
  return isKind(slug) ? slug : undefined;
}
