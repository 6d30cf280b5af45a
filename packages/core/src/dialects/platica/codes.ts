import { type Kind, TRAITS } from '../../kinds.ts';
import type { CodeRow } from '../dialect.ts';

// biome-ignore format: a table
const rows: readonly CodeRow[] = [
  { code: 400, name: 'Bad Request', title: 'Invalid arguments', kind: 'invalid_arguments', written: true },
  { code: 401, name: 'Unauthorized', title: 'API key missing, invalid or disabled', kind: 'unauthenticated', written: true },
  { code: 403, name: 'Forbidden', title: 'The API key has no access to the workspace or resource', kind: 'forbidden', written: true },
  { code: 404, name: 'Not Found', title: 'The resource does not exist in that workspace', kind: 'not_found', written: true },
  { code: 409, name: 'Conflict', title: 'Already connected', kind: 'conflict', written: false },
  { code: 422, name: 'Unprocessable', title: 'The resource is in an incompatible state', kind: 'conflict', written: true },
  { code: 429, name: 'Too Many Requests', title: 'Rate limit exceeded', kind: 'rate_limited', written: true },
  { code: 500, name: 'Internal Server Error', title: 'Backend internal error', kind: 'internal', retryable: true, written: true },
  { code: 503, name: 'Service Unavailable', title: 'Service unavailable', kind: 'unavailable', written: true },
  { code: -32001, name: 'Unauthorized', title: 'Unauthorized: missing or invalid Authorization header', kind: 'unauthenticated', refusal: true, written: true },
  { code: -32000, name: 'Method Not Allowed', title: 'GET or DELETE on /mcp; only POST is accepted', kind: 'unsupported', subject: 'method', refusal: true, written: true },
  { code: -32602, name: 'Invalid Params', title: 'The JSON-RPC call itself is malformed', kind: 'invalid_request', refusal: true, written: true },
  { code: -32603, name: 'Internal Error', title: 'Unhandled exception in the MCP server', kind: 'internal', retryable: true, written: true },
];

/** Statuses of the REST interface, which become execution errors, and the protocol codes. */
export const codes: readonly CodeRow[] = /* @__PURE__ */ rows.map((row) =>
  Number(row.code) < 0 ? row : { ...row, status: Number(row.code) },
);

/** What a multi-workspace key without a workspace is told. */
export const WORKSPACE_HINT = 'Must specify a valid workspace';

/** The document's table has a row of its own for it. On the wire it is a 400 with these words. */
export const workspaceRow: CodeRow = {
  code: `400 ${WORKSPACE_HINT}`,
  name: WORKSPACE_HINT,
  title: 'Multi-workspace API Key with workspace omitted',
  kind: 'invalid_arguments',
  status: 400,
  written: false,
};

/** The REST status of a kind. A conflict is 422 here. */
export function statusOf(kind: Kind): number {
  const row = codes.find(
    (candidate) => candidate.kind === kind && candidate.written && (candidate.code as number) > 0,
  );
  return (row?.code as number | undefined) ?? TRAITS[kind].http;
}
