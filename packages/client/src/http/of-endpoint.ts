/** What a failing answer says where an endpoint of MCP was asked. */
import type { Fault } from '@mayday/core';
import { endpointGone } from '@mayday/core/http';

/** The fault of a server that is gone, or the one that was read: a document in somebody's form keeps its word. */
export function ofEndpoint(
  { fault, dialect }: { readonly fault: Fault; readonly dialect: string | null },
  said: { readonly status: number; readonly body: string },
): Fault {
  return (dialect === null ? endpointGone({ ...said, fault, origin: 'server' }) : undefined) ?? fault;
}
