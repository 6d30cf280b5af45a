/** The document's client, from the command line. */
import { callWithRetry, type ToolCaller } from '@mayday/core/dialects/qaqnuz';
import { payloadOf, type ToolCall } from '@mayday/reference-shared/client';

/** Calls a tool as the document's sample does. Content that is missing says nothing. */
export async function callSample(call: ToolCall): Promise<unknown> {
  const client: ToolCaller = {
    async callTool() {
      const { result, error } = await call.send();
      if (result !== undefined) return { ...result, content: result?.['content'] ?? [] };
      throw new Error(`call_tool ${call.name} failed: ${error?.message ?? ''}`);
    },
  };
  const result = await callWithRetry(client, call.name, {});
  return result.content.map(({ text = '' }) => text).join('\n') || payloadOf({ ...result });
}
