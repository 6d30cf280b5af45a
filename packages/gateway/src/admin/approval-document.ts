/** A call that waits for consent, as it is shown. It was redacted before it was kept; twice does no harm. */
import type { Json } from '@mayday/core';
import { redact } from '@mayday/core/redact';
import type { Store } from '@mayday/store';
import { instant } from './operation.ts';

type WaitingApproval = Awaited<ReturnType<Store['approvals']['waiting']>>[number];

/** A waiting call in JSON. */
export interface ApprovalDocument {
  readonly id: string;
  /** The name of the caller's key; nobody is known by name without keys. */
  readonly caller: string | null;
  /** `upstream/name`, as rules have it. */
  readonly tool: string;
  readonly arguments: Json;
  readonly asked_at: string;
  readonly expires_at: string;
}

/** Describes a waiting call. */
export function approvalDocument(approval: WaitingApproval): ApprovalDocument {
  return {
    id: approval.id,
    caller: approval.caller ?? null,
    tool: `${approval.upstream}/${redact(approval.target).value}`,
    arguments: redact((approval.arguments ?? null) as Json).value,
    asked_at: instant(approval.askedAt),
    expires_at: instant(approval.expiresAt),
  };
}
