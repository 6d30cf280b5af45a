/** How the relay opens a conversation of 2025-11-25 in its own name. */
import { encode } from '../framing/json.ts';
import type { Opening } from './handshake.ts';

/** It can do nothing that a server could ask for: nobody in particular is at the other end. */
export const OWN_OPENING: Opening = {
  initialize: encode({
    jsonrpc: '2.0',
    id: 'mayday-open',
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'mayday-gateway', version: '0.1.0' },
    },
  }),
  initialized: encode({ jsonrpc: '2.0', method: 'notifications/initialized' }),
};
