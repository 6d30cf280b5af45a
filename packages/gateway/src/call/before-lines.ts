/** Our words before a text of several lines: where it stands whole behind them, its first line says enough, and the rest is not said twice. */
import type { Fault } from '@mayday/core';
import type { JsonRpcWire } from '@mayday/core/dialects';
import { adviceFor } from '@mayday/core/render';
import { SDK_PREFIX } from './told.ts';

/** The same answer, with the first line and the advice in its first block. */
export function beforeLines(wire: JsonRpcWire, fault: Fault): JsonRpcWire {
  const content: unknown = wire.result?.['content'];
  if (wire.result === undefined || !Array.isArray(content)) return wire;
  const [ours, theirs] = content.slice(0, 2).map((block: unknown) => Object(block).text as unknown);
  if (typeof ours !== 'string' || typeof theirs !== 'string') return wire;
  const text = shorter(ours, theirs.slice(0, LONGEST).trim().replace(SDK_PREFIX, ''), adviceFor(fault));
  if (text === undefined) return wire;
  const [block, ...others] = content as readonly object[];
  return { ...wire, result: { ...wire.result, content: [{ ...block, text }, ...others] } as never };
}

/** Our words are made of the first ones of a text. */
const LONGEST = 20_000;

/** A line of fewer words (`Error:`, `Command failed`) says nothing without the next. */
const LEAST_WORDS = 3;

function shorter(ours: string, theirs: string, advice: string): string | undefined {
  const end = theirs.indexOf('\n');
  if (end < 0 || advice === '' || !ours.endsWith(advice)) return undefined;
  const line = theirs.slice(0, end).trim();
  const happened = ours.slice(0, -advice.length).trim();
  if (line.split(/\s+/).length < LEAST_WORDS || !happened.startsWith(line)) return undefined;
  if (happened.length <= line.length + 1 || !letters(theirs).startsWith(letters(happened))) return undefined;
  const stop = /[.!?…]$/.test(line) ? '' : '.';
  return `${line.replace(/[:;,]$/, '')}${stop} ${advice}`;
}

function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}
