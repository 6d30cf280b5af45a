/** The revisions of the protocol, as far as the transports differ. */
import { PROTOCOL_VERSION_KEY } from '@mayday/core/protocol';
import { locate, type Range, textAt } from '../framing/members.ts';
import type { Peek } from '../framing/peek.ts';
import type { HttpHeaders } from './headers.ts';

/** A revision: with sessions that are opened and kept, or with every message standing for itself. */
export type Revision = '2025-11-25' | '2026-07-28';

const SESSIONFUL: Revision = '2025-11-25';
const STATELESS: Revision = '2026-07-28';

/**
 * The revision that a message follows: what its header says, else what its `_meta` says. Before 2026-07-28 nobody has it
 * there: what is no date is of that revision, which refuses it, and is not served as something older.
 */
export function revisionOf(
  headers: HttpHeaders,
  message: { readonly body: Buffer; readonly peek: Peek },
): Revision {
  const said = headers['mcp-protocol-version'];
  if (said === undefined) return claimedIn(message.body, message.peek);
  return typeof said === 'string' && said >= STATELESS ? STATELESS : SESSIONFUL;
}

function claimedIn(body: Buffer, seen: Peek): Revision {
  const claim = claimIn(body, seen);
  if (claim === undefined) return SESSIONFUL;
  const said = textAt(body, claim);
  // Revisions are dates: they sort as text.
  return said === undefined || !DATE.test(said) || said >= STATELESS ? STATELESS : SESSIONFUL;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

/** What the `_meta` of a message says about its revision. */
export function versionIn(body: Buffer, seen: Peek): string | undefined {
  return textAt(body, claimIn(body, seen));
}

function claimIn(body: Buffer, seen: Peek): Range | undefined {
  const meta = seen.deciding._meta;
  return meta === undefined ? undefined : locate(body, meta.start, PROTOCOL_VERSION_KEY);
}
