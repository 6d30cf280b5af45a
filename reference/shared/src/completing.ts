import type { McpServerFactory, Server } from '@modelcontextprotocol/server';

/**
 * Stamps results of the stateless revision with `resultType`, which it demands of every one. The SDK does so
 * for handlers; a guard that refuses a call answers in the server's place, and in most dialects without it.
 */
export function completing(factory: McpServerFactory): McpServerFactory {
  return async (context) => {
    const made = await factory(context);
    if (context.era === 'modern') stampResults('server' in made ? made.server : made);
    return made;
  };
}

function stampResults(server: Server): void {
  const connect = server.connect.bind(server);
  server.connect = (transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!('result' in message)) return send(message, options);
      return send({ ...message, result: { resultType: 'complete', ...message.result } }, options);
    };
    return connect(transport);
  };
}
