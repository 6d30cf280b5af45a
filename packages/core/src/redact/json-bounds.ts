import type { JsonIn, Token } from './json-reader.ts';

/** Part of a text that may go without harm to the JSON it stands in. */
export interface Part {
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

/**
 * What of a finding may go, so that JSON stays JSON with the members it has: a finding ends where the string does that it
 * begins in, and one that begins between two strings takes the values it covers, each by itself.
 */
export function partsWithin(json: JsonIn, text: string, start: number, end: number, quote: string): Part[] {
  for (let layer = json.layers.length - 1; layer >= 0; layer--) {
    const { regions = [], tokens = [] } = json.layers[layer] ?? {};
    const region = regions[lastFrom(regions, start)];
    if (region === undefined || region.end <= start) {
      continue;
    }
    const first = lastFrom(tokens, start);
    const token = tokens[first];
    if (token && start < token.end && token.quote === '') {
      return [wholeEscapes(text, token, start, Math.min(end, token.end), layer)];
    }
    const parts: Part[] = [];
    for (let at = Math.max(0, first); at < tokens.length; at++) {
      const each = tokens[at] as Token;
      if (each.start >= end) break;
      if (!each.isName && each.end > start && each.end <= end) {
        parts.push({ start: each.start, end: each.end, quote: each.quote });
      }
    }
    return parts;
  }
  return [{ start, end, quote }];
}

/** The innermost token of JSON that an offset is in. */
export function tokenAt(json: JsonIn, at: number): Token | undefined {
  for (let layer = json.layers.length - 1; layer >= 0; layer--) {
    const { tokens = [] } = json.layers[layer] ?? {};
    const token = tokens[lastFrom(tokens, at)];
    if (token && token.end > at) {
      return token;
    }
  }
  return undefined;
}

/** Where the JSON starts that an offset is in, outside of all; the offset itself, if it is in none. */
export function jsonStart({ layers: [outer] }: JsonIn, at: number): number {
  const region = outer?.regions[lastFrom(outer.regions, at)];
  return region && region.end > at ? region.start : at;
}

/** The index of the last that starts at an offset or before it; -1 if none does. */
function lastFrom(list: ReadonlyArray<{ readonly start: number }>, at: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.start ?? 0) <= at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

const BACKSLASH = 92;

/** A part of a string that begins and ends beside an escape, never inside of one. */
function wholeEscapes(text: string, token: Token, start: number, end: number, layer: number): Part {
  const unit = 2 ** (layer + 1);
  const before = slashesBefore(text, start, token.start) % unit;
  let to = end;
  const cut = slashesBefore(text, end, token.start) % unit;
  if (cut > 0) {
    while (to < token.end && text.charCodeAt(to) === BACKSLASH) to++;
    if (slashesBefore(text, to, token.start) % unit > 0) {
      to += text[to] === 'u' ? 5 : 1;
    }
  }
  return { start: start - before, end: Math.min(to, token.end), quote: '' };
}

function slashesBefore(text: string, at: number, from: number): number {
  let count = 0;
  while (at - count > from && text.charCodeAt(at - count - 1) === BACKSLASH) {
    count++;
  }
  return count;
}
