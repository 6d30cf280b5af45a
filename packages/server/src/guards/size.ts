import { fault } from '@mayday/core';
import { expectPositive } from '../options-check.ts';
import type { Guard } from './guard.ts';

/** How much a call may carry. */
export interface SizeOptions {
  /** Bytes of the arguments as JSON, within one per cent. */
  readonly maxArgumentBytes?: number;
  /** Nesting of the arguments. */
  readonly maxDepth?: number;
  /** Bytes of a result as JSON. */
  readonly maxResultBytes?: number;
}

/** Refuses arguments that are too large or too deep with `too_large`, and results that nobody could take. */
export function sizeLimits(options: SizeOptions): Guard {
  const { maxArgumentBytes, maxDepth, maxResultBytes } = options;
  for (const [name, value] of Object.entries(options)) expectPositive(value, name);
  return {
    name: 'size',
    before(call) {
      const bytes = maxArgumentBytes ?? Number.POSITIVE_INFINITY;
      const depth = maxDepth ?? Number.POSITIVE_INFINITY;
      const found = measure(call.arguments, bytes, depth);
      if (found === 'too deep')
        throw fault.tooLarge('The arguments are nested too deeply', { details: { max_depth: depth } });
      if (found === 'too long')
        throw fault.tooLarge('The arguments are too large', { details: { max_bytes: bytes } });
    },
    result(_call, result) {
      if (maxResultBytes === undefined) return;
      if (measure(result, maxResultBytes, Number.POSITIVE_INFINITY) !== 'too long') return;
      throw fault.tooLarge('The result is too large to send', {
        executed: 'yes',
        advice: 'Ask for less: a narrower query, a page, a summary.',
        details: { max_bytes: maxResultBytes },
      });
    },
  };
}

/** Stops at the limit, so that what is too large is not even read to its end. */
function measure(value: unknown, maxBytes: number, maxDepth: number): 'fits' | 'too long' | 'too deep' {
  let bytes = 0;
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item.depth > maxDepth) return 'too deep';
    bytes += ownBytes(item.value);
    if (bytes > maxBytes) return 'too long';
    if (typeof item.value !== 'object' || item.value === null) continue;
    for (const [key, child] of Object.entries(item.value)) {
      if (!Array.isArray(item.value)) bytes += key.length + 3;
      bytes += 1;
      open.push({ value: child, depth: item.depth + 1 });
    }
  }
  return bytes > maxBytes ? 'too long' : 'fits';
}

function ownBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 2;
  if (typeof value === 'object' && value !== null) return 2;
  return String(value).length;
}
