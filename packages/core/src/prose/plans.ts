/** What somebody has not paid for: nothing is used up then, and nothing comes back with time. */
import { formOf } from './forms.ts';

const PLAN =
  '(?:plans?|tiers?|subscriptions?|editions?)\\b(?! (?:codes?|ids?|keys?|names?|numbers?|urls?)\\b)';

const LACKING = /* @__PURE__ */ formOf(
  new RegExp(
    [
      `\\bonly (?:accessible|available|enabled|included|offered|supported|usable)\\b[^.;\\n]{0,40} (?:in|on|with|under|for|to)\\b[^.;\\n]{0,40} ${PLAN}`,
      `(?:\\bnot|n't) (?:accessible|available|enabled|included|offered|part)\\b[^.;\\n]{0,10} (?:in|on|with|under|by|of)\\b[^.;\\n]{0,30} ${PLAN}`,
      `\\b(?:requires?|needs?) (?:an? |the |at least (?:an? |the )?)(?:[\\w-]{1,20} ){0,3}${PLAN}`,
      `\\b(?:is|are) (?:a )?part of (?:the|our) (?:[\\w-]{1,20} ){0,3}${PLAN}`,
      '\\bpremium (?:feature|plan|subscription) (?:is )?(?:only|required)\\b|\\b(?:requires?|needs?) premium\\b',
    ].join('|'),
    'i',
  ),
);
/** Something is used up after all, or was not paid. */
const USED =
  /\b(?:limits?|quotas?|credits?|exceed\w*|reached|used up|out of|exhausted|remaining|maximum|expired|inactive|ended|lapsed|overdue|unpaid|payment required)\b/i;

/** Does a text say of a feature that another plan has it? */
export function lacksPlan(text: string): boolean {
  return LACKING.test(text) && !USED.test(text);
}
