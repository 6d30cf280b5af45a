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
  const data = wire.error?.data;
  if (code === -32020) return own(data, 'mismatch') === undefined ? SHAPE : 0.95;
  if (code === -32021) return own(data, 'requiredCapabilities') === undefined ? SHAPE : 0.95;
  if (code === -32022) return own(data, 'supported') === undefined ? SHAPE : 0.95;
  return 0;
}

/** The two codes that only 2025-11-25 sends. */
export function recognise20251125(wire: Wire): number {
  const code = wire.error?.code;
  const data = wire.error?.data;
  if (wire.placement === 'tool') return 0;
  if (code === -32002)
    return own(data, 'uri') !== undefined || /resource/i.test(wire.text.slice(0, 200)) ? 0.9 : 0.6;
  if (code === -32042) return own(data, 'elicitations') === undefined ? 0.6 : 0.95;
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
