/** The demo runs from a checkout: five servers, one language. */
import { expect, it } from 'vitest';
import { mayday } from './mayday.ts';

it('starts five servers and shows their failures in one form', { timeout: 90_000 }, async () => {
  const { code, out } = await mayday(['demo', '--once', '--port', '0']);
  expect(code).toBe(0);
  const kinds = [...out.matchAll(/^ {2}([\w-]+) +(ok|\w+ \(\w+\))/gm)].map(
    ([, tool, what]) => `${tool} ${what}`,
  );
  expect(kinds).toEqual([
    'closient_resolve_gtin not_found (terminal)',
    'closient_claim_gtin unauthenticated (permission)',
    'onx_get-orders ok',
    'onx_cancel-order not_found (terminal)',
    'erlmcp_calculate invalid_arguments (validation)',
    'erlmcp_nonexistent_tool not_found (terminal)',
    'qaqnuz_issue_refund approval_required (permission)',
    'platica_get_client not_found (terminal)',
  ]);
});
