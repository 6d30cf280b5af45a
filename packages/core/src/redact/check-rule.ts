import { createEngine } from './redactor.ts';
import { detect } from './text.ts';
import type { Rule } from './types.ts';

/** Why a rule may not be used: a sentence that names the fixture. */
export type RuleProblem = string;

const UNBOUNDED_GROUP = /\((?:[^()\\]|\\.)*[*+}](?:[^()\\]|\\.)*\)(?:[*+]|\{\d+,)/;
const UNBOUNDED = /(?:[^\\]|\\\\)(?:[*+]|\{\d+,\})/g;

/**
 * Holds a user's rule to its own fixtures.
 *
 * Each true positive must be found by the rule, each near miss must be left alone by it, keywords must be real, and the
 * pattern must not be able to run away: no repeated group with a repetition inside, at most two open-ended repetitions.
 *
 * @returns what is wrong, empty if nothing is.
 */
export function checkRule(rule: Rule): RuleProblem[] {
  const problems: RuleProblem[] = [];
  if (!/^[a-z][a-z\d-]{1,60}$/.test(rule.id)) {
    problems.push('Expected `id` to be lower-case words joined by dashes');
  }
  if (!/^[a-z][a-z-]{1,23}$/.test(rule.class)) {
    problems.push('Expected `class` to be 2 to 24 lower-case letters and dashes');
  }
  if (rule.keywords.length === 0 || rule.keywords.some((keyword) => keyword.length < 2)) {
    problems.push('Expected `keywords` to hold at least one literal of two characters or more');
  }
  const { source } = rule.pattern;
  if (UNBOUNDED_GROUP.test(source) || (source.match(UNBOUNDED) ?? []).length > 2) {
    problems.push('Expected `pattern` to be linear: bound its repetitions and do not nest them');
  }
  if (rule.truePositives.length === 0 || rule.nearMisses.length === 0) {
    problems.push('Expected at least one true positive and one near miss');
  }
  if (problems.length > 0) {
    return problems;
  }
  const engine = createEngine({ rules: [rule] });
  const finds = (text: string): boolean => detect(engine, text).some((span) => span.rule === rule.id);
  rule.truePositives.forEach((text, index) => {
    if (!finds(text)) {
      problems.push(`Expected true positive ${index + 1} to be found`);
    }
  });
  rule.nearMisses.forEach((text, index) => {
    if (finds(text)) {
      problems.push(`Expected near miss ${index + 1} to be left alone`);
    }
  });
  return problems;
}
