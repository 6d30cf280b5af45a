import { FORMAT, mark, type Page } from './page.ts';
import type { Trigger } from './scan.ts';
import type { Rule } from './types.ts';

const WINDOW = 512;

/**
 * Triggers for a user's own rules: the pattern is tried on a window around each keyword. Keywords that stand close
 * together share their windows, so that no text is tried more than a few times.
 */
export function userTriggers(rules: readonly Rule[]): Trigger[] {
  return rules.flatMap((rule) => {
    const pattern = new RegExp(rule.pattern.source, `${rule.pattern.flags.replace(/[gyd]/g, '')}gd`);
    const detect = (page: Page, start: number): void => {
      const block = start - (start % WINDOW);
      page.tried ??= new Map();
      if (start < page.covered || page.tried.get(rule) === block) {
        return;
      }
      page.tried.set(rule, block);
      const from = Math.max(0, block - WINDOW);
      for (const found of page.text.slice(from, block + 3 * WINDOW).matchAll(pattern)) {
        const [left, right] = found.indices?.[1] ?? found.indices?.[0] ?? [0, 0];
        mark(page, from + left, from + right, rule.id, rule.class, FORMAT);
      }
    };
    return rule.keywords.map((keyword) => [keyword.toLowerCase(), detect] as const);
  });
}
