/** Answers that did not come whole, in the words of those who read them. */
import { formOf } from './forms.ts';

/** What may go on for long before somebody ends it. */
const WORK =
  /\b(?:build|contract|deploy\w*|execution|install\w*|job|migration|payment|pipeline|run|stage|step|subscription|task|tests?|transaction|workflow)\b/i;
/** Behind what was attempted, or an exception that is no cancellation; in small letters, as Node.js and its `fetch` say it. */
const CUT = /* @__PURE__ */ formOf(
  /^\W{0,6}(?![^\n]{0,200}(?:[Aa]bort|[Cc]ancel\w*)Error)(?:[^\n]{0,200}\b(?:[Ee]rror|[Ff]ail(?:ed|ure)|[Cc]ould not|[Cc]ouldn't|[Uu]nable)\b[^\n]{0,160}: |(?:Uncaught )?\w{0,30}Error: )(?:aborted|terminated)(?=\.?\s{0,4}$|\s?\n| \()/,
);
/** How files, archives and answers end that are not whole; who parses what somebody wrote says so, or where. */
const TOO_SOON = /* @__PURE__ */ formOf(
  /^(?![^\n]{0,200}\b(?:archive|files?:|image|json|pars|stdin|syntax|xml|ya?ml|zip\b))[^\n]{0,200}(?:^|: )unexpected end of file\.?\s{0,4}(?:\n|$)/i,
);
const TRANSFER = '(?:answer|body|data|download|payload|reply|response|stream|transfer)';
const NOT_WHOLE = /* @__PURE__ */ formOf(
  new RegExp(
    [
      `\\b${TRANSFER} (?:was |is |has been |got )?(?:cut (?:off|short)|interrupted|truncated)\\b(?! (?:after|at|by|to)\\b)`,
      `\\b${TRANSFER} (?:(?:has )?(?:ended|stopped)|(?:is|was) over) (?:before|early|prematurely|too (?:early|soon)|unexpectedly)\\b`,
      `\\b(?:response|http) (?:body|data|payload|stream|transfer) (?:is |was )?(?:incomplete|not complete(?:d)?)\\b`,
      '(?:^|: )(?:(?:received an? |got an? )?(?:incomplete|truncated) (?:response|reply|answer|download|chunked (?:read|encoding))(?: (?:body|received))?|(?:response|reply|answer) (?:is |was )?incomplete)[.!]?(?=\\s{0,4}$|\\n)',
    ].join('|'),
    'i',
  ),
);

/** Did an answer not come whole? */
export function isCutOff(text: string): boolean {
  if (CUT.test(text)) return !WORK.test(text);
  return TOO_SOON.test(text) || NOT_WHOLE.test(text);
}
