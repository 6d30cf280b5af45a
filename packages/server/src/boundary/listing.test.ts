import { describe, expect, it } from 'vitest';
import { Listing } from './listing.ts';

const unasked = (): never => {
  throw new Error('asked');
};

describe('the schemas that tools were listed with', () => {
  it('are known by name', () => {
    const listing = new Listing(unasked);
    const inputSchema = { properties: { a: {}, b: {} } };
    listing.learn({
      tools: [{ name: 'x', inputSchema }, { name: 'y' }, { name: 7, inputSchema }, null],
    });
    listing.learn({ tools: [{ name: 'z', inputSchema: { properties: { c: {} } } }] });
    listing.learn({ tools: 'odd' });
    listing.learn(null);
    expect(listing.schemaOf('x')).toEqual({ properties: { a: {}, b: {} } });
    expect(listing.schemaOf('z')).toEqual({ properties: { c: {} } });
    for (const name of ['y', 'w', '7']) expect(listing.schemaOf(name)).toBeUndefined();
  });

  it('are those of ten thousand tools', () => {
    const listing = new Listing(unasked);
    const tool = (n: number) => ({ name: `t${n}`, inputSchema: { properties: { a: {} } } });
    listing.learn({ tools: Array.from({ length: 10_001 }, (_, n) => tool(n)) });
    listing.learn({ tools: [tool(20_000)] });
    const known = [9999, 10_000, 20_000].map((n) => listing.schemaOf(`t${n}`) !== undefined);
    expect(known).toEqual([true, false, false]);
  });
});
