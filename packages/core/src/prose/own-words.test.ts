/** What our own servers say beside a failure is no word of the failure. */
import { expect, it } from 'vitest';
import { read } from '../index.ts';

const CAUTION = 'It may have happened; check before you repeat a change.';

it.each([
  [-32603, 'Internal error', 'internal'],
  [-32603, 'Internal MCP server error', 'upstream_failed'],
  [-32603, 'Order 4711 not found', 'not_found'],
  [-32000, 'Connection reset by peer', 'disconnected'],
])('%i "%s" is %s, also where it may have happened', (code, message, kind) => {
  const said = (words: string) => read({ jsonrpc: '2.0', id: 1, error: { code, message: words } });
  expect(said(message)).toMatchObject({ fault: { kind } });
  expect(said(`${message}. ${CAUTION}`)).toMatchObject({ fault: { kind, executed: 'maybe' } });
});
