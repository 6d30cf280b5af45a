/**
 * The server behind the gateway: it does what each request asks it to, so that a test reads from top to bottom. A request
 * carries its script in `arguments` or in `_meta["test/puppet"]`; without one the answer is an ordinary success.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import type { Message } from './http.ts';

/** One thing a puppet does. Text has `$ID`, `$TOKEN`, `$PID` and `$DEEP` filled in. */
export type Step =
  /** A whole JSON-RPC message with the id of the request: a line, or a JSON body. */
  | { readonly answer: object }
  /** Messages on an event stream; over stdio one line each. */
  | { readonly events: readonly object[] }
  /** Raw text: a line over stdio, a piece of the body over HTTP. */
  | { readonly say: string }
  | { readonly bytes: string }
  | { readonly head: number; readonly words?: string; readonly headers?: Record<string, string> }
  /** Over HTTP: what announces the answer, and what follows it. */
  | { readonly processing: true }
  | { readonly hints: Record<string, string> }
  | { readonly trailers: Record<string, string> }
  | { readonly stderr: string }
  /** Over stdio: asks the client, and answers with what it said. */
  | { readonly asks: { readonly method: string; readonly params: object } }
  | { readonly wait: number }
  | { readonly exit: number }
  | { readonly reset: true }
  | { readonly hang: true };

/** What makes a puppet differ from the ordinary one. */
export interface PuppetOptions {
  readonly name?: string | undefined;
  /** Where each call's key is written, so that executions can be counted. */
  readonly ledger?: string | undefined;
  readonly tools?: readonly object[] | undefined;
  readonly capabilities?: object | undefined;
  /** Scripts by method, for requests that cannot carry one. */
  readonly on?: Record<string, readonly Step[]> | undefined;
  /** Of a tool that it does not know it tells as a tool tells of a failure, and names those that it has. */
  readonly tellsAsTool?: boolean | undefined;
  /** Lists go out a tool a page. */
  readonly paged?: boolean | undefined;
}

/** The ordinary tools: one that only reads, one that writes, one that may be repeated. */
const TOOLS: readonly object[] = [
  { name: 'echo', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'pay', inputSchema: { type: 'object' }, annotations: { destructiveHint: true } },
  { name: 'lookup', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
];

/** What a request asks for: its script, or the ordinary answer. */
export function scriptOf(message: Message, options: PuppetOptions): readonly Step[] {
  const params = message['params'] ?? {};
  const asked = params?._meta?.['test/puppet'] ?? params?.arguments ?? {};
  const key = asked?.key;
  const before = key === undefined ? 0 : executions(options.ledger, key);
  if (key !== undefined && options.ledger !== undefined) appendFileSync(options.ledger, `${key}\n`);
  const fixed = options.on?.[message['method']];
  if (fixed !== undefined) return fixed;
  if (Array.isArray(asked?.attempts)) return asked.attempts[before] ?? asked.attempts.at(-1) ?? [];
  if (Array.isArray(asked?.script)) return asked.script;
  return [{ answer: ordinary(message, options) }];
}

/** How often a key arrived at a puppet with this ledger. */
export function executions(ledger: string | undefined, key: string): number {
  if (ledger === undefined) return 0;
  try {
    return readFileSync(ledger, 'utf8')
      .split('\n')
      .filter((line) => line === key).length;
  } catch {
    return 0;
  }
}

/** Fills in what a script cannot know. */
export function filled(text: string, message: Message): string {
  const token = message['params']?._meta?.progressToken;
  return text
    .replaceAll('"$ID"', () => JSON.stringify(message['id'] ?? null))
    .replaceAll('$ID', () => JSON.stringify(message['id'] ?? null))
    .replaceAll('"$TOKEN"', () => JSON.stringify(token ?? null))
    .replaceAll('$TOKEN', () => JSON.stringify(token ?? null))
    .replaceAll('$PID', () => String(process.pid))
    .replaceAll('$DEEP', () => '['.repeat(200_000) + ']'.repeat(200_000));
}

/** A step's message, completed. */
export function completed(message: object, request: Message): string {
  const whole = 'method' in message || 'id' in message ? message : { id: '$ID', ...message };
  return filled(JSON.stringify({ jsonrpc: '2.0', ...whole }), request);
}

function ordinary(message: Message, options: PuppetOptions): object {
  const result = resultOf(message, options);
  if (result === undefined) return { error: { code: -32601, message: 'Method not found' } };
  const modern = message['params']?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;
  return 'error' in result ? result : { result: modern ? { resultType: 'complete', ...result } : result };
}

function resultOf(message: Message, options: PuppetOptions): object | undefined {
  const capabilities = options.capabilities ?? { tools: {}, resources: {}, prompts: {} };
  const serverInfo = { name: options.name ?? 'puppet', version: '1' };
  const cache = { ttlMs: 0, cacheScope: 'private' };
  switch (message['method']) {
    case 'initialize':
      return { protocolVersion: '2025-11-25', capabilities, serverInfo };
    case 'server/discover':
      return {
        supportedVersions: ['2026-07-28'],
        capabilities,
        ...cache,
        _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
      };
    case 'ping':
      return {};
    case 'tools/list':
      return { ...pageOf(options, message['params']?.cursor), ...cache };
    case 'resources/list':
      return { resources: [{ uri: 'test://one', name: 'one' }], ...cache };
    case 'resources/templates/list':
      return { resourceTemplates: [], ...cache };
    case 'resources/read':
      return { contents: [{ uri: message['params']?.uri, text: 'one' }], ...cache };
    case 'prompts/list':
      return { prompts: [{ name: 'hello' }], ...cache };
    case 'prompts/get':
      return { messages: [] };
    case 'tools/call':
      return called(message['params'], options);
    default:
      return undefined;
  }
}

function pageOf(options: PuppetOptions, cursor: string | undefined): object {
  const tools = options.tools ?? TOOLS;
  if (options.paged !== true) return { tools };
  const at = Number(cursor ?? 0);
  const next = at + 1 < tools.length ? { nextCursor: String(at + 1) } : {};
  return { tools: tools.slice(at, at + 1), ...next };
}

function called(params: Message, options: PuppetOptions): object {
  const names = (options.tools ?? TOOLS).map((tool) => (tool as Message)['name']);
  const known = names.includes(params?.['name']);
  if (!known && options.tellsAsTool === true) {
    const text = `Unknown tool: ${params?.['name']}. Available tools: ${names.join(', ')}`;
    return { isError: true, content: [{ type: 'text', text }] };
  }
  if (!known)
    return { error: { code: -32602, message: `Tool ${JSON.stringify(params?.['name'])} not found` } };
  return { content: [{ type: 'text', text: `${params['name']}: ${params['arguments']?.text ?? 'fine'}` }] };
}
