/** erlmcp's own functions over its codes, by the tables of its document. */
import { type Json, makeFault } from '../../fault.ts';
import type { Reaction } from '../../kinds.ts';
import { redact } from '../../redact/index.ts';
import type { JsonRpcWire } from '../dialect.ts';
import { codes, type ErlmcpRow } from './codes.ts';
import { rowFor } from './read.ts';

/** The categories, by code range. */
export type ErlmcpCategory =
  | 'jsonrpc'
  | 'mcp_core'
  | 'content'
  | 'resource'
  | 'tool'
  | 'prompt'
  | 'auth'
  | 'protocol'
  | 'pagination'
  | 'task'
  | 'progress'
  | 'completion'
  | 'experimental'
  | 'unknown';

// biome-ignore format: a table
const RANGES: readonly (readonly [low: number, high: number, category: ErlmcpCategory])[] = [
  [-32700, -32600, 'jsonrpc'], [-32010, -32001, 'mcp_core'], [-32020, -32011, 'content'], [-32030, -32021, 'resource'],
  [-32040, -32031, 'tool'], [-32050, -32041, 'prompt'], [-32060, -32051, 'auth'], [-32070, -32061, 'protocol'],
  [-32080, -32071, 'pagination'], [-32090, -32081, 'task'], [-32100, -32091, 'progress'], [-32113, -32110, 'completion'],
  [1090, 1099, 'experimental'],
];

/** The category of a code, by range; `unknown` outside all of them. */
export function errorCategory(code: number): ErlmcpCategory {
  return RANGES.find(([low, high]) => code >= low && code <= high)?.[2] ?? 'unknown';
}

/** How bad it is, in erlmcp's words. */
export type ErlmcpSeverity = 'critical' | 'error' | 'warning' | 'info';

/** The severity of a code, by the document's table. */
export function errorSeverity(code: number): ErlmcpSeverity {
  if (code === -32700 || code === -32600 || code === -32603) return 'critical';
  if (code === -32601 || code === -32602 || (code >= -32010 && code <= -32001)) return 'error';
  return code >= -32080 && code <= -32011 ? 'warning' : 'info';
}

/** Is it one of the 118 codes? Membership in a range is not enough. */
export function validateErrorCode(code: number): boolean {
  return codes.some((row) => row.code === code);
}

/**
 * Builds an error response without secrets; a code that is none is replaced by -32603, as erlmcp does, a message that
 * is missing by the code's name.
 */
export function createErrorResponse(
  id: string | number | null,
  code: number,
  message?: string,
  data?: Json,
): JsonRpcWire {
  const row = rowFor(code) ?? (rowFor(-32603) as ErlmcpRow);
  const error = { code: row.code, message: redact(message || row.title).value };
  if (data === undefined || data === null) return { jsonrpc: '2.0', id, error };
  return { jsonrpc: '2.0', id, error: { ...error, data: redact(data).value } };
}

/** What a person in front of a client can do. */
const FOR_USERS: { readonly [R in Reaction]: string } = {
  validation: 'Something in the request was not accepted; change it, then try again.',
  permission: 'You are not allowed to do this yet; sign in, or ask somebody for access.',
  retryable: 'Wait a moment, then try again.',
  dependency: 'Something that it depends on is not working; try again later.',
  terminal: 'It did not work, and trying the same again will not help.',
};

/** A sentence for the user of a client, for every valid code. */
export function userMessage(code: number): string {
  const row = codes.find((candidate) => candidate.code === code);
  if (row === undefined) return `Unknown error ${code}.`;
  const { reaction } = makeFault({ kind: row.kind, reaction: row.reaction, retryable: row.retryable });
  return `${row.title}. ${FOR_USERS[reaction]}`;
}

const DEFAULT_WAIT_S = 30;

/** What the document's sample client does: retry timeouts, wait out rate limits, nothing else. A wait that is no length of time is none. */
export function clientAdvice(
  code: number,
  retryAfter: number = DEFAULT_WAIT_S,
): { readonly retry: boolean; readonly afterMs: number } {
  if (code === -32009) return { retry: true, afterMs: 0 };
  const waitS = retryAfter >= 0 && Number.isFinite(retryAfter) ? retryAfter : DEFAULT_WAIT_S;
  if (code === -32010) return { retry: true, afterMs: waitS * 1000 };
  return { retry: false, afterMs: 0 };
}
