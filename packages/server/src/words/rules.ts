/**
 * Rules of a business about what was asked for, in a plain sentence: who may not do what to whom, what comes before what,
 * how many there may be, what is used up. No value and no field need be named in it. That a program cannot do something is
 * no rule.
 */

/** What programs try in vain; everything else that cannot be done is forbidden. */
const TRIED =
  'access|acknowledge|acquire|allocate|assign|attach|await|bind|call|communicate|complete|connect|consume|continue|convert|create|decode|deliver|deserialize|detach|determine|dispatch|elect|encode|establish|evaluate|execute|fetch|find|flush|get|handle|infer|initiali[sz]e|insert|instantiate|interrupt|invoke|join|listen|load|locate|mount|obtain|open|parse|perform|persist|poll|pop|preempt|proceed|process|proxy|publish|push|query|reach|read|recover|register|release|resolve|resume|retrieve|rewind|run|save|seek|send on|serialize|set|spawn|start|stop|store|subscribe|unmount|update|use|validate|verify|write';

const CANNOT = `(?:cannot|can't|can not)(?! (?:be|${TRIED})\\b)`;

const RULES: readonly RegExp[] = [
  // To oneself, to the same one, once more.
  new RegExp(
    `^${CANNOT} [a-z-]+ [^.;:]{0,60}\\b(?:same|own|yourself|twice|again|more than (?:one|two|once))\\b`,
    'i',
  ),
  /^[a-z]+(?: [a-z]+){0,3} and [a-z]+(?: [a-z]+){0,3} (?:are|must not be|cannot be) (?:the same|identical|equal)\b/i,
  /\b(?:cannot|can't|may not|must not) [a-z-]+ (?:[a-z-]+ )?(?:yourself|themselves|himself|herself|their own|his own|her own)\b/i,
  // What is forbidden as things are.
  new RegExp(
    `^${CANNOT} [a-z-]+ [^.;:]{0,40}\\b(?:while|until|before|after|from|with|under|in the past)\\b`,
    'i',
  ),
  /^(?:the )?(?:last|only|first) [a-z]+(?: [a-z]+)? (?:cannot|can't|may not|must not)\b/i,
  /\b(?:is|are) not your\b|\b(?:is|are) not met[.!]?$|\b(?:must|do not|does not|don't|doesn't) (?:balance|add up|overlap|mix)\b/i,
  // How many, and what is left.
  /\b(?:is|are) limited to\b|^only (?:one|two|three|\d+) [a-z]+(?: [a-z]+)? per\b/i,
  /\b(?:has|have) run out[.!]?$|\bused up[.!]?$/i,
  /^no [a-z]{3,}s(?: (?:left|given|chosen|selected|added|entered))?[.!]?$/i,
  /^(?:the |this |your )?[a-z]+ (?:has|have) no [a-z]+s[.!]?$/i,
  // What was said is not so.
  /^(?:the |your )(?:old |new |current )?[a-z]+ (?:is|was) (?:wrong|incorrect)[.!]?$/i,
  /^(?:the )?(?:game|match|round|debate|contest|race|auction|sale|season|meeting|show|party) (?:is|was) over[.!]?$/i,
];

/** A sentence for people: words and little else. */
const PLAIN = /^[A-Za-z][A-Za-z0-9 ,;.'’%€$£-]*[!.]?$/;
const LONGEST = 120;

/** Is it a short sentence for people? */
export function isPlainSentence(words: string): boolean {
  return words.length <= LONGEST && PLAIN.test(words);
}

/** Is it such a rule? What it speaks of is for others to judge. */
export function isRule(words: string): boolean {
  return isPlainSentence(words) && RULES.some((rule) => rule.test(words));
}
