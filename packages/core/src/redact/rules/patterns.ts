import { isPlain } from '../looks.ts';
import { mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import type { Trigger } from '../scan.ts';

/** Every expression that is put together from parts, for those who prove that none can be slow. */
export const BUILT: RegExp[] = [];

/** Puts an expression together. */
/* @__NO_SIDE_EFFECTS__ */
export function build(source: string, flags: string): RegExp {
  const expression = new RegExp(source, flags);
  BUILT.push(expression);
  return expression;
}

/** A key word and the expression that is tried where it starts. Its first group, the end of the match, is removed. */
export type Pattern = readonly [keyword: string, pattern: RegExp];

/** What the patterns of a rule remove. */
export interface PatternRule {
  readonly rule: string;
  readonly class: string;
  readonly weight?: number;
  /** Whether what was found is to be removed; placeholders and plain words are not, if nothing else is said. */
  readonly accepts?: (value: string, page: Page, end: number) => boolean;
}

/** Triggers for patterns. */
export function patternTriggers(rule: PatternRule, patterns: readonly Pattern[]): Trigger[] {
  const { weight = STRUCTURE, accepts = (value: string) => !isPlain(value) } = rule;
  return patterns.map(([keyword, pattern]) => [
    keyword,
    (page: Page, start: number) => {
      const value = start < page.covered ? undefined : matchAt(pattern, page.text, start)?.[1];
      const end = pattern.lastIndex;
      if (value && accepts(value, page, end)) {
        mark(page, end - value.length, end, rule.rule, rule.class, weight);
      }
    },
  ]);
}

const LETTER_OR_DIGIT = /[\p{L}\d]/u;

/** Triggers for labels: the expression is tried behind each, where no word goes on before it. */
export function labelTriggers(rule: PatternRule, labels: string, pattern: RegExp): Trigger[] {
  const { weight = STRUCTURE, accepts = () => true } = rule;
  return labels.split('|').map((label) => [
    label,
    (page: Page, start: number, end: number) => {
      if (start < page.covered || LETTER_OR_DIGIT.test(page.text.charAt(start - 1))) {
        return;
      }
      const value = matchAt(pattern, page.text, end)?.[1];
      const stop = pattern.lastIndex;
      if (value && accepts(value, page, stop)) {
        mark(page, stop - value.length, stop, rule.rule, rule.class, weight);
      }
    },
  ]);
}
