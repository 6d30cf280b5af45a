/** What names say of the values beside them: by the tables, and by what the keys of things hold. */
import { isSecretKey } from '../key-values.ts';
import { type KeyMeaning, type MeaningAt, meaningInTables, meaningsBy } from './key-meanings.ts';
import { type KeyHolds, keyHolds, keyOfThing } from './key-names.ts';

export type { KeyMeaning } from './key-meanings.ts';

/** The same as {@link meaningOfKey} for a name inside a text. */
export const meaningAt: MeaningAt = /* @__PURE__ */ meaningsBy(judge);

/** Tells from a field's, variable's, header's or parameter's name whether its value is secret or personal. */
export function meaningOfKey(name: string): KeyMeaning | undefined {
  return meaningAt(name, 0, name.length);
}

function judge(name: string, plain: string): KeyMeaning | undefined {
  const thing = keyOfThing(name, plain);
  if (thing !== undefined) {
    const isHint = thing === 'credentials';
    return { class: 'token', strength: isHint ? 1 : 0, isNumber: false, isHint, ...holding(thing) };
  }
  const meaning = meaningInTables(plain);
  const isAnyKey = meaning?.class === 'token' && meaning.strength === 1;
  const holds = isAnyKey ? keyHolds(name, plain) : undefined;
  return meaning === undefined || holds === undefined ? meaning : { ...meaning, ...holding(holds) };
}

function holding(holds: KeyHolds): Pick<KeyMeaning, 'holds' | 'fits'> {
  return { holds, fits: (value) => isSecretKey(value, holds) };
}
