/**
 * What was attempted, in front of why it failed: "Failed to refresh the access token: fetch failed". It may sound like a
 * failure of its own, and only where nothing behind it speaks for itself is it all there is.
 */

/** What was attempted, or that it failed. */
const ATTEMPT =
  /^\W{0,6}(?:(?:(?:tool|function|api|an?) )?(?:failed|unable|could not|couldn't|cannot|can't|error|problem|exception|failure)\b[^\n]{0,120}|[^\n]{2,80}\b(?:failed|failure|errored|error|exception)(?: (?:while|when|during|for|in|on|from|with|to|of) [^\n]{2,60})?|[^\n]{2,80}\b(?:could not|couldn't|cannot|can't) be [a-z]{3,20})$/i;
/** A number in it may be a status, unless it belongs to a name: "n8n", "M365". */
const NUMBER = /(?<![a-z\d])\d|(?:code|err(?:or)?|http|status)_?\d/i;
/** A glance, since most that stands before a colon is no attempt. */
const GLANCE = /fail|err|unable|could|can't|cannot|problem|exception/i;
/** A word that names where it comes from: "Error", "search_items", "MCP error -32603". */
const LABEL = /^\W{0,6}(?:[\w.-]{1,60}|mcp error -\d{1,6})$/i;
/** What a validator says of the caller's words, which may be of anything. */
const OF_INPUT = /valid|argument|param|\binput|schema|pars(?:e|ing)|syntax|usage/i;
/** Attempts that speak of nothing but themselves. */
const OF_ITSELF =
  /\b(?:failed|unable|could not|couldn't|cannot|error) (?:to )?(?:authenticat|authoriz|log ?in|sign ?in|connect|reach|contact|verify|validat|refresh|cancel)\w*\b/i;
/** What HTTP calls its statuses, and nothing beside it: as good as the number. */
const REASON =
  /^(?:Bad Request|Unauthorized|Payment Required|Forbidden|Not Found|Method Not Allowed|Not Acceptable|Request Timeout|Conflict|Gone|Precondition Failed|(?:Payload|Content|Request Entity) Too Large|Unsupported Media Type|Unprocessable (?:Entity|Content)|Locked|Too Many Requests|Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Time-?[Oo]ut)[.!]?\s{0,4}$/;
/** What programs call their mistakes: it says more than where the rest comes from. */
const MISTAKE =
  /^(?:\w+\.){0,6}(?:Arithmetic|Assertion|Attribute|ClassCast|Index|Key|Name|NullPointer|NullReference|Reference|StackOverflow|Unbound|ZeroDivision)\w{0,30}(?:Error|Exception)$/;
const FRONT = 300;

/** Where the cause begins, and how much it has to say for itself. */
export interface Cause {
  /** The same length, with the attempt blotted out. */
  readonly text: string;
  /** Of what was attempted, the words say nothing of the failure. */
  readonly isPlain: boolean;
  /** It is the name of a status. */
  readonly isReason: boolean;
  /** Only a status is a cause: anything else may be the name of what was wrong. */
  readonly isOfInput: boolean;
}

/** What stands behind the attempts that a text begins with; nothing when it begins with none. */
export function causeIn(text: string): Cause | undefined {
  let end = 0;
  let isAttempt = false;
  for (let from = 0; from < FRONT; ) {
    const at = text.indexOf(': ', from);
    if (at < 0 || at > FRONT) break;
    const said = text.slice(from, at);
    const attempts = GLANCE.test(said) && !NUMBER.test(said) && ATTEMPT.test(said);
    if ((!attempts && !LABEL.test(said)) || (isAttempt && MISTAKE.test(said))) break;
    isAttempt ||= attempts && !LABEL.test(said);
    from = at + 2;
    end = from;
  }
  if (!isAttempt || end >= text.length) return undefined;
  const front = text.slice(0, end);
  return {
    text: ' '.repeat(end) + text.slice(end),
    isPlain: OF_ITSELF.test(front),
    isReason: REASON.test(text.slice(end).trimEnd().slice(0, 40)),
    isOfInput: OF_INPUT.test(front),
  };
}
