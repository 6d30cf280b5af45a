/** What a failing answer says where an endpoint of MCP was asked. */
import type { Fault } from '@mayday/core';
import { endpointGone } from '@mayday/core/http';

/** A response; its headers are absent where the transport has not kept them. */
interface SaidByEndpoint {
  readonly status: number;
  readonly statusText?: string | undefined;
  readonly headers?: unknown;
  readonly body: string;
  readonly askedAt?: string | undefined;
}

/** The fault of a server that is gone, or the one that was read. */
export function ofEndpoint(
  { fault, dialect }: { readonly fault: Fault; readonly dialect: string | null },
  said: SaidByEndpoint,
): Fault {
  return endpointGone({ ...said, fault, dialect, origin: 'server' }) ?? fault;
}
