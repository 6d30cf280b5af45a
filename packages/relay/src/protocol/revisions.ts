/** The revisions of the protocol, as far as the transports differ. */
import { PROTOCOL_VERSION_KEY } from '@mayday/core/protocol';
import { locate, textAt } from '../framing/members.ts';
import type { Peek } from '../framing/peek.ts';
import type { HttpHeaders } from './headers.ts';

/** A revision: with sessions that are opened and kept, or with every message standing for itself. */
export type Revision = '2025-11-25' | '2026-07-28';

const SESSIONFUL: Revision = '2025-11-25';
const STATELESS: Revision = '2026-07-28';

/** The revision that a message follows: what its header says, else what its `_meta` says. */
export function revisionOf(
  headers: HttpHeaders,
  message: { readonly body: Buffer; readonly peek: Peek },
): Revision {
  const said = headers['mcp-protocol-version'] ?? versionIn(message.body, message.peek);
  // Revisions are dates: they sort as text.
  return typeof said === 'string' && said >= STATELESS ? STATELESS : SESSIONFUL;
}

/** What the `_meta` of a message says about its revision. */
export function versionIn(body: Buffer, seen: Peek): string | undefined {
  const meta = seen.deciding._meta;
  return meta === undefined ? undefined : textAt(body, locate(body, meta.start, PROTOCOL_VERSION_KEY));
}
