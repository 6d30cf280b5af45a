/**
 * Sentences about the things that callers deal with: orders, branches, files, meetings, accounts. They are told by how
 * they are built, or by what they speak of; what a program says of its own failure is no such sentence.
 */

/** How things are, and what can be done with them. */
const SHAPES: readonly RegExp[] = [
  // It is there already, or somebody is at it.
  /^(?:[\w'"`@./#-]+ ){1,5}(?:exists|taken)[.!]?$|^(?:an? |another )?[\w-]+ (?:is )?(?:already |still )?in progress\b/i,
  // How many there are, may or must be.
  /\b(?:only|just) \d+ [^.]{1,40}\b(?:left|available|remaining|in stock|free|open)\b|\bhas only \d+ [a-z]+[.!]?$/i,
  /^(?:the )?(?:min(?:imum)?|max(?:imum)?|smallest|largest|longest|shortest|earliest|latest)\b[^.]{1,60} (?:is|are) /i,
  /\b(?:\d+|one|two|three|four|five)(?: [a-z]+){1,3} or (?:more|less|fewer|longer|shorter)\b|\b\d+ or (?:more|less|fewer|above|below|over|older)\b/i,
  /\bcan (?:hold|have|take|invite|add|use|send|book|order|carry) (?:up to|at most|only) /i,
  /^(?:the |this |your )?(?:[a-z]+ ){0,2}[a-z]+ (?:has|have) \d[\d.,]* (?:rows|columns|cells|lines|pages|entries|items|files|results|members|words)[;,:–-] ?[a-z]+ /i,
  /^(?:the )?max(?:imum)?\b(?![^.]*\b(?:recursions?|iterations?|calls?|attempts?)\b)[^.]{1,60} of \d[\d.,]* (?:was |is |has been )?(?:exceeded|reached)[.!]?$/i,
  /^(?:a |the )?max(?:imum)?(?: of)? \d[\d.,]* [a-z]+(?: [a-z]+)? (?:(?:is |are )?(?:allowed|permitted|possible)|per [a-z]+)[.!]?$/i,
  /^(?:the )?(?:max(?:imum)?|limit) of \d[\d.,]* (?:recipients|guests|members|items|files|attachments|characters|words|labels|tags|users|participants|attendees|pages|rows|seats|tickets|photos|images|comments|orders|projects|folders) (?:was |is |has been )?(?:exceeded|reached)[.!]?$/i,
  /^(?:the |this |that )?(?:flight|train|room|hotel|slot|course|class|event|session|meeting|waiting list|table) (?:is )?(?:full|sold out|booked out|fully booked)[;,:.–-] ?(?:alternatives?|available|free|next|try|other)\b/i,
  /\b(?:up to|at most|no more than|(?:a )?max(?:imum)? of) \d[\d.,]* (?:people|persons|adults|children|guests|participants|attendees|players|passengers|members|seats|items|units|tickets|options|choices|nights|days|pages|files|photos|attachments)\b/i,
  /^(?:sorry, )?we (?:(?:can |do |are )?(?:only|not|no longer)|don't|can't|cannot) (?:able to )?(?:take|accept|serve|ship|deliver|offer|sell|stock|host|book|cater)\b/i,
  /^no [a-z]+s (?:are )?(?:left|available|free|open)[;,.–-]? (?:on|at|in|for|from|before|after|between|until|next|try) \S/i,
  /^(?:0|no|zero) (?:results?|matches|hits|records?|entries)(?: found)?[.!]?$/i,
  // When it is too late, or too early, and when again.
  /^(?:the |this |your )?(?:export|import|upload|download|report|order|transcript|recording|video|file|document|invoice|payment|booking|game|poll) (?:is|was|has) not (?:been )?(?:finished|ready|done|complete|completed) yet\b/i,
  /^(?:please )?(?:try|come|check|ask|call) (?:again|back) (?:after \d|at \d|on \S|from \d|tomorrow|next [a-z])/i,
  /\b(?:window|period|deadline|date|time|offer|sale|trial|poll|auction|vote|registration|enrol?lment|campaign|course)\b[^.]{0,40} (?:has|have|is|are) (?:already |not |long |now )?(?:passed|ended|closed|over|elapsed|begun|started|open|up)\b/i,
  /\b(?:lies|is|are|falls) in the (?:past|future)\b|\bends? before (?:it|they) starts?\b/i,
  /\b(?:opens?|closes?|starts?|ends?|begins?) \d+ (?:minutes?|hours?|days?|weeks?|months?) (?:before|after)\b/i,
  /\b(?:expires?|ends?|starts?|begins?|arrives?|departs?|leaves?) (?:before|after) (?:the|your|it|they)\b/i,
  /^(?:please )?wait until (?:the|your|it|they)\b|\bwill be (?:available|ready|open|done) (?:in|at|on|by|from|after|again|soon|shortly|tomorrow)\b/i,
  // What it is, is not, or is not for.
  /\b(?:is|are|has|have|was|were)(?: been)? (?:not )?(?:declined|diverged|discontinued|incomplete|out of print|verified|turned off|switched off|meant for)\b/i,
  /^(?:[\w'"`./-]+ ){0,3}[\w'"`./-]+ (?:is|are) (?:not )?(?:an? )(?:\w+ )?(?:director(?:y|ies)|folders?|files?|(?:symbolic )?links?|symlink|drafts?|duplicates?)[.!]?$/i,
  /\b(?:is|are) not (?:possible|served|offered|accepted|included|sold|delivered|eligible|in (?:your|the list|stock)|part of (?:your|the))\b/i,
  /\b(?:is|are) (?:inside|outside|behind|ahead)(?: of)? \S/i,
  /\b(?:does|do) not match the [a-z]+ of\b|\b(?:does|do) not match (?:the|your) (?!expected)[a-z]+(?: \([^)]{1,20}\))?[.!]?$/i,
  /\b(?:escapes|leaves) the (?:root|workspace|folder|project|sandbox|allowed)\b/i,
  /\b[A-Z]\w* [\w./+-]{2,60} is (?:unknown|not known)\b|\btoo (?:similar|close|far|near|young|heavy|expensive|weak|common)\b|\bis out of office\b|\bdepends on [a-z]+ #?\d/i,
  /\bis not in (?:the )?[A-Z][a-z]+[.!]?$|\bdo not match: \S+ (?:and|vs\.?) \S+$/,
  /\b(?:is|was|were|been) (?:flagged|held back) (?:by|as|for)\b/i,
  /^(?:this|that|the|your) [a-z]+ (?:sleeps|seats|fits|serves|carries) (?:only |up to |at most )?\d/i,
  // For whom.
  /\b(?:available|open|visible|sold|ships?|delivered?) (?:on|in|for|to|with) [^.]{1,40} only\b|\bfor (?:reading|members|owners|subscribers) only\b/i,
  // What is needed first.
  /\b(?:has|have) to (?:be|start|end|have|contain|match|come|lie)\b|\bneeds? (?:an?|the|at least|one|two|three|\d+|another) [a-z]/i,
  /[;,:.–-] ?[a-z]+(?: (?:it|them|one|the [a-z]+))?(?: (?:on|off|up|in|out|down))? first[.!]?$|^[a-z]+ (?:your|the|an?) [a-z]+ first[.!]?$|: [a-z]+ (?:[a-z]+ ){1,4}first[.!]?$/i,
  // What cannot be done with what.
  /^you (?:cannot|can't|can not|can only|may not|may only|have|are|were|must|need|already|do not|don't)\b|^your [a-z]/i,
  /^(?:cannot|can't|can not) [a-z-]+ (?:to |from |into )?(?:an?|the|your|this|\w+)\b[^;!?\n]{0,60}\b(?:that|who|which|because|while|without|until|as|protected|encrypted)\b/i,
  /^(?:cannot|can't|can not|could not|unable to) divide by (?:zero|0)\b|^circular reference in [a-z]{1,3}\d/i,
  /^(?:cannot|can't|can not|could not|unable to) (?:decode|open|play|read|convert|transcribe|resize|crop|print|display) (?:the |this |that |your )?(?:audio|video|image|picture|photo|document|pdf|spreadsheet|recording|attachment)\b/i,
  // What was not there.
  /^no [a-z]+s (?:from|between|near|within|on|before|after) \S/i,
  /(["'`])[^"'`]{1,80}\1 has no (?!method|member|export|attribute|property|function)[a-z]+(?: [a-z]+)? (?:["'`]|(?:with|named|called|titled) \S)/i,
  /^no (?!mapping|overload|cast|converter)[a-z]+(?: [a-z]+)? (?:between \S[^.;]{0,60} and|from \S[^.;]{0,60} to) \S/i,
  /^nothing (?:to|left to) [a-z]+|^(?:nothing|none|no [a-z]+) (?:matched|matches|fits|fit)\b|^no (?:free|open|available|suitable|matching) [a-z]/i,
];

/** What callers deal with. */
const THING =
  /^(?:(?:the|this|that|these|an?|all|your|two|three|\d+) )?(?:[\w'-]+ ){0,2}?(?:orders?|products?|items?|articles?|carts?|baskets?|vouchers?|coupons?|refunds?|returns?|deliver(?:y|ies)|shipments?|parcels?|invoices?|subscriptions?|addresses|address|postcode|customers?|guests?|cards?|prices?|currency|branch(?:es)?|tags?|commits?|pull requests?|repositor(?:y|ies)|rebase|files?|folders?|director(?:y|ies)|archives?|paths?|images?|documents?|pages?|sheets?|rows?|lines?|columns?|calendars?|events?|meetings?|attendees?|rooms?|slots?|appointments?|bookings?|reservations?|working hours|accounts?|invitations?|usernames?|nicknames?|handles|passwords?|phone numbers?|emails?|members?|teams?|boards?|tasks?|milestones?|projects?|tickets?|issues?|comments?|posts?|polls?|labels?|lists?|courses?|seats?|flights?|trips?|rooms|recipients?|contacts?|messages?|drafts?|promotions?|offers?|patch(?:es)?|series|formulas?|charts?|slides?|time ?zones?|dates?|reminders?|names?|quantit(?:y|ies)|amounts?|sizes?|colou?rs?|stores?|shops?|plans?|groups?|photos?|videos?|songs?|playlists?|reports?|surveys?|questions?|answers?|notes?|recipes?|warehouses?|countr(?:y|ies)|cit(?:y|ies)|languages?|worktrees?|submodules?|stash|people|person|users?|workflows?|automations?|devices?|lights?|lamps?|thermostats?|scenes?)\b(?= ?\S)/i;

/** A verb of how a thing is; a mere noun phrase says nothing. */
const VERB =
  /\b(?:is|are|was|were|has|have|had|can|cannot|can't|may|must|should|does|do|doesn't|don't|isn't|aren't|needs?|ends?|starts?|begins?|exists?|overlaps?|ships?|shares?|depends|belongs?|contains?|holds?|costs?|grew|became|ended|started|closed|refers?|applies|apply|changed|lacks?|exceeds?)\b/i;

/** What a program says of itself. */
const FAILS =
  /\b(?:fail\w*|errors?|exceptions?|crash\w*|unexpected\w*|unhandled|time[sd]?[ -]?out|abort\w*|unreachable|unavailable|corrupt\w*|stale|sync\w*|loop|services?|returned|respond\w*|status|retr(?:y|ies|ied)|refused|reset|never|implemented|migrations?|election|startup|shutdown|maintenance|recovery|failover|replication|primary|nodes?|leader|initiali[sz]\w*|iterable|instance|initialized|parsed?|serializ\w*|schema|token|bytes?|payload|json|xml|html|http|mock|fixture|transaction|nil|none|truthy|iterator|constructor|prototype|enum|struct|offset|length|register\w*|mounted|rendered|props?|provider|context|hooks?|consumers?|producers?|lag|gateway|brokers?|bus|watchers?|runners?|emitters?|listeners?|processors?|gpu|feed|entit(?:y|ies)|aggregates?|mappers?|resolvers?|generators?|factor(?:y|ies)|disposed|objects?|invariants?|tenants?|pid|logs?(?! (?:in|on|out)\b)|daemons?|handlers?|schedulers?|controllers?|adapters?|plugins?|dispatchers?|publishers?|parsers?|compilers?|loaders?|manifests?|snapshots?|rotated|gc|cpu|quorum|leases?|heartbeats?|projections?|indexed|store is)\b/i;

const LONGEST_SENTENCE = 160;

/** Does it speak of a program, or of how one fares? */
export function speaksOfPrograms(words: string): boolean {
  return FAILS.test(words);
}

/** Is it a plain sentence about something that a caller deals with? */
export function isEveryday(words: string): boolean {
  if (words.length > LONGEST_SENTENCE || words.includes('\n') || speaksOfPrograms(words)) return false;
  return SHAPES.some((shape) => shape.test(words)) || (THING.test(words) && VERB.test(words));
}
