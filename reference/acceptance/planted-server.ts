import { plantBackend } from './backend.ts';
import type { Message, Wire } from './wire.ts';

/** An MCP server over HTTP that answers `tools/call` with what a test gives it, one after the other. */
export interface PlantedServer {
  readonly url: string;
  /** The `tools/call` requests that came. */
  readonly calls: Message[];
  close(): Promise<void>;
}

/** What the planted server says to one call: `{result}`, `{error}`, or an HTTP answer. */
export type Scripted = Wire;

/** What the planted server lists of its tool, unless a test says otherwise. */
const READS: Wire = { annotations: { readOnlyHint: true } };

/** Plants an MCP server. The last answer is repeated for ever. */
export async function plantServer(answers: readonly Scripted[], listed = READS): Promise<PlantedServer> {
  const calls: Message[] = [];
  const backend = await plantBackend((visit) => {
    if (visit.method !== 'POST') {
      return { status: 405, body: '' };
    }
    const message: Message = JSON.parse(visit.body);
    if (message.id === undefined) {
      return { status: 202, body: '' };
    }
    if (message.method !== 'tools/call') {
      return { body: JSON.stringify({ jsonrpc: '2.0', id: message.id, ...manners(message, listed) }) };
    }
    const answer = answers[Math.min(calls.length, answers.length - 1)];
    calls.push(message);
    return { body: JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }) };
  });
  return { url: `${backend.url}/mcp`, calls, close: () => backend.close() };
}

function manners(message: Message, listed: Wire): Wire {
  if (message.method === 'initialize') {
    return {
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'planted', version: '1.0.0' },
      },
    };
  }
  if (message.method === 'tools/list') {
    return { result: { tools: [{ name: 'work', inputSchema: { type: 'object' }, ...listed }] } };
  }
  return message.method === 'ping'
    ? { result: {} }
    : { error: { code: -32601, message: 'Method not found' } };
}
