/** Settings that a server asks for. */
import { formOf } from './forms.ts';

const SET = /* @__PURE__ */ formOf(
  /^(?:\W{0,4}(?:[a-z]+ ){0,3}(?:error|failure|failed|problem)\W{0,4}: |\W{0,4})(?:please )?(?:set|export|define|configure|provide|add) (?:the |your |an? )?(?:env(?:ironment)? ?var(?:iable)? |setting )?["'`]?[A-Z][A-Z\d]{1,30}(?:_[A-Z\d]{1,30}){1,6}\b/i,
);
/** Capitals alone are the name of a variable, and the expression above knows none. */
const VARIABLE = /\b[A-Z][A-Z\d]{1,30}(?:_[A-Z\d]{1,30}){1,6}\b/;

/** Is it all that a text says of a failure, whatever it calls it, which variable has to be set? */
export function asksForSetting(text: string): boolean {
  const begin = SET.mayMatch(text) ? SET.expression.exec(text)?.[0] : undefined;
  return begin !== undefined && VARIABLE.test(begin);
}
