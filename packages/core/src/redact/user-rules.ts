import { FORMAT, mark, type Page } from './page.ts';
import type { Trigger } from './scan.ts';
import type { Rule } from './types.ts';

const WINDOW = 512;

/** Triggers for a user's own rules: the pattern is tried on a window around each keyword. */
export function userTriggers(rules: readonly Rule[]): Trigger[] {
  return rules.flatMap((rule) => {
    const pattern = new RegExp(rule.pattern.source, `${rule.pattern.flags.replace(/[gyd]/g, '')}gd`);
    const detect = (page: Page, start: number, end: number): void => {
      if (start < page.covered) {
        return;
      }
      const from = Math.max(0, start - WINDOW);
      for (const found of page.text.slice(from, end + WINDOW).matchAll(pattern)) {
        const [left, right] = found.indices?.[1] ?? found.indices?.[0] ?? [0, 0];
        mark(page, from + left, from + right, rule.id, rule.class, FORMAT);
      }
    };
    return rule.keywords.map((keyword) => [keyword.toLowerCase(), detect] as const);
  });
}
