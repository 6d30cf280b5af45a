import { makeFault } from '@mayday/core';
import { expect, it } from 'vitest';
import { resolveSettings } from '../settings/resolve.ts';
import { ruledFingerprint } from './fault-fingerprint.ts';
import { ruleFor } from './group-rules.ts';

const upstreams = { shop: { url: 'https://a.example/mcp' } };
const { settings } = resolveSettings({
  faults: {
    groups: [
      { name: 'quota', messages: ['*quota*', '*credits*'], by: ['upstream'] },
      { name: 'slow', kinds: ['timeout'], upstreams: ['shop*'], targets: ['find_*'] },
    ],
  },
  upstreams,
});
const { groups } = settings.faults;

const grouped = (
  message: string,
  upstream = 'shop',
  target = 'find_order',
  kind: 'timeout' | 'internal' = 'timeout',
) => {
  const fault = makeFault({ kind, message });
  const rule = ruleFor(fault, { upstream, target }, groups);
  return rule && `${rule.name} ${ruledFingerprint(rule, fault, { upstream, target })}`;
};

it('the first rule that fits decides, whatever the words', () => {
  expect(grouped('No credits left')).toBe(grouped('Monthly quota is used up', 'shop', 'pay', 'internal'));
  expect(grouped('No credits left')).toMatch(/^quota 3\.[0-9a-f]{16}$/);
  expect(grouped('Too late')).toBe(grouped('Nobody answered', 'shop-2', 'find_customer'));
  expect(grouped('Too late')).toMatch(/^slow /);
});

it('tells apart what it is told to, and leaves the rest alone', () => {
  expect(grouped('No credits left')).not.toBe(grouped('No credits left', 'till'));
  expect([
    grouped('Too late', 'till'),
    grouped('Too late', 'shop', 'pay'),
    grouped('Too late', 'shop', 'find_x', 'internal'),
  ]).toEqual([undefined, undefined, undefined]);
});

it('refuses rules that cannot be meant', () => {
  const wrong = (rule: object) => () =>
    resolveSettings({ faults: { groups: [{ name: 'x', ...rule }] }, upstreams });
  expect(wrong({})).toThrow(/It fits every failure/);
  expect(wrong({ kinds: ['timeot'] })).toThrow(/did you mean timeout/);
  expect(wrong({ messages: [] })).toThrow(/at least one/);
});
