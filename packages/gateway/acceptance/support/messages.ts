/** JSON-RPC messages as callers write them. */
import type { Message } from './http.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CLIENT = 'io.modelcontextprotocol/clientInfo';

/** `tools/call`. */
export function call(name: unknown, args: unknown = {}, id: unknown = 1): Message {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** Any request. */
export function ask(method: string, params: unknown = {}, id: unknown = 1): Message {
  return { jsonrpc: '2.0', id, method, params };
}

/** A notification. */
export function tell(method: string, params: unknown = {}): Message {
  return { jsonrpc: '2.0', method, params };
}

/** `initialize` of the 2025 era. */
export function initialize(more: object = {}): Message {
  return ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { sampling: {} },
    clientInfo: { name: 'acceptance', version: '1' },
    ...more,
  });
}

/** The same request with the envelope that 2026-07-28 demands. */
export function modern(message: Message): Message {
  const params = message['params'] ?? {};
  const envelope = {
    [VERSION]: '2026-07-28',
    [CAPABILITIES]: {},
    [CLIENT]: { name: 'acceptance', version: '1' },
  };
  return { ...message, params: { ...params, _meta: { ...envelope, ...params._meta } } };
}

/** Brackets around brackets. */
export function deep(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}
