/** What MCP 2026-07-28 says about an error number, whoever uses it. */

/** A range of error numbers and its rule. */
export interface CodeRange {
  readonly id: 'json-rpc' | 'legacy' | 'specification' | 'reserved' | 'application';
  readonly from: number;
  readonly to: number;
  readonly rule: string;
}

// biome-ignore format: a table
const RANGES: readonly CodeRange[] = [
  { id: 'json-rpc', from: -32700, to: -32700, rule: 'JSON-RPC 2.0 defines this number, and MCP keeps its meaning.' },
  { id: 'json-rpc', from: -32603, to: -32600, rule: 'JSON-RPC 2.0 defines these numbers, and MCP keeps their meaning.' },
  { id: 'legacy', from: -32019, to: -32000, rule: 'Legacy range: no new codes, new implementations should not use it, and a receiver must not assume any meaning, except for -32002.' },
  { id: 'specification', from: -32099, to: -32020, rule: 'Reserved for the specification: nobody may send a code from here that it does not define. It defines -32020, -32021 and -32022, and has retired -32042.' },
  { id: 'reserved', from: -32768, to: -32100, rule: 'Inside the range that JSON-RPC reserves (-32768 to -32000): codes of your own should lie outside.' },
];

const APPLICATION: CodeRange = {
  id: 'application',
  from: Number.MIN_SAFE_INTEGER,
  to: Number.MAX_SAFE_INTEGER,
  rule: 'Free space: outside -32768 to -32000 every application may define its own codes.',
};

/** The range that an error number lies in. */
export function rangeOf(code: number): CodeRange {
  return RANGES.find((range) => code >= range.from && code <= range.to) ?? APPLICATION;
}
