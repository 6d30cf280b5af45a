import { own } from '../../json.ts';
import type { Wire } from '../../wire/wire.ts';

/** Claims below one half only decide who reads: the specification's shapes are everybody's. */
const SHAPE = 0.4;

/** JSON-RPC's own codes, the three of 2026-07-28, and tool results with `isError`. */
export function recognise20260728(wire: Wire): number {
  const code = wire.error?.code;
  if (wire.placement === 'tool') return SHAPE;
  if (code === undefined) return 0;
  if (code === -32700 || (code >= -32603 && code <= -32600)) return SHAPE;
  const sign = STATELESS.get(code);
  return sign === undefined ? 0 : toldBy(wire, ...sign);
}

/** What 2026-07-28 puts into `data` beside its codes, and the word that its message has. */
const STATELESS: ReadonlyMap<number, readonly [member: string, word: string]> = new Map([
  [-32020, ['mismatch', 'header']],
  [-32021, ['requiredCapabilities', 'capabilit']],
  [-32022, ['supported', 'version']],
]);

/** The member declares the code; the word at least fits it. A number alone is anybody's. */
function toldBy(wire: Wire, member: string, word: string): number {
  if (own(wire.error?.data, member) !== undefined) return 0.95;
  return wire.text.slice(0, 200).toLowerCase().includes(word) ? 0.75 : 0;
}

/** The two codes that only 2025-11-25 sends. */
export function recognise20251125(wire: Wire): number {
  const code = wire.error?.code;
  if (wire.placement === 'tool') return 0;
  if (code === -32002) return toldBy(wire, 'uri', 'resource');
  if (code === -32042) return toldBy(wire, 'elicitations', 'elicit');
  return code === -1 && /reject/i.test(wire.text.slice(0, 200)) ? 0.8 : 0;
}

/** The drafted codes, where `data` has the member that the draft gives them. */
export function recogniseDraft(wire: Wire): number {
  const code = wire.error?.code ?? 0;
  if (code > -32023 || code < -32027) return 0;
  return own(wire.error?.data, DRAFT_KEYS[-32023 - code] as string) === undefined ? 0 : 0.95;
}

/** From -32023 downwards. */
const DRAFT_KEYS: readonly string[] = ['retryAfterMs', 'reason', 'part', 'kind', 'feature'];
