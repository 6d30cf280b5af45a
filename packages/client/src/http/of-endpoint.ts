/** What a failing answer says where an endpoint of MCP was asked. */
import type { Fault } from '@mayday/core';
import { endpointGone } from '@mayday/core/http';

/** The fault of a server that is gone, or the one that was read. */
export function ofEndpoint(
  { fault, dialect }: { readonly fault: Fault; readonly dialect: string | null },
  said: { readonly status: number; readonly body: string },
): Fault {
  return endpointGone({ ...said, fault, dialect, origin: 'server' }) ?? fault;
}
