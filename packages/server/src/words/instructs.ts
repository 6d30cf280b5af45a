/**
 * Sentences that follow no pattern of a kind, and still tell a caller what is wrong with what it asked for, or
 * what to do instead. Whatever also speaks of things that only an operator has is not for callers.
 */
import { isEveryday, speaksOfPrograms } from './everyday.ts';
import { isRule } from './rules.ts';

/** Whoever says this speaks to a caller. */
const INSTRUCTS: readonly RegExp[] = [
  /\b(?:pass|provide|specify|choose|supply|enter|select|please|instead)\b/i,
  /\buse (?:one of|either|the|a|an|at|only|\d+)\b|\b(?:use|run|call|try) [`'"]?[a-z]+_[a-z_]+/i,
  /\b(?:see|check|read|get|view|find|list)(?: [a-z]+){1,4} (?:with|using|via) [`'"]?[a-z]+_[a-z_]+/i,
  /\b(?:must|should|may|can|cannot|can't|could)(?: not| only)? (?:be|have|contain|start|end|exceed|include|use|follow)\b/i,
  /\b(?:is|are) (?:required|needed|mandatory|not allowed|not permitted)\b/i,
  /\b(?:is|are|was|were) (?:not visible|hidden|empty|taken|closed|protected|ambiguous|malformed|invalid|corrupt(?:ed)?)\b/i,
  /\b(?:lies|is|comes|falls) (?:not )?(?:after|before|later than|earlier than|outside|beyond|in the past)\b/i,
  // What does not go together, what would go round in a circle, and what is over or too far away.
  /\b(?:vectors|lists|arrays|matrices|series|columns|rows|strings|texts|sequences|samples|points|amounts|prices|ranges) (?:have|are of|are in|differ in|do not have the same|don't have the same) (?:(?:different|unequal) )?(?:lengths?|sizes?|dimensions?|units?|currenc(?:y|ies))\b/i,
  /\bwould (?:create|cause|form|make|introduce|close|result in|lead to) an? (?:circular [a-z]+|(?:[a-z]+ )?(?:cycle|circle|loop))\b/i,
  /^no [a-z]+(?: [a-z]+)?(?: (?:is|are))?(?: available)? for (?:dates?|days|times|years|months|periods|ranges) (?:more|less|earlier|later|before|after|beyond|older|further|farther|outside|in the)\b/i,
  /^(?:the )?(?:voting|registration|enrol?lment|bookings?|bidding|check-in|polls?|survey|sale|auction|ordering|applications|submissions)\b[^.\n]{0,60} (?:closed|ended|finished|closes|ends|opens|starts|begins)(?: (?:yesterday|today|tomorrow|on|at|in|last|next|\d+|an?|two|three)\b|[.!]?$)/i,
  /^ambiguous:|\bgive (?:an?|the|its|their) [a-z]+[.!]?$/i,
  // What one field wants, who has to agree first, and what a tool will not do with the caller's own things.
  /^(?:the )?(?:property|field|column|parameter|argument|option|attribute|cell) ["'`]?[\w .-]{1,60}["'`]? expects\b/i,
  /\b(?:requires?|needs?) (?:at least )?(?:an?|one|two|three|\d+)(?: more)?(?: [a-z]+)? (?:approvals?|reviews?|reviewers?|approvers?|votes?|signatures?)\b/i,
  /^(?:(?:fatal|error): )?refusing to (?:merge|fetch|pull|push|check ?out|update|delete|overwrite|clone|rebase|rename|move|remove)\b/i,
  // What has to pass before something is merged, and what did not go into a file.
  /\b(?:required|status) (?:status )?checks?\b[^.\n]{0,60}\b(?:failing|failed|pending|missing|expected|queued|in progress|not (?:yet )?(?:pass(?:ed)?|succeeded|completed?)|(?:have|has) not (?:yet )?passed)\b/i,
  /\bhunk #?\d+ \(?(?:failed|could not|cannot|does not|did not|is|at)\b|\b\d+ (?:out )?of \d+ hunks?\b|\b(?:patch|diff|edit) (?:does not|doesn't|did not|didn't) apply\b|\bpatch (?:failed: \S+:\d|fragment without|with only garbage)|\b(?:corrupt|malformed|empty|truncated) (?:patch|diff|hunk)\b|\b(?:could not|cannot|can't|failed to|unable to) apply (?:the |this |that |your )?(?:patch|diff|hunk|edit|change|suggestion)\b/i,
  // A number, and its bound.
  /\b(?:was|is|got|of|has) -?\d[\d.,]{0,15}\b[^.]{0,30}\b(?:max(?:imum)?|min(?:imum)?|limit) (?:is|are|of) -?\d/i,
  /\bmissing (?:script|argument|operand|option|field|value)\b/i,
  // Somebody who was asked has said no.
  /\b(?:user|customer|owner|recipient|approver|reviewer|you) (?:has |have )?(?:declined|rejected|refused|denied|dismissed)\b/i,
  // The same in other languages.
  /(?:^|\s)(?:doit|doivent|muss|müssen|darf|dürfen|debe|deben|deve|devono|moet|moeten|должен|должна|должно|должны)\s/i,
  /^no se encontr(?:ó|aron) (?:el|la|los|las|un|una|ning[uú]n|ninguna) (?!m[oó]dulo|servi|controlador|tabla|host|variable|ruta)/i,
  /\s(?:ist|sind|est|sont|está|están|è|sono)(?: (?:bereits|schon|noch|déjà|encore|ya|già))? (?:gesperrt|belegt|vergeben|geschlossen|abgelaufen|archiviert|verrouillée?s?|bloquée?s?|fermée?s?|occupée?s?|bloquead[oa]s?|cerrad[oa]s?|ocupad[oa]s?|caducad[oa]s?|chius[oaie]|bloccat[oaie]|occupat[oaie])\b/i,
  /^(?:bad|illegal|malformed|ambiguous|unrecogni[sz]ed|unknown) (?!error|failure|exception|opcode)[a-z]/i,
  /^(?:cannot|can't|unable to|could not) (?:delete|edit|rename|move|book|remove|close|cancel|assign|merge|refund|modify|change|click|combine|mix|undo|(?:resolve|find|locate|match) (?:the )?(?:selector|element))\b/i,
  /\b(?:expected (?:exactly |at least |at most )?\d|matched \d+ |only supports?|at (?:least|most) (?:one|\d)|(?:exactly|only|either) (?:one|two) of\b)/i,
  /\b(?:exceeds|too (?:long|short|many|few|wide|big|old|early|late))\b/i,
  /\bhas no (?:column|field|property|attribute|key|member|option|such)\b/i,
  /\b(?:returned|match(?:ed|es)?|found|has|have|holds?) more than \d/i,
  // What a compiler or a test found in what it was given.
  /(?:^|[\s:])[\w./-]+\.[a-z]{1,5}(?:\(\d+,\d+\)|:\d+(?::\d+)?): (?:fatal )?error\b/i,
  /\b\d+ (?:out )?of \d+ (?:unit |integration )?(?:tests?|specs?|test cases|suites|scenarios|assertions) failed\b/i,
  // What was searched for is not there.
  /\b(?:xpath|selector|search|filter|regex|pattern)\b[^.]{0,60} (?:returned|matched|found|selected) (?:no|nothing|zero|0)\b/i,
  /\bnot on (?:the |an? |your )?(?:\w+ ){0,2}\w*list(?:ed)?\b/i,
  /\b(?:requires?|needs?) (?:the|an?) (?:[\w-]+ ){1,3}(?:plan|tier|edition|subscription|role|account)\b/i,
];

/** Of what callers deal with, what it is like; a file may well be binary. */
const LIKE =
  /^(?:(?:the|this) )?(?:file|folder|image|video|audio|document|page|message|attachment|sheet|cell|(?:cell |date |time |page |row )?range|link|post|comment|event|track)(?: \S{1,80})? is (?:not )?(?:an? )?[a-z-]{3,20}[.!]?$/i;

/** A workload with a name of its own, which somebody asked about. */
const WORKLOAD =
  /^(?:pod|container|deployment|job|pipeline|workflow|build|release) ["'`]?[\w./]{0,60}[\d-][\w./-]{0,60}["'`]? is (?:in )?[A-Za-z ]{3,40}[.!]?$/i;

/** How one is, and what to do with it before something else. */
const FIRST =
  /^(?:(?:the|this|your) )?(?:pod|container|deployment|job|pipeline|workflow|build|release|instance|environment|sandbox)(?: ["'`]?[\w./-]{1,60}["'`]?)? is (?:still |already |not )?[a-z]+[.;,:–-] ?[a-z]+ it (?:first|before [a-z]+ing)\b[^.\n]{0,40}[.!]?$/i;

/** The same of things that a caller deals with; machines speak of their own parts in the same way. */
const TELLS: readonly RegExp[] = [
  // What is wanted: `Timezone required`, `Missing currency`, `3 attendees needed`.
  /^(?:[\w'"`.-]+ ){1,5}(?:required|missing|mandatory|needed|expected)[.!]?$|^(?:missing|needs|requires) [a-z'"`]/i,
  // What state it is in.
  /\b(?:is|are|was|were)(?: (?:still|already|currently|now|marked as|set to))? (?:not (?:open|active|editable|available|published|assigned|shared|enabled)|locked|read-only|archived|frozen|reserved|in use|full|booked|busy|occupied|paused|suspended|blocked|pending|a draft|deleted|cancell?ed|expired|inactive|disabled|private|unpublished|sold out|overdue|final)\b/i,
  // What there is too little of.
  /^(?:insufficient|not enough|out of|no more|nothing left|sold out|too (?:little|much))\b/i,
  /\b(?:only|just) (?:\w+ ){1,2}(?:left|available|remaining|in stock|allowed|supported|open)\b/i,
  // What is wrong with it.
  /^(?:invalid|incorrect|wrong|unsupported|duplicate|conflicting|overlapping|impossible) [a-z'"`]/i,
  // What to do next.
  /[;,.:–—-] ?(?:open|create|add|remove|use|set|send|request|pick|rename|merge|close|split|shorten|lower|raise|reduce|increase|correct|change|check|sign|log|switch|ask|invite|enable|unlock) (?:a|an|the|your|another|one|it|them|in|for|to|first)\b/i,
];

/** Parts of a machine. */
const INNER =
  /\b(?:response|answer|repl(?:y|ies)|state|handles?|pointers?|instructions?|checksums?|hooks?|callbacks?|call(?:er)?|this|frames?|packets?|magic|headers?|descriptors?|invocations?|receivers?|tables?|dependenc\w*|builds?|engines?|service account|secrets?|jwt|signatures?|symbols?|queues?|flags?|threads?|mutex|locks?|clusters?|shards?|replicas?|pods?|containers?|kernel|runtime|opcodes?|bytecode|privileges?|permissions?|parameters? passed|arguments? passed|index|cache|buffers?|ports?)\b/i;

const FOR_OPERATORS =
  /\b(?:internal|servers?|backend|upstream|databases?|sql|redis|pool|quer(?:y|ies) failed|deadlock|config\w*|env\w*|deploy\w*|install\w*|modules?|process|workers?|spawn\w*|binary|drivers?|socket|connect\w*|network|hosts?|dns|tls|ssl|certificates?|proxy|heap|memory|disk|storage|stack|null|undefined|nan|function|assert\w*|exception|trace\w*|admin\w*|licen[cs]e|credentials?|verbindung|datenbank|speicher|dienst|connexion|mémoire|base de (?:données|datos)|conexión|memoria|connessione)\b|[{}<>]|;\s*(?:\n|$)|\n\s+at /i;

/** Settings are named like this, and nobody but the operator has any. */
const SETTING =
  /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|URL|URI|HOST|PORT|PATH|DIR|ID|USER|PASSWORD|NAME|REGION)\b/;

const LONGEST = 500;

/** What only sounds like a part of a machine: a bound that a number has to keep, a file that is binary, this order, who one is. */
const HARMLESS =
  /[<>]=? ?-?\d|\bbinary (?=files?|data|content|image)|\bis binary\b|\bin (?:draft|read-only|open|closed|archived) state\b|\bupstream (?=branch)|\bthis (?=[a-z]{3})|\bdo this[.!]?$|\bbe an? admin(?:istrator)?\b|\b(?:last|only|another) admin(?:istrator)?s?\b|\bhandle (?=it|them|the|this|that)|\bmemory (?=["'`])|\btable (?=has \d+ (?:rows|columns|cells)\b)|\btables (?=(?:are )?(?:available|free|left)\b)|(?<=\b\d+ (?:[a-z]+ )?)environments?\b|(?<=\b(?:specify|choose|select|enter|provide|include|add) (?:the|a|an|your|which|its) )(?:state|table|index|container|queue|build)\b|\btable (?=(?:is|was|has) (?:just |already )?(?:been )?(?:booked|free|occupied|reserved|taken)\b)|(?<=^(?:nobody|no one) (?:with|by|under|named|called) [^.]{0,60})registered\b|\bconnect (?=(?:your|an?|the) [a-z])/gi;

/** To ask for patience and another try is no word about what was asked. */
const ONLY_AGAIN =
  /(?:[;,:] ?)?(?:\bplease )?(?:\bwait(?: a (?:bit|moment|while|minute|little))?(?: and|, then|,| then) )?\b(?:re-?try|try)(?: it| this)?(?: again)?(?: later| soon| shortly| in a (?:bit|moment|while|minute|few \w{1,10}))?[.!]*$/i;

/** Is it a short sentence for a caller, that speaks of nothing that only an operator has? */
export function instructs(said: string): boolean {
  const words = said.replace(ONLY_AGAIN, '').trim();
  if ([LIKE, WORKLOAD, FIRST].some((form) => form.test(words)) || isCode(words)) return true;
  const plain = words.replace(HARMLESS, '');
  if (words.length > LONGEST || FOR_OPERATORS.test(plain) || SETTING.test(words)) return false;
  if (INSTRUCTS.some((pattern) => pattern.test(words))) return true;
  if (INNER.test(plain)) return false;
  return (
    isEveryday(words) ||
    (isRule(words) && !speaksOfPrograms(words)) ||
    (!INNER.test(words) && TELLS.some((pattern) => pattern.test(words)))
  );
}

/** Does a sentence speak of parts of a machine, or of what only an operator has? */
export function speaksOfMachines(words: string): boolean {
  const plain = words.replace(HARMLESS, '');
  return FOR_OPERATORS.test(plain) || INNER.test(plain) || SETTING.test(words) || speaksOfPrograms(plain);
}

/** What interfaces say in one word: `cant_update_message`, `no_text`. */
function isCode(words: string): boolean {
  return (
    /^(?:cant|no|too_many|too_few|already|not_in|not_an?)_[a-z]{2,20}(?:_[a-z]{2,20}){0,3}$/.test(words) &&
    !OF_MACHINES.test(words)
  );
}

const OF_MACHINES =
  /connect|auth|server|service|internal|memory|space|backend|host|route|database|_db|timeout|response|handler|config|worker|leader|node|quorum|socket|network|reach|buffer|data$|result|process|thread|lock|key|token|secret|cred|redirect|retr/;

/** Complaints of a handler's own check, about one field or place. */
const FIELD =
  /^(?:pass(?:word|phrase)|pin|otp|token|user_?name|login|secret) (?:is|was) (?:required|missing|not (?:given|sent))[.!]?$|^(?:[a-z]+ )?(?:index|offset|page|line|row|column|position) (?:is )?out of (?:range|bounds): -?\d+$/;

/** A document that somebody handed in. */
const SPOILT =
  /^(?:(?:the|this) )?(?:[a-z]{3,5} )?(?:file|archive|image|video|audio|document|attachment|pdf|spreadsheet)(?: \S{1,80})? is (?:corrupt(?:ed)?|damaged|truncated|unreadable|encrypted)[.!]?$/i;

/** The same of a patch, in the words of git and of `patch`. */
const SPOILT_PATCH =
  /^(?:error: |fatal: )?(?:corrupt(?:ed)?|truncated|damaged|malformed) (?:patch|diff|hunk)(?: at line \d+)?[.!]?$/i;

/** One that opens with a password, which whoever handed it in has. */
const LOCKED =
  /^(?:(?:the|this|your) )?(?:(?:password[- ]protected|encrypted) (?:[a-z]{3,5} )?(?:file|archive|document|attachment|pdf|zip|spreadsheet|workbook|presentation)\b(?=[^\n]{0,80}\bpassword\b)|(?:[a-z]{3,5} )?(?:file|archive|document|attachment|pdf|zip|spreadsheet|workbook|presentation)(?: \S{1,80})? (?:is|needs|requires|has) (?:an? |the )?password\b)[^\n]{0,80}$/i;

/** Does it say of one field that it is missing, of a place that there is none, or of a document that it cannot be read? */
export function complainsOfField(words: string): boolean {
  return [FIELD, SPOILT, SPOILT_PATCH, LOCKED].some((form) => form.test(words));
}
