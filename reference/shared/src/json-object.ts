/** JSON that is an object: what every interface of these servers takes and gives. */
import type { JsonObject } from '@mayday/core';

/** Is it one? */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a text holds; `undefined` where it holds none. Why is not told: the parser's sentence quotes the text. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
