import type { CodeRow } from '../dialect.ts';

/** The categories of the code ranges. */
export type OnxCategory = 'Protocol' | 'Validation' | 'Business' | 'System' | 'Adapter';

/** A standard code of the onX error model. */
export interface OnxRow extends CodeRow {
  readonly code: number;
  /** As declared, which may differ from the range the number lies in. Absent for JSON-RPC's own codes. */
  readonly category?: OnxCategory;
}

// biome-ignore format: a table
export const codes: readonly OnxRow[] = [
  { code: -32700, name: 'Parse error', title: 'Parse error', kind: 'parse_error', refusal: true, written: true },
  { code: -32600, name: 'Invalid request', title: 'Invalid request', kind: 'invalid_request', refusal: true, written: true },
  { code: -32601, name: 'Method not found', title: 'Method not found', kind: 'unsupported', subject: 'method', refusal: true, written: true },
  { code: -32602, name: 'Invalid params', title: 'Invalid params', kind: 'invalid_arguments', refusal: true, written: true },
  { code: -32603, name: 'Internal error', title: 'Internal error', kind: 'internal', written: true },
  { code: 2001, name: 'VALIDATION_ERROR', title: 'Parameters failed schema or format checks', kind: 'invalid_arguments', category: 'Validation', retryable: false, written: true },
  { code: 2002, name: 'MISSING_REQUIRED_FIELD', title: 'Required field missing', kind: 'invalid_arguments', category: 'Validation', retryable: false, written: true },
  { code: 2003, name: 'INVALID_FORMAT', title: 'Field format incorrect', kind: 'invalid_arguments', category: 'Validation', retryable: false, written: true },
  { code: 3001, name: 'RATE_LIMIT_EXCEEDED', title: 'Too many requests', kind: 'rate_limited', category: 'System', retryable: true, written: true },
  { code: 3002, name: 'TIMEOUT', title: 'Operation exceeded time limit', kind: 'timeout', category: 'System', retryable: true, written: true },
  { code: 4001, name: 'ADAPTER_ERROR', title: 'Backend integration error', kind: 'upstream_failed', category: 'Adapter', retryable: false, written: true },
  { code: 4002, name: 'BACKEND_UNAVAILABLE', title: 'Downstream service unavailable', kind: 'unavailable', category: 'System', retryable: true, written: true },
  { code: 5001, name: 'NOT_IMPLEMENTED', title: 'Tool unsupported by adapter', kind: 'unsupported', category: 'Adapter', retryable: false, written: true },
];

const RANGES: readonly OnxCategory[] = ['Protocol', 'Validation', 'Business', 'System', 'Adapter'];

/** The category of the range that a number lies in. */
export function rangeCategory(code: number): OnxCategory | undefined {
  return code >= 1000 && code < 6000 ? RANGES[Math.floor(code / 1000) - 1] : undefined;
}

/** The category of a code: declared where it is a standard code, by range otherwise. */
export function category(code: number): OnxCategory | undefined {
  return codes.find((row) => row.code === code)?.category ?? rangeCategory(code);
}

/** What is said of a tool, prompt or resource that nobody has: the parameter that names it, and that it is unknown. */
export const UNKNOWN = {
  tool: { field: 'name', reason: 'unknown_tool' },
  prompt: { field: 'name', reason: 'unknown_prompt' },
  resource: { field: 'uri', reason: 'unknown_resource' },
} as const;
