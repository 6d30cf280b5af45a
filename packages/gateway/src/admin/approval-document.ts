/** A call that waits for consent, as it is shown. Its secrets were taken out before it was kept; twice does no harm. */
import type { Json } from '@mayday/core';
import type { Store } from '@mayday/store';
import { digestsFor, shownValue } from '../access/shown-arguments.ts';
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

/** Describes a waiting call; the key is the one of its store. */
export function approvalDocument(approval: WaitingApproval, digestKey: string): ApprovalDocument {
  const digest = digestsFor(digestKey, approval.caller);
  return {
    id: approval.id,
    caller: approval.caller ?? null,
    tool: `${approval.upstream}/${shownValue(approval.target, digest)}`,
    arguments: shownValue((approval.arguments ?? null) as Json, digest),
    asked_at: instant(approval.askedAt),
    expires_at: instant(approval.expiresAt),
  };
}
