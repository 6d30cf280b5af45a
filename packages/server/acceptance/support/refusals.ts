/** What a transport refuses before a server sees a message. */
import type { HttpQuestion } from './stage.ts';

const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'book', arguments: {} } };
const REVISION = { 'mcp-protocol-version': '2025-11-25' };

/** The HTTP requests, and the status that each is refused with. */
export const REFUSED = {
  get: { status: 405, question: { method: 'GET' } },
  delete: { status: 405, question: { method: 'DELETE' } },
  put: { status: 405, question: { method: 'PUT', body: CALL } },
  accept: { status: 406, question: { headers: { accept: 'text/html' }, body: CALL } },
  large: { status: 413, question: { body: { ...CALL, padding: 'x'.repeat(70_000) } } },
  type: { status: 415, question: { headers: { 'content-type': 'application/xml' }, body: CALL } },
  host: { status: 403, question: { headers: { host: 'evil.example' }, body: CALL } },
  parse: { status: 400, question: { body: '{"jsonrpc": "2.0", nope' } },
  batch: { status: 400, question: { headers: REVISION, body: JSON.stringify([CALL]) } },
} satisfies Record<string, { status: number; question: HttpQuestion }>;

/** The name of one. */
export type Refused = keyof typeof REFUSED;

/** Messages that are JSON and no requests, with the id that can be read in them. */
export const MALFORMED: readonly (readonly [what: string, body: string, id: number | null])[] = [
  ['no method', '{"jsonrpc":"2.0","id":7}', 7],
  ['no version', '{"id":7,"method":"tools/list"}', 7],
  ['a number', '7', null],
];
