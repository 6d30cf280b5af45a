/** Requests that are wrong before any handler sees them, and that the SDK would serve all the same. */
import { type FaultError, fault } from '@mayday/core';
import { HANDSHAKES, isUnserved, PROTOCOL_VERSION_KEY } from '@mayday/core/protocol';
import { metaOf } from '../call.ts';
import type { Boundary } from './boundary.ts';
import type { Failure } from './failure.ts';
import type { RequestState } from './request-state.ts';

/** Why a request is refused at once; `undefined` when it is not. */
export function refuseEarly(boundary: Boundary, state: RequestState): Failure | undefined {
  return (
    strayVersion(boundary, state) ??
    oldVersion(boundary, state) ??
    deadCursor(boundary, state) ??
    tooEarly(boundary, state)
  );
}

/** Methods that come before everything else. */
const FIRST: readonly string[] = ['initialize', 'ping', 'server/discover'];

/** Some documents' servers serve nothing before the handshake. The SDKs do. */
function tooEarly(boundary: Boundary, state: RequestState): Failure | undefined {
  if (boundary.settings.dialect.initializeFirst !== true || boundary.initialized) return undefined;
  const { request, requestInfo } = state.extra ?? {};
  if (state.revision !== '2025-11-25' || request !== undefined || requestInfo !== undefined) return undefined;
  if (FIRST.includes(state.method)) return undefined;
  const thrown = fault.notReady('Server not initialized', { details: { phase: 'pre_initialization' } });
  return { began: false, ours: true, thrown };
}

const MAX_SHOWN = 200;

/** A list without pages has no cursors; the SDK ignores them, and starts again from the top, for ever. No text is no cursor. */
function deadCursor(boundary: Boundary, state: RequestState): Failure | undefined {
  const cursor = state.message.params?.['cursor'];
  if (typeof cursor !== 'string' || !boundary.methods.unpaged.includes(state.method)) return undefined;
  return {
    began: false,
    ours: true,
    ofRequest: true,
    thrown: fault.invalidArguments('Invalid cursor', {
      subject: { type: 'cursor', id: cursor.slice(0, MAX_SHOWN) },
      advice: 'List again from the start, without a cursor.',
    }),
    code: -32602,
  };
}

/** The SDKs answer every handshake with a revision of their own. Some documents refuse one that nobody serves. */
function oldVersion({ settings }: Boundary, { method, message }: RequestState): Failure | undefined {
  if (method !== 'initialize' || settings.dialect.refusesRevisions !== true) return undefined;
  const asked = message.params?.['protocolVersion'];
  if (!isUnserved(asked)) return undefined;
  const thrown = otherRevision(asked, HANDSHAKES);
  return { began: false, ours: true, ofRequest: true, thrown, code: -32602 };
}

/** A revision that is not served, with those that are. */
export function otherRevision(asked: string, served: readonly string[]): FaultError {
  const requested = asked.slice(0, 64);
  return fault.unsupported(`Unsupported protocol version: ${requested}`, {
    subject: { type: 'protocol_version', id: requested },
    details: { requested_version: requested, supported_versions: [...served] },
  });
}

/** A connection serves the version it was opened with; on stdio the SDK checks the first message only. */
function strayVersion(boundary: Boundary, state: RequestState): Failure | undefined {
  const version = metaOf(state.message, PROTOCOL_VERSION_KEY);
  if (typeof version !== 'string') return undefined;
  boundary.pinnedVersion ??= version;
  if (version === boundary.pinnedVersion) return undefined;
  const data = { supported: [boundary.pinnedVersion], requested: version.slice(0, 64) };
  return {
    began: false,
    ours: true,
    ofRequest: true,
    thrown: fault.unsupported(`Unsupported protocol version: ${data.requested}`, {
      subject: { type: 'protocol_version', id: data.requested },
      details: data,
    }),
    code: -32022,
    data,
  };
}
