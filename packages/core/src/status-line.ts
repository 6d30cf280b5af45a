/** Words of status lines. */

/** Of what status lines of failures are made: the phrases that HTTP has for them, and what doors say of a limit. */
const PHRASES: ReadonlySet<string> = new Set(
  `a acceptable allowed authentication authorized authorised bad bandwidth busy calls conflict content denied dependency detected
  early entity error exceeded expectation extended failed fields for forbidden found gateway gone header http i'm
  implemented insufficient internal invalid large later legal length limit limited locked loop many media method misdirected
  missing negotiates network not overloaded payload please precondition proxy quota range rate reached reasons request requests
  required satisfiable server service slow down storage supported teapot temporarily throttled throttling timeout too
  try again type unauthenticated unauthorized unavailable unprocessable unsatisfiable unsupported upgrade uri url variant version
  wait also`.split(/\s+/),
);

/** The one phrase with a word in it that tells of work elsewhere. */
const PAYMENT_REQUIRED = /^payment required$/;

/** Does a status line say no more than that it fails? Whatever was said before or behind the answer stands there, too. */
export function isPhrase(reason = ''): boolean {
  const said = reason.trim().toLowerCase();
  return said === '' || PAYMENT_REQUIRED.test(said) || said.split(/[ -]+/).every((word) => PHRASES.has(word));
}
