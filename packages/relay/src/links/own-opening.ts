/** What the relay asks a server in its own name: it opens a conversation of 2025-11-25, or asks whether anybody answers. */
import { CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, PROTOCOL_VERSION_KEY } from '@mayday/core/protocol';
import { decode, encode } from '../framing/json.ts';
import { type Opening, REPLAY_ID } from './handshake.ts';

const CLIENT = { name: 'mayday-gateway', version: '0.1.0' };

/** It can do nothing that a server could ask for: nobody in particular is at the other end. */
export const OWN_OPENING: Opening = {
  initialize: encode({
    jsonrpc: '2.0',
    id: 'mayday-open',
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: CLIENT,
    },
  }),
  initialized: encode({ jsonrpc: '2.0', method: 'notifications/initialized' }),
};

/** Any answer will do. */
export const OWN_QUESTION: Buffer = encode({
  jsonrpc: '2.0',
  id: decode(REPLAY_ID),
  method: 'server/discover',
  params: {
    _meta: {
      [PROTOCOL_VERSION_KEY]: '2026-07-28',
      [CLIENT_INFO_KEY]: CLIENT,
      [CLIENT_CAPABILITIES_KEY]: {},
    },
  },
});
