/** `uniqueItems` in the time that the items take: the validator's own compares each with each. */
import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv/dist/types/index.js';

/** Is each item of a list another one? Two of which nobody can say are taken for two. */
const check: SchemaValidateFunction = (isWanted: boolean, items: readonly unknown[]) => {
  const seen = new Map<string, number>();
  for (const [i, item] of isWanted ? items.entries() : []) {
    const text = comparable(item);
    const before = text === undefined ? undefined : seen.get(text);
    if (before !== undefined) {
      const message = `must NOT have the same item twice (${before} and ${i})`;
      check.errors = [{ keyword: KEYWORD, message, params: { i, j: before } }];
      return false;
    }
    if (text !== undefined) seen.set(text, i);
  }
  return true;
};

const KEYWORD = 'uniqueItems';

/** What takes its place. */
export const uniqueItems: FuncKeywordDefinition = {
  keyword: KEYWORD,
  type: 'array',
  schemaType: 'boolean',
  validate: check,
};

/** A text that the same values have, however their members are ordered; none, where a number may have been rounded. */
function comparable(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const texts: string[] = [];
  for (const key of isList ? value.keys() : Object.keys(value).sort()) {
    const text = comparable((value as { readonly [key: string | number]: unknown })[key]);
    if (text === undefined) return undefined;
    texts.push(isList ? text : `${JSON.stringify(key)}:${text}`);
  }
  return isList ? `[${texts}]` : `{${texts}}`;
}
