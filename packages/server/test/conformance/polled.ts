/** A tool whose stream ends before its answer, which has to be fetched. */
import type { EventStore, JSONRPCMessage, McpServer } from '@modelcontextprotocol/server';

/** The tool. Where there are no streams that can be taken up it answers in the one there is. */
export function registerPolled(server: McpServer): void {
  server.registerTool('test_reconnection', { description: 'Ends its stream' }, async (ctx) => {
    ctx.http?.closeSSE?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { content: [{ type: 'text', text: 'taken up' }] };
  });
}

/** All events of one session. */
export function keepsEvents(): EventStore {
  const kept: { readonly stream: string; readonly message: JSONRPCMessage }[] = [];
  return {
    async storeEvent(stream, message) {
      kept.push({ stream, message });
      return String(kept.length);
    },
    async getStreamIdForEventId(event) {
      return kept[Number(event) - 1]?.stream;
    },
    async replayEventsAfter(last, { send }) {
      const stream = kept[Number(last) - 1]?.stream ?? '';
      for (const [at, { stream: of, message }] of kept.entries())
        if (at >= Number(last) && of === stream && 'jsonrpc' in message) await send(String(at + 1), message);
      return stream;
    },
  };
}
