import { tempFolder } from '@mayday/reference-shared/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { resolve } from './resolver.ts';
import { openStore } from './store.ts';

const GTIN = '09506000134352';
const store = openStore(tempFolder());
const lead = (level: string, key: string, target: string) =>
  store.prepare('INSERT INTO rules VALUES (?, ?, ?)').run(level, key, target);

describe('an empty store', () => {
  it('starts with these products and rules, once', () => {
    const folder = tempFolder();
    for (const opened of [openStore(folder), openStore(folder)]) {
      expect(opened.prepare('SELECT * FROM products').all().map(Object.values)).toEqual([
        ['09506000134352', 'Sparkling water 0.5 l', 'Fontana'],
        ['09506000134369', 'Still water 0.5 l', 'Fontana'],
        ['00000096385074', 'Chewing gum', 'Mint & Co'],
      ]);
      expect(opened.prepare('SELECT * FROM rules').all().map(Object.values)).toEqual([
        ['serial', '09506000134352/SN-1', 'https://care.example/units/{serial}'],
        ['batch', '09506000134352/LOT-7', 'https://recall.example/lots/{batch}'],
        ['item', '09506000134352', 'https://shop.example/p/{gtin}'],
        ['prefix', '09506000', 'https://brand.example/items/{gtin}'],
      ]);
    }
  });
});

describe('a rule', () => {
  beforeEach(() => void store.exec('DELETE FROM rules'));

  it('is found from the most to the least specific', () => {
    const item = { gtin: GTIN, serial: 'S', batch: 'B' };
    const found = () => resolve(store, item)?.level;
    expect(found()).toBeUndefined();
    const rules = [
      ['global', ''],
      ['prefix', GTIN.slice(0, 5)],
      ['item', GTIN],
      ['batch', `${GTIN}/B`],
      ['serial', `${GTIN}/S`],
    ] as const;
    for (const [level, key] of rules) {
      lead(level, key, 'x');
      expect(found()).toBe(level);
    }
    expect(resolve(store, { gtin: GTIN })?.level).toBe('item');
  });

  it('for a prefix has 5 to 13 of the 14 digits, and the longer one is nearer', () => {
    const found = () => resolve(store, { gtin: GTIN })?.target;
    for (const length of [4, 14]) lead('prefix', GTIN.slice(0, length), String(length));
    expect(found()).toBeUndefined();
    for (const length of [5, 9, 13]) {
      lead('prefix', GTIN.slice(0, length), String(length));
      expect(found()).toBe(String(length));
    }
  });

  it('has the item’s own in its target, nothing for what the item lacks, and the rest as it is', () => {
    lead('item', GTIN, 'x:{gtin}/{serial}/{batch}/{other}/{gtin}');
    expect(resolve(store, { gtin: GTIN, serial: 'a/b' })?.target).toBe(`x:${GTIN}/a%2Fb//{other}/${GTIN}`);
  });
});
