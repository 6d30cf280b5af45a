/** Where codes come from, and how a message of each looks: what tells two meanings of one number apart. */
import type { DialectId } from '../dialects/dialect.ts';

/** Who defines a code: a dialect, an SDK, HTTP, the operating system, or your own application. */
export type CodeSource = DialectId | 'sdk-v1' | 'sdk-v2' | 'http' | 'errno' | 'application';

/** One source of codes. */
export interface CatalogueSource {
  readonly id: CodeSource;
  readonly title: string;
  /** Where in a message the failure sits. */
  readonly shape: string;
  /** What gives it away. */
  readonly tell: string;
}

// biome-ignore format: a table
const rows: readonly (readonly [CodeSource, string, string, string])[] = [
  ['closient', 'Closient', 'result.error with a problem document in data', 'data.type under https://closient.com/docs/errors/, or data.error_code beside data.retryable'],
  ['onx', 'onX', 'result.error with code, message, retryable and details', 'error.retryable beside the code; details.originalError names the cause'],
  ['erlmcp', 'erlmcp', 'top-level error with code, message and data', 'the message to the letter, and the members of data'],
  ['qaqnuz', 'qaqnuz', 'an envelope {error_class, sanitized_error, retry_hint}; on the wire only its text', 'error_class; without the envelope only the sentence'],
  ['platica', 'Platica', 'tool result with isError and the REST body as text', 'the status in the body’s code beside error'],
  ['mcp@2026-07-28', 'MCP 2026-07-28', 'top-level error, or a tool result with isError', 'the members of data that the specification defines'],
  ['mcp@2025-11-25', 'MCP 2025-11-25', 'top-level error, or a tool result with isError', 'data.uri for -32002, data.elicitations for -32042'],
  ['mcp@draft', 'MCP, drafted registry', 'top-level error', 'the drafted members of data: retryAfterMs, reason, part, kind, feature'],
  ['problem', 'RFC 9457 problem document', 'HTTP response with application/problem+json', 'the media type; members type, title, status'],
  ['tool-failure', 'tool failure extension (draft)', 'tool result with isError', '_meta["io.modelcontextprotocol/toolFailure"]'],
  ['mayday', 'Mayday', 'tool result with isError, or top-level error with the document in data', '_meta["dev.mayday/fault"], or error.data with kind and reaction'],
  ['sdk-v1', 'TypeScript SDK v1', 'an exception McpError in your own client, or an answer of the HTTP transport', 'the message to the letter'],
  ['sdk-v2', 'TypeScript SDK v2', 'an exception SdkError in your own client, with a string code', 'never on the wire: the other end did not say it'],
  ['http', 'HTTP', 'the status of an HTTP response', 'a number from 300 to 599 as status, or used as a code'],
  ['errno', 'system error', 'the code of an exception or of its cause', 'upper-case letters, from Node, undici or the C library'],
  ['application', 'your application', 'the name of a fault', 'name, in every dialect that has a place for one'],
];

/** All sources, dialects first. `mcp` is another name of `mcp@2026-07-28` and has no entry of its own. */
export const SOURCES: readonly CatalogueSource[] = /* @__PURE__ */ rows.map(([id, title, shape, tell]) => ({
  id,
  title,
  shape,
  tell,
}));

/** The source of that name. */
export function sourceOf(id: CodeSource): CatalogueSource {
  return SOURCES.find((source) => source.id === id) as CatalogueSource;
}
