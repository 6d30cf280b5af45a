/** What the drafted error registry adds to 2026-07-28. */
import type { Fault } from '../../fault.ts';
import { dotted } from '../../issue-path.ts';
import type { Drafted, ProtocolForm } from './write.ts';

/** The drafted registry: only what was not processed may be said this way. */
export const drafted: Drafted = {
  kinds: new Set(['rate_limited', 'unavailable', 'overloaded', 'too_large', 'expired']),
  form,
};

function form(fault: Fault): ProtocolForm | undefined {
  const retryAfterMs = fault.retry.afterMs ?? 1000;
  const notProcessed = fault.executed === 'no' ? { notProcessed: true } : {};
  const at = fault.issues[0];
  switch (fault.kind) {
    case 'not_found':
      return unknownOf(fault);
    case 'rate_limited':
      return { code: -32023, data: { retryAfterMs } };
    case 'unavailable':
      return { code: -32024, data: { reason: 'dependency_unavailable', retryAfterMs, ...notProcessed } };
    case 'overloaded':
      return { code: -32024, data: { reason: 'overloaded', retryAfterMs, ...notProcessed } };
    case 'too_large':
      return {
        code: -32025,
        data: {
          part: at === undefined ? 'message' : 'field',
          ...(at === undefined ? {} : { location: dotted(at.path) }),
        },
      };
    case 'expired':
      return {
        code: -32026,
        data: {
          kind: STALE.has(fault.subject?.type ?? '') ? (fault.subject?.type as string) : 'other',
          reason: 'expired',
        },
      };
    case 'internal':
      return fault.correlationId === undefined
        ? { code: -32603 }
        : { code: -32603, data: { errorId: fault.correlationId } };
    default:
      return undefined;
  }
}

const STALE: ReadonlySet<string> = new Set(['cursor', 'task']);

function unknownOf({ subject }: Fault): ProtocolForm | undefined {
  const reason = { tool: 'unknown_tool', prompt: 'unknown_prompt' }[subject?.type ?? ''];
  if (reason === undefined) return undefined;
  return {
    code: -32602,
    data: { reason, ...(subject?.id === undefined ? {} : { name: subject.id }) },
  };
}
