/** Where a product's link leads: rules from the most to the least specific, the first match wins. */
import type { DatabaseSync } from 'node:sqlite';

/** What is resolved. */
export interface Item {
  readonly gtin: string;
  readonly serial?: string | undefined;
  readonly batch?: string | undefined;
}

/** The rule that matched, and where it leads. */
export interface Resolution {
  readonly level: string;
  readonly target: string;
}

/** Finds the most specific rule for an item. */
export function resolve(store: DatabaseSync, item: Item): Resolution | undefined {
  const rule = store.prepare('SELECT level, target FROM rules WHERE level = ? AND key = ?');
  for (const [level, key] of candidates(item)) {
    const found = rule.get(level, key) as unknown as Resolution | undefined;
    if (found !== undefined) return { level: found.level, target: fill(found.target, item) };
  }
  return undefined;
}

function* candidates({ gtin, serial, batch }: Item): Generator<readonly [level: string, key: string]> {
  if (serial !== undefined) yield ['serial', `${gtin}/${serial}`];
  if (batch !== undefined) yield ['batch', `${gtin}/${batch}`];
  yield ['item', gtin];
  // A company's prefix has 4 to 12 digits behind the leading one, and a longer prefix is more specific.
  for (let length = 13; length >= 5; length--) yield ['prefix', gtin.slice(0, length)];
  yield ['global', ''];
}

/** `{gtin}`, `{serial}` and `{batch}` in a target stand for the item's own. */
function fill(target: string, item: Item): string {
  return target.replace(/\{(gtin|serial|batch)\}/g, (_, name: keyof Item) =>
    encodeURIComponent(item[name] ?? ''),
  );
}
