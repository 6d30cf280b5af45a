/**
 * Sentences that follow no pattern of a kind, and still tell a caller what is wrong with what it asked for, or
 * what to do instead. Whatever also speaks of things that only an operator has is not for callers.
 */

const INSTRUCTS: readonly RegExp[] = [
  /\b(?:pass|provide|specify|choose|supply|enter|select|please|instead)\b/i,
  /\buse (?:one of|either|the|a|an|at|only)\b|\b(?:use|run|call|try) [`'"]?[a-z]+_[a-z_]+/i,
  /\b(?:must|should|may|can|cannot|can't|could)(?: not)? (?:be|have|contain|start|end|exceed|include|use|follow)\b/i,
  /\b(?:is|are) (?:required|needed|mandatory|not allowed|not permitted)\b/i,
  /\b(?:is|are|was|were) (?:not visible|hidden|empty|taken|closed|protected|ambiguous|malformed|invalid|corrupt(?:ed)?)\b/i,
  /\b(?:lies|is|comes|falls) (?:after|before|outside|beyond|in the past)\b/i,
  /^(?:bad|illegal|malformed|ambiguous|unrecogni[sz]ed|unknown) [a-z]/i,
  /^(?:cannot|can't|unable to|could not) (?:delete|edit|rename|move|book|remove|close|cancel|assign|merge|refund|modify|change|click|combine|mix|undo|(?:resolve|find|locate|match) (?:the )?(?:selector|element))\b/i,
  /\b(?:expected (?:exactly |at least |at most )?\d|matched \d+ |only supports?|at (?:least|most) (?:one|\d))/i,
  /\b(?:exceeds|too (?:long|short|many|few|wide|big|old|early|late))\b/i,
  /\bhas no (?:column|field|property|attribute|key|member|option|such)\b/i,
];

const FOR_OPERATORS =
  /\b(?:internal|servers?|backend|upstream|databases?|sql|redis|pool|quer(?:y|ies) failed|deadlock|config\w*|env\w*|deploy\w*|install\w*|modules?|process|workers?|spawn\w*|binary|drivers?|socket|connect\w*|network|hosts?|dns|tls|ssl|certificates?|proxy|heap|memory|disk|stack|null|undefined|nan|function|assert\w*|exception|trace\w*|admin\w*|licen[cs]e|credentials?)\b|[{}<>;]|\n\s+at /i;

const LONGEST = 500;

/** Is it a short sentence for a caller, that speaks of nothing that only an operator has? */
export function instructs(words: string): boolean {
  if (words.length > LONGEST || FOR_OPERATORS.test(words)) return false;
  return INSTRUCTS.some((pattern) => pattern.test(words));
}
