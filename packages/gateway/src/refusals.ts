/** What the gateway says to requests that never reach an upstream. */
import type { IncomingMessage } from 'node:http';
import { type FaultInit, makeFault, write } from '@mayday/core';
import { encode, type Refusal, type Reply } from '@mayday/relay';
import { DIALECT_HEADER, isDialectId, unknownDialect } from './faults/dialects.ts';

/** What is said at the door. */
export const REFUSALS: {
  readonly [reason in Refusal]: { readonly status: number; readonly fault: FaultInit };
} = {
  host: {
    status: 403,
    fault: {
      kind: 'forbidden',
      origin: 'gateway',
      subject: { type: 'header', id: 'Host' },
      message: 'This Host is not served here',
    },
  },
  origin: {
    status: 403,
    fault: {
      kind: 'forbidden',
      origin: 'gateway',
      subject: { type: 'header', id: 'Origin' },
      message: 'Pages of this Origin may not call',
    },
  },
  too_large: {
    status: 413,
    fault: { kind: 'too_large', origin: 'gateway', message: 'The request is larger than the gateway allows' },
  },
};

/** Says no, before any upstream is asked. */
export function refuse(reply: Reply, status: number, fault: FaultInit): void {
  const { wire } = write(makeFault(fault), 'mayday', { placement: 'protocol', method: '' });
  reply.json(status, encode(wire), status === 401 ? { 'www-authenticate': 'Bearer' } : {});
}

/** What is wrong with the dialect that a caller asks for. */
export function checkDialect(request: IncomingMessage): FaultInit | undefined {
  const asked = request.headers[DIALECT_HEADER];
  if (typeof asked !== 'string' || isDialectId(asked)) return undefined;
  return {
    kind: 'invalid_request',
    origin: 'caller',

    message: unknownDialect(asked),
  };
}

/** Where something is served. */
export function notServed(upstreams: readonly string[]): FaultInit {
  const paths = upstreams.map((name) => `/${name}/mcp`);
  return {
    kind: 'not_found',
    origin: 'gateway',
    subject: { type: 'uri' },
    message: `Nothing is served here; try ${['/mcp', ...paths].join(', ')}`,
  };
}
