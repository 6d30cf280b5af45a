/** Limits on what a call carries and brings back. */
import { makeFault } from '@mayday/core';
import { admit, type Check } from '../admit.ts';
import type { Call } from '../call.ts';
import { integer, type OptionNames, onlyKnown } from '../check.ts';
import type { Refusal } from '../outcome.ts';
import type { Policy } from '../policy.ts';

/** How much a call may carry. */
export interface SizeOptions {
  /** Bytes of the arguments as JSON, within one per cent. */
  readonly maxArgumentBytes?: number | undefined;
  /** Nesting of the arguments. */
  readonly maxDepth?: number | undefined;
  /** Bytes of a result as JSON. */
  readonly maxResultBytes?: number | undefined;
}

const OPTIONS: OptionNames<SizeOptions> = { maxArgumentBytes: true, maxDepth: true, maxResultBytes: true };

/** Refuses arguments that are too large or too deep with `too_large`, and results that nobody could take. */
export function size<T, C extends Call>(options: SizeOptions): Policy<T, C> {
  onlyKnown('`size`', options, OPTIONS);
  const checkResult = resultCheck(options);
  const inside: Policy<T, C> = (next) => async (call) => {
    const outcome = await next(call);
    const refusal = outcome.ok ? checkResult(outcome.value) : undefined;
    return refusal === undefined ? outcome : { ok: false, fault: refusal.fault, answered: true };
  };
  const outside: Policy<T, C> = admit(sizeCheck(options));
  return (next) => outside(inside(next));
}

/** What speaks against the arguments of a call; `what` is what the caller knows them as. */
export function sizeCheck<C extends Call>(options: SizeOptions, what = 'arguments'): Check<C> {
  const maxBytes = limitOf('maxArgumentBytes', options.maxArgumentBytes);
  const maxDepth = limitOf('maxDepth', options.maxDepth);
  return (call) => {
    const found = measure(call.arguments, maxBytes, maxDepth);
    if (found === 'too deep') return tooLarge(`The ${what} are nested too deeply`, { max_depth: maxDepth });
    return found === 'too long' ? tooLarge(`The ${what} are too large`, { max_bytes: maxBytes }) : undefined;
  };
}

/** What speaks against a result, after the work is done. */
export function resultCheck(options: SizeOptions): (result: unknown) => Refusal | undefined {
  const maxBytes = limitOf('maxResultBytes', options.maxResultBytes);
  return (result) => {
    if (maxBytes === Number.POSITIVE_INFINITY) return undefined;
    if (measure(result, maxBytes, Number.POSITIVE_INFINITY) === 'fits') return undefined;
    const fault = makeFault({
      kind: 'too_large',
      executed: 'yes',
      message: 'The result is too large to send',
      advice: 'Ask for less: a narrower query, a page, a summary.',
      details: { max_bytes: maxBytes },
    });
    return { fault, by: 'size' };
  };
}

function limitOf(name: string, value: number | undefined): number {
  return value === undefined ? Number.POSITIVE_INFINITY : integer(name, value, value, 1);
}

function tooLarge(message: string, details: { readonly [name: string]: number }): Refusal {
  return { fault: makeFault({ kind: 'too_large', executed: 'no', message, details }), by: 'size' };
}

/** Stops at the limit, so that what is too large is not even read to its end. */
function measure(value: unknown, maxBytes: number, maxDepth: number): 'fits' | 'too long' | 'too deep' {
  let bytes = 0;
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item.depth > maxDepth) return 'too deep';
    bytes += ownBytes(item.value, maxBytes);
    if (bytes > maxBytes) return 'too long';
    if (typeof item.value !== 'object' || item.value === null) continue;
    const isList = Array.isArray(item.value);
    for (const key in item.value) {
      if (!Object.hasOwn(item.value, key)) continue;
      bytes += isList ? 1 : utf8Length(key, maxBytes) + 4;
      if (bytes > maxBytes) return 'too long';
      open.push({ value: (item.value as { [key: string]: unknown })[key], depth: item.depth + 1 });
    }
  }
  return 'fits';
}

function ownBytes(value: unknown, enough: number): number {
  if (typeof value === 'string') return utf8Length(value, enough) + 2;
  if (typeof value === 'object' && value !== null) return 2;
  return String(value).length;
}

/** Bytes of a text in UTF-8; a text with more characters than `enough` is not looked at. */
function utf8Length(text: string, enough: number): number {
  if (text.length > enough) return text.length;
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    // Two units of a pair make four bytes: two more than the units themselves.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}
