import { makeFault } from '@mayday/core';
import { expect, it } from 'vitest';
import { createErrorBudgets, usesBudget } from './error-budgets.ts';

const RULE = { tools: ['shop/*'], objective: 0.9, windowMs: 60_000, minCalls: 10 };

function budgets(rules: Parameters<typeof createErrorBudgets>[0] = [RULE]) {
  let now = 1_000_000;
  const lines: string[] = [];
  return {
    budgets: createErrorBudgets(
      rules,
      (line) => lines.push(line),
      () => now,
    ),
    lines,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

it('tells what is left, and says once that it is used up', () => {
  const { budgets: all, lines } = budgets();
  for (let i = 0; i < 19; i++) all.count('shop', 'pay', false);
  all.count('shop', 'pay', true);
  expect(all.list()).toEqual([
    {
      upstream: 'shop',
      tool: 'pay',
      objective: 0.9,
      window_ms: 60_000,
      min_calls: 10,
      calls: 20,
      failed: 1,
      remaining: 0.5,
      burn_rate: 0.5,
      used_up: false,
    },
  ]);
  expect(lines).toEqual([]);
  for (let i = 0; i < 5; i++) all.count('shop', 'pay', true);
  expect(all.list()).toMatchObject([{ calls: 25, failed: 6, remaining: -1.4, used_up: true }]);
  expect(lines).toEqual([
    'error budget used up: upstream=shop tool=pay 3 of 22 calls failed within 60 s, the objective is 0.9',
  ]);
});

it('says it again after there was some of it again', () => {
  const { budgets: all, lines, pass } = budgets();
  for (let i = 0; i < 10; i++) all.count('shop', 'pay', true);
  pass(61_000);
  all.count('shop', 'pay', false);
  expect(all.list()).toMatchObject([{ calls: 1, failed: 0, remaining: 1, burn_rate: 0, used_up: false }]);
  for (let i = 0; i < 10; i++) all.count('shop', 'pay', true);
  expect(lines).toHaveLength(2);
});

it('says nothing of a few calls', () => {
  const { budgets: all, lines } = budgets();
  for (let i = 0; i < 9; i++) all.count('shop', 'pay', true);
  expect(all.list()).toMatchObject([{ remaining: -9, used_up: false }]);
  expect(lines).toEqual([]);
});

it('forgets what is older than the window, a sixtieth at a time', () => {
  const { budgets: all, pass } = budgets();
  all.count('shop', 'pay', true);
  pass(30_000);
  all.count('shop', 'pay', false);
  pass(29_000);
  expect(all.list()).toMatchObject([{ calls: 2, failed: 1 }]);
  pass(1000);
  expect(all.list()).toMatchObject([{ calls: 1, failed: 0 }]);
});

it('does not mind a clock that is set back', () => {
  const { budgets: all, pass } = budgets();
  all.count('shop', 'pay', true);
  pass(-500_000);
  all.count('shop', 'pay', false);
  expect(all.list()).toMatchObject([{ calls: 2, failed: 1 }]);
});

it('takes the first that fits, and none where none does', () => {
  const { budgets: all } = budgets([
    { ...RULE, tools: ['shop/pay'], objective: 0.5 },
    { ...RULE, tools: ['shop/*'] },
  ]);
  all.count('shop', 'pay', false);
  all.count('shop', 'list', false);
  all.count('bank', 'pay', false);
  expect(all.list()).toMatchObject([
    { tool: 'pay', objective: 0.5 },
    { tool: 'list', objective: 0.9 },
  ]);
});

it('has no number that JSON has not, where nothing may fail', () => {
  const { budgets: all } = budgets([{ ...RULE, objective: 1, minCalls: 1 }]);
  all.count('shop', 'pay', true);
  expect(all.list()).toMatchObject([{ remaining: -999_999, burn_rate: 1_000_000, used_up: true }]);
});

it('watches a bounded number of tools', () => {
  const { budgets: all } = budgets();
  for (let i = 0; i < 1500; i++) all.count('shop', `tool-${i}`, false);
  expect(all.list()).toHaveLength(1000);
});

it.each([
  ['timeout', 'gateway', true],
  ['disconnected', 'upstream', true],
  ['unavailable', 'gateway', true],
  ['upstream_failed', 'upstream', true],
  ['overloaded', 'upstream', true],
  ['not_ready', 'upstream', true],
  ['misconfigured', 'server', true],
  ['invalid_output', 'server', true],
  ['internal', 'server', true],
  ['unknown', 'upstream', true],
  ['rate_limited', 'upstream', true],
  ['rate_limited', 'gateway', false],
  ['quota_exhausted', 'upstream', true],
  ['quota_exhausted', 'gateway', false],
  ['invalid_arguments', 'caller', false],
  ['forbidden', 'gateway', false],
  ['unauthenticated', 'upstream', false],
  ['approval_required', 'gateway', false],
  ['not_found', 'caller', false],
  ['conflict', 'upstream', false],
  ['cancelled', 'caller', false],
] as const)('%s of %s: %s', (kind, origin, isUsed) => {
  expect(usesBudget(makeFault({ kind, origin }))).toBe(isUsed);
});
