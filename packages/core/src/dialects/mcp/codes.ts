import type { CodeRow } from '../dialect.ts';

// biome-ignore format: a table
const base: readonly CodeRow[] = [
  { code: -32700, name: 'ParseError', title: 'Parse error', kind: 'parse_error', refusal: true, status: 400, written: true },
  { code: -32600, name: 'InvalidRequest', title: 'Invalid request', kind: 'invalid_request', refusal: true, status: 400, written: true },
  { code: -32601, name: 'MethodNotFound', title: 'Method not found', kind: 'unsupported', subject: 'method', refusal: true, status: 404, written: true },
  { code: -32602, name: 'InvalidParams', title: 'Invalid params', kind: 'invalid_arguments', refusal: true, written: true },
  { code: -32603, name: 'InternalError', title: 'Internal error', kind: 'internal', written: true },
];

// biome-ignore format: a table
const stateless: readonly CodeRow[] = [
  { code: -32020, name: 'HeaderMismatch', title: 'Header mismatch', kind: 'invalid_request', subject: 'header', refusal: true, status: 400, written: true },
  { code: -32021, name: 'MissingRequiredClientCapability', title: 'Missing required client capability', kind: 'unsupported', subject: 'capability', status: 400, keys: ['requiredCapabilities'], written: true },
  { code: -32022, name: 'UnsupportedProtocolVersion', title: 'Unsupported protocol version', kind: 'unsupported', subject: 'protocol_version', refusal: true, status: 400, keys: ['supported', 'requested'], written: true },
];

// biome-ignore format: a table
const retired: readonly CodeRow[] = [
  { code: -32002, name: 'ResourceNotFound', title: 'Resource not found', kind: 'not_found', subject: 'resource', refusal: true, keys: ['uri'], written: false },
  { code: -32042, name: 'UrlElicitationRequired', title: 'URL elicitation required', kind: 'input_required', subject: 'elicitation', keys: ['elicitations'], written: false },
];

// biome-ignore format: a table
const drafted: readonly CodeRow[] = [
  { code: -32023, name: 'RateLimited', title: 'Rate limited', kind: 'rate_limited', refusal: true, status: 429, keys: ['retryAfterMs'], written: true },
  { code: -32024, name: 'Unavailable', title: 'Unavailable', kind: 'unavailable', status: 503, keys: ['reason'], written: true },
  { code: -32025, name: 'RequestTooLarge', title: 'Request too large', kind: 'too_large', refusal: true, status: 400, keys: ['part'], written: true },
  { code: -32026, name: 'StaleState', title: 'Stale state', kind: 'expired', refusal: true, status: 400, keys: ['kind'], written: true },
  { code: -32027, name: 'UnsupportedFeature', title: 'Unsupported feature', kind: 'unsupported', refusal: true, status: 400, keys: ['feature'], written: true },
];

/** 2026-07-28: two codes are retired, which means understood and never sent. */
export const codes20260728: readonly CodeRow[] = /* @__PURE__ */ base.concat(stateless, retired);

/** 2025-11-25, which ties no status to any code. */
export const codes20251125: readonly CodeRow[] = /* @__PURE__ */ base
  .map(({ status: _none, ...row }): CodeRow => row)
  .concat(
    /* @__PURE__ */ retired.map((row) => ({ ...row, written: true })),
    {
      code: -1,
      name: 'UserRejected',
      title: 'User rejected sampling request',
      kind: 'cancelled',
      subject: 'sampling',
      written: false,
    },
  );

/** The error registry drafted for the revision after 2026-07-28; its newest numbers may still move. */
export const codesDraft: readonly CodeRow[] = /* @__PURE__ */ base
  .map((row): CodeRow => ({ ...row, status: row.status ?? (row.code === -32603 ? 500 : 400) }))
  .concat(stateless, drafted, retired);
