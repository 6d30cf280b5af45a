import { createEngine } from './redactor.ts';
import { detect } from './text.ts';
import type { Rule } from './types.ts';

/** Why a rule may not be used: a sentence that names the fixture. */
export type RuleProblem = string;

/** Whether no repeated group has a repetition inside, and at most two repetitions are open-ended. */
function isLinear(source: string): boolean {
  const groups: boolean[] = [];
  let open = 0;
  for (let i = 0; i < source.length; i++) {
    const char = source[i];
    if (char === '\\') {
      i++;
    } else if (char === '[') {
      while (++i < source.length && source[i] !== ']') {
        i += source[i] === '\\' ? 1 : 0;
      }
    } else if (char === '(') {
      groups.push(false);
    } else if (char === ')') {
      const repeats = groups.pop() ?? false;
      if (repeats && /^(?:[*+]|\{\d{1,6},?\d{0,6}\})/.test(source.slice(i + 1, i + 18))) {
        return false;
      }
    } else if (/^(?:[*+]|\{\d{1,6},)/.test(source.slice(i, i + 10))) {
      groups.fill(true);
      open += /^(?:[*+]|\{\d{1,6},\})/.test(source.slice(i, i + 10)) ? 1 : 0;
    }
  }
  return open <= 2;
}

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
  if (!isLinear(rule.pattern.source)) {
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
