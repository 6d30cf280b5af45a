/**
 * Sentences of people to people: who may, what is taken, what comes first. They have no word of their own that tells the
 * kind, but they are built alike, whatever they speak of.
 */
import type { Kind } from '../kinds.ts';
import type { Finding } from './verdict.ts';

/** Longer texts explain; what they say in passing is no verdict. */
const LONGEST = 200;
/** Less than any phrase of software's own, and enough to be believed where there is none. */
const WEIGHT = 72;

const START = '(?:^|[.;:!?–—] )(?:error: )?(?:sorry, |please )?';
const CANNOT = `(?:cannot|can't|can not|could not|may not|must not)`;
const PEOPLE =
  'admins?|administrators?|adults|agents?|approvers?|authors?|buyers?|children|colleagues?|customers?|doctors?|drivers?|editors?|employees|guests?|hosts?|managers?|members?|minors|moderators?|organi[sz]ers?|owners?|parents|participants?|partners?|patients?|people|persons?|players?|pupils?|readers?|residents|reviewers?|sellers?|staff|students?|subscribers?|supervisors?|teachers?|tenants|users?|viewers?|visitors?';
const ANOTHER = `(?:(?:somebody|someone|anybody|anyone)(?: else)?|another (?:account|company|department|group|organi[sz]ation|party|team|${PEOPLE}))`;
/** What one thing may be called by, so that nobody else has it. */
const HANDLE = '(?:addresses|address|e-?mail|domain|handle|name|nickname|number|slug|username)';
/** What is undone, or taken away: something else may hold on to it. */
const UNDO =
  'archive|cancel|close|deactivate|decommission|delete|deprovision|detach|disable|drop|merge|move|release|remove|rename|retire|shut down|uninstall|unpublish|unregister';
const UNDOING =
  'archiving|closing|deactivating|deleting|deletion|delete|detaching|disabling|dropping|merging|merge|removal|removing|releasing|uninstalling|unpublishing';
const UNDONE =
  'archived|cancell?ed|closed|deactivated|deleted|detached|disabled|dropped|merged|moved|released|removed|renamed|uninstalled|unpublished';
/** In what way something is held on to. */
const HELD = String.raw`(?:still|in use|used|uses|referenced|references|depends?|dependen\w+|contains?|holds?|has|have|there (?:is|are)|active|open|existing|remain\w*|associated|attached|assigned|linked|running|in progress|default|not (?:empty|zero)|checked out|unmerged)`;
/** What one may have so many of. */
const SIZE = String.raw`\d[\d.,]* ?(?:kb|mb|gb|bytes|kilobytes|megabytes|gigabytes)`;

const form = (source: string): RegExp => new RegExp(source, 'i');

/** `never`: a step was left out, so that the same call meets the same failure. */
interface Sentences {
  readonly kind: Kind;
  readonly never?: true;
  readonly forms: readonly RegExp[];
}

/** The first that fits decides: what is more exact stands before what is less so. */
const SENTENCES: readonly Sentences[] = [
  {
    kind: 'unavailable',
    forms: [
      form(String.raw`\b(?:is|are|went|seems to be|appears to be) (?:currently )?offline\b`),
      form(
        String.raw`\b(?:having )?(?:trouble|problems|difficulties) (?:reaching|connecting to|contacting)\b`,
      ),
    ],
  },
  {
    kind: 'unauthenticated',
    forms: [
      form(
        String.raw`(?:${START}|\b(?:have|need|must) (?:to )?)(?:log|sign) in (?:first|again|to|before|with|and)\b`,
      ),
      form(String.raw`(?:${START}|\b(?:have|need|must) (?:to )?)(?:log|sign) in[.!]?$`),
      form(String.raw`\b(?:logged|signed) (?:you )?out\b`),
      form(String.raw`\byour (?:login|sign-in) (?:is |has |was )?(?:run out|ran out|over|ended|lapsed)\b`),
    ],
  },
  {
    kind: 'approval_required',
    forms: [
      form(
        String.raw`${START}ask (?:an?|the|your|another) (?:\w+ )?(?:${PEOPLE}) (?:to (?:approve|release|confirm|sign|agree)|for (?:an? |their |the )?(?:approval|consent|sign-?off))\b`,
      ),
      form(String.raw`\b(?:must|has to|have to|needs? to) be (?:approved|released|confirmed|signed off)\b`),
      form(String.raw`\bconsent\b[^.;]{0,20} (?:is|was) (?:missing|required|needed)\b`),
    ],
  },
  {
    kind: 'quota_exhausted',
    forms: [
      form(
        String.raw`\b(?:has|have|had|you|'ve) (?:already )?used (?:up )?(?:100 ?%|(?:all|\d+ (?:out )?of \d+|(?:your|its|the) (?:\d+|free|last|monthly|daily|included|remaining))\b)`,
      ),
      form(
        String.raw`${START}all (?:of (?:your|the) )?(?:\d+ )?(?:[a-z]+ ){0,2}(?:credits|invitations|invites|licen[cs]es|minutes|seats|slots|tokens|units) (?:are|have been|were) (?:already )?(?:assigned|allocated|taken|used(?: up)?|in use|gone)\b`,
      ),
      form(
        String.raw`\b(?:no|no more|not any|0|zero) (?:more )?(?:[a-z]+ ){1,3}(?:(?:left|remaining) (?:for |in |on |with |under )?(?:this|the|your|today)|available (?:in|on|with|under) (?:your|this) (?:plan|tier|subscription))\b`,
      ),
      form(
        String.raw`\b(?:your|this|the) (?:[\w-]+ )?(?:account|contract|edition|licen[cs]e|package|plan|subscription|tier|workspace|organi[sz]ation|team) (?:only |does not |doesn't |cannot |can't )?(?:allows?|covers?|have|includes?|permits?|supports?|comes? with|is (?:limited|capped|restricted) (?:to|at)) (?:only |up to |at most |more than |a maximum of )*\d`,
      ),
      form(
        String.raw`\byou (?:can|may) (?:only |not )?(?:have|create|add|keep|own|invite|store|register) (?:only |at most |up to |more than |a maximum of )*\d+\b`,
      ),
      form(
        String.raw`\b(?:reached|hit|exceeded|exceeds|at|over) (?:the|your|its|their|our) (?:[a-z]+ ){0,3}(?:limit|cap|maximum|ceiling)(?: of \d|[.!]?$| for (?:your|this|the|free)\b)`,
      ),
      form(
        String.raw`\b(?:maximum|max|limit) of [\d,.]+ (?:[\w-]+ ){1,4}(?:has been |was |is |already )?(?:reached|exceeded|hit)\b`,
      ),
      form(String.raw`\b(?:run|ran|running) out of (?!time\b|memory\b|space\b|range\b|order\b)[a-z]`),
      form(String.raw`\bupgrade (?:to|your)\b|\btop up\b|\bbuy more\b`),
    ],
  },
  {
    kind: 'conflict',
    forms: [
      form(String.raw`\b(?:out of stock|sold out|fully booked|no longer (?:available|on sale|for sale))\b`),
      form(
        String.raw`\b(?:class|course|event|flight|group|list|room|session|team|train|workshop) is (?:already )?full\b`,
      ),
      form(
        String.raw`\b(?:${CANNOT}|unable to|failed to) (?:${UNDO}) [^\n]{1,100}?(?:[:;,.–—] |\b(?:because|while|as|since|until) )[^\n]{0,60}?\b${HELD}\b`,
      ),
      form(
        String.raw`\b${CANNOT} be (?:${UNDONE})\b[^\n]{0,20}?(?:[:;,.–—] |\b(?:because|while|as|since|until) )[^\n]{0,60}?\b${HELD}\b`,
      ),
      form(String.raw`\b${HELD}\b[^\n.;]{0,60} (?:and|so it|it|they) ${CANNOT} be (?:${UNDONE})\b`),
      form(
        String.raw`(?:\berror (?:while )?(?:${UNDOING})\b[^\n:]{0,80}|\b(?:${UNDOING})\b[^\n:]{0,60} failed): [^\n]{0,60}?\b${HELD}\b`,
      ),
      form(
        String.raw`\b(?:is|are|still|already|currently) (?:being |still |currently )?(?:in use|used|referenced|held|depended on) (?:by|in|on)\b`,
      ),
      form(
        String.raw`\b(?:has|have|with) (?:an? |\d+ |any |still )?(?:active|associated|attached|child|dependent|existing|linked|open|outstanding|pending|remaining|unpaid|unsaved) [a-z]+s?\b`,
      ),
      form(String.raw`\bhas (?:\w+ )?(?:dependencies|dependents|children|references)\b`),
      form(String.raw`\b(?:is|are) attached to (?:\d+|an?|the|other|another)\b`),
      form(String.raw`\b(?:is|are|still|currently) in use\b`),
      form(
        String.raw`${START}all (?:[a-z\d]+ ){1,3}(?:are|have been|were) (?:already )?(?:booked|gone|reserved|sold|taken)\b`,
      ),
      form(String.raw`\b(?:booked|occupied|reserved|taken|rented) (?:from|between|until) \d`),
      form(String.raw`\b${HANDLE}\b[^.;]{0,30} belongs to ${ANOTHER}\b`),
      form(
        String.raw`\b${ANOTHER} (?:has |have |had )?(?:just |already |since )?(?:booked|bought|changed|claimed|edited|locked|modified|moved|reserved|renamed|saved|taken|took|updated)\b`,
      ),
      form(
        String.raw`\b(?:booked|bought|changed|claimed|edited|held|locked|modified|moved|opened|reserved|saved|taken|updated|used) by ${ANOTHER}\b`,
      ),
      form(String.raw`\b${CANNOT} (?:be )?\w+ (?:\w+ ){0,3}twice\b`),
      form(
        String.raw`\b(?:${CANNOT} be \w+ (?:any ?more|any longer)|can no longer be \w+|can be \w+ no longer)\b`,
      ),
      form(
        String.raw`${START}(?:you )?${CANNOT} (?:archive|cancel|close|delete|disable|drop|finish|leave|remove|uninstall) (?:an? |the |this |your )?(?:\w+ ){1,3}(?:with|(?:that|who|which) (?:still )?(?:has|have|contains?|holds?|is|are))\b`,
      ),
      form(
        String.raw`\b(?:folder|bucket|cart|basket|album|group|list|project|trash|collection|category|directory|namespace|queue)(?: [^\\s.;:]{1,60})? (?:is )?not (?:yet )?empty\b`,
      ),
      form(String.raw`\balready (?:contains|holds|includes|on (?:its|the|their) way|in (?:your|the) \w+)\b`),
      form(
        String.raw`\b(?:is|are|was) (?:already )?(?:away|booked|busy|hired|lent|let|occupied|rented|reserved|taken)(?: out)? (?:until|till|from \d|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b`,
      ),
    ],
  },
  {
    kind: 'forbidden',
    forms: [
      form(
        String.raw`\b(?:blocked|banned|muted|kicked) by (?:this|the|that|an?|another) (?:\w+ )?(?:${PEOPLE})\b`,
      ),
      form(String.raw`\b(?:account|card|profile|wallet) (?:is|was|has been) (?:frozen|blocked|banned)\b`),
      form(
        String.raw`\byou (?:have|need|must|should) (?:to )?be (?:an?|the|one of the) (?:[\w-]+ ){0,3}(?:${PEOPLE})\b`,
      ),
      form(
        String.raw`\b(?:your|the current|this) (?:[a-z]+ )?(?:role|group|profile|permissions?|access level)\b(?: [("'\x60][^)"'\x60]{1,40}[)"'\x60])? (?:${CANNOT}|(?:does|do|is|are) not|doesn't|isn't) (?:be )?[a-z]+`,
      ),
      form(
        String.raw`${START}(?:${PEOPLE})(?: (?:with|without|of|in|from) [^.;:]{1,60})? (?:cannot|can't|may not|must not) (?!be\b|have\b|find\b)[a-z]+`,
      ),
      form(
        String.raw`\b(?:limited|restricted|reserved|open only|visible only) (?:to|for) (?:[a-z]+ ){0,2}(?:${PEOPLE})\b`,
      ),
      form(
        String.raw`${START}(?:bots|apps|integrations|${PEOPLE}) (?:cannot|can't) (?!be\b|have\b|find\b)[a-z]+`,
      ),
      form(String.raw`\byou are not (?:the|an?) (?:\w+ )?[a-z]+ of (?:this|the|that)\b`),
      form(
        String.raw`\b(?:sharing|access|downloads?|uploads?|editing|comments?|exports?|invitations?)\b[^.;]{0,60} (?:is|are) (?:turned|switched) off\b`,
      ),
      form(
        String.raw`${START}only (?:the |an? |your )?(?!one\b|two\b|three\b|few)[a-z]+(?:[ '’-][a-z]+){0,4} (?:may|can|(?:is|are) allowed to) (?!be\b|have\b|contain\b|hold\b|occur\b|appear\b)[a-z]+`,
      ),
      form(String.raw`${START}(?:for )?(?:\w+ )?(?:${PEOPLE}) only[.!]?$`),
      form(
        String.raw`${START}(?:[a-z]+ )?(?:${PEOPLE}) (?:may not|(?:are|is) not (?:allowed|permitted|entitled) to|must not) (?!be\b|have\b)[a-z]+`,
      ),
      form(
        String.raw`\byour (?:\w+ )?(?:role|account|plan|membership|profile|rights|contract|card|group) (?:does not|doesn't|do not|don't) (?:let|allow|permit|entitle|cover)\b`,
      ),
      form(String.raw`\bbelongs? to ${ANOTHER}\b`),
      form(
        String.raw`\byou (?:are|were) not (?:on (?:the|this|its) (?:\w+ )?list|invited|part of|among|one of)\b`,
      ),
      form(
        String.raw`\bshared with you (?:as an? (?:viewer|reader|guest|commenter)|for (?:reading|viewing)|to (?:read|view))\b|\byou (?:may|can) only (?:look|view|read|watch|comment)\b`,
      ),
    ],
  },
  {
    kind: 'not_found',
    forms: [
      form(String.raw`${START}no (?:[a-z]+ ){1,3}(?:is |are )?available (?:on|for|in|at|between|from)\b`),
      form(
        String.raw`${START}(?:there (?:is|are|was|were)|(?:i|we) (?:know(?: of)?|have|see|found)) (?:no|not any) (?!need|way|reason|point|doubt|time|more|longer)(?![^.;]*\b(?:left|free|remaining|available)\b)(?:such )?[a-z]`,
      ),
      form(
        String.raw`${START}(?:nobody|no one)\b(?: else)? (?:with|by|named|called|of that|under)\b|${START}(?:nobody|no one|nothing)\b[^.;]{0,60} (?:registered|known|listed|lives|works)\b`,
      ),
      form(
        String.raw`\b(?:search|lookup|filter|question)\b[^.;]{0,40} (?:gave|had|has|brought|yielded|produced|came back with) (?:no|nothing|zero|0)\b`,
      ),
    ],
  },
  {
    kind: 'too_large',
    forms: [
      form(String.raw`\b(?:longer|bigger|larger) than (?:the )?(?:allowed|permitted|maximum)\b`),
      form(
        String.raw`\b(?:up to|at most|no more than|only) \d+ [a-z]+ (?:per|in (?:one|a)) (?:request|call|batch)\b`,
      ),
      form(
        String.raw`\b(?:bigger|larger|heavier|more|longer) than (?:the )?${SIZE}\b|\b(?:over|above) ${SIZE}\b`,
      ),
      form(
        String.raw`\bmore (?:\w+ )?than (?:i|we|this tool|it|one call) can (?!see\b|say\b|tell\b)[a-z]+\b`,
      ),
      form(
        String.raw`${START}(?:split|send|break|divide|cut|import|upload)\b[^.;]{0,40} (?:in|into) (?:smaller |several |fewer |\w+ )?(?:parts|pieces|chunks|batches|portions|steps)\b`,
      ),
    ],
  },
  {
    kind: 'quota_exhausted',
    forms: [
      form(String.raw`\bout of (?:[a-z]+ )?(?:calls|credits|messages|minutes|requests|tokens)\b`),
      form(
        String.raw`\byou(?: have|'ve)? (?:used up|spent|run out of|exhausted|no|reached (?:the|your)) (?:(?:all )?(?:of )?your |the )?(?:free |last )?(?:[a-z]+ ){1,3}(?:for|left|this|per|of (?:the|this)|in your plan)\b`,
      ),
      form(
        String.raw`\b(?:no|no more|not any) (?:[a-z]+ ){1,2}left (?:for )?(?:this|the|your|today|until)\b`,
      ),
      form(String.raw`\byour (?:mailbox|inbox|storage|drive|locker|quota|allowance) is (?:full|used up)\b`),
    ],
  },
  {
    kind: 'not_ready',
    never: true,
    forms: [
      form(
        String.raw`${START}(?:you (?:have|need) to |you must )?(?!wait\b)[a-z]+ (?:your|the|an?|some|all|one) [^.;:]{2,60}? (?:first[.!]?$|before (?:you\b|[a-z]+ing\b))`,
      ),
      form(String.raw`; (?!wait\b)[a-z]+ it (?:first[.!]?$|before (?:you\b|[a-z]+ing\b))`),
    ],
  },
  {
    kind: 'not_ready',
    forms: [
      form(String.raw`\bstill being [a-z]+\b`),
      form(
        String.raw`\b(?:has|have|is|are) (?:not (?:yet )?(?:begun|started|arrived|come|out|here|there|done|over|announced|published|released|opened|open)(?: yet)|not yet (?:begun|started|arrived|out|here|there|done|announced|published|released|open))\b`,
      ),
      form(String.raw`${START}wait (?:for|until|till) (?:the|your|it|them|[a-z]+ to)\b`),
    ],
  },
  {
    kind: 'unsupported',
    forms: [
      form(
        String.raw`${START}(?:i|we) (?:do not|don't|cannot|can't) (?:accept|carry|cover|deliver|fly|offer|sell|serve|ship|speak|stock|support|take)\b`,
      ),
    ],
  },
  {
    kind: 'expired',
    forms: [
      form(String.raw`\bdeadline\b[^.;]{0,40} (?:has |is )?(?:passed|over)\b`),
      form(
        String.raw`\b(?:card|code|coupon|invitation|licen[cs]e|link|offer|pass|passport|ticket|voucher)\b[^.;]{0,20} (?:ran out|(?:has|have) (?:run out|lapsed)|lapsed)\b`,
      ),
    ],
  },
  {
    kind: 'invalid_arguments',
    forms: [
      form(
        String.raw`\b(?:does not|do not|doesn't) match the (?:dimension|format|length|number|pattern|size|type)s? of\b`,
      ),
      form(String.raw`\b(?:entered|gave|given|sent|typed)\b[^.;]{0,20} (?:is|are) not (?:correct|right)\b`),
      form(
        `${START}(?:the |an? )?[\\w"'\`.-]{1,40}(?: [\\w-]{1,30}){0,3} (?:is|are) (?:required|mandatory|missing)[.!]?$`,
      ),
      form(
        String.raw`${START}(?:the |your |this |that )?(?!something|everything|this|that|it\b)(?:[a-z][\w'-]* ){1,4}(?:is blank|(?:looks|seems|sounds) (?:wrong|odd|misspelled|mistyped|incomplete|invalid))\b`,
      ),
      form(String.raw`${START}(?:the |your |both |these )?(?:two )[a-z]+ (?:differ|disagree)\b`),
      form(
        String.raw`\b(?:must|has to|have to|should|needs? to|${CANNOT}) (?:be|come|lie|fall|start|end|begin) (?:before|after|between|above|below|within|earlier|later|higher|lower|more|less|greater|smaller|larger|longer|shorter|zero|negative|in the)\b`,
      ),
      form(
        String.raw`\b(?:comes?|lies|falls|starts|ends|begins|is|are) (?:before|after|earlier than|later than|outside(?: of)?|beyond) (?:the |its |your |that )?[a-z]`,
      ),
      form(
        String.raw`\b(?:is|are) not an? (?:(?:real|known|possible) )?(?:address|city|colou?r|country|currency|date|day|e-?mail(?: address)?|language|month|number|phone number|postcode|time|time ?zone|url|weekday|word|year)\b`,
      ),
      form(
        String.raw`\b(?:has|have|needs?) to (?:be an? (?:\w+ )?(?:date|e-?mail|integer|number|string|time|url|word)|contain|match|start with|end with)\b`,
      ),
      form(String.raw`\b(?:has|have|with) an? (?:wrong|bad|missing|odd) [a-z]+\b`),
      form(
        String.raw`\b(?:longer|shorter|more|fewer|less|over) (?:than )?\d+ (?:characters|digits|letters|lines|pages|words)\b`,
      ),
      form(`${START}(?:enter|give|send|type|use|write) [^.;]{2,40} only[.!]?$`),
      form(String.raw`\bat (?:least|most) (?:\d|one|two|three|four|five|six|seven|eight|nine|ten)\b`),
      form(String.raw`\bnot an? [a-z]+ (?:that |which )?(?:i|we) (?:know|understand|recogni[sz]e)\b`),
      form(
        String.raw`${START}an? [a-z]+ (?:has|have|takes|holds|needs) (?:only|at most|at least|up to|exactly|no more than) (?:\d|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b`,
      ),
      form(
        String.raw`${START}(?:nothing|no [a-z]+) (?:was |were |is |has been )?(?:attached|chosen|entered|given|picked|selected|typed|written)\b`,
      ),
    ],
  },
];

/** Nothing but that it did not work, and a wait that is asked for. */
const LATER =
  /\b(?:try|retry|come back|check back)\b(?: (?:it|this|your request|the request|the operation))?(?: again)? (?:later|shortly|soon|in (?:a|an|\d|some)|after (?:a|some|\d))|\b(?:right now|at the moment|at this time|for a (?:moment|short time))\b[^\n]{0,60}\b(?:again|retry)\b/i;
/** Whoever only says that something failed leaves it to the advice. */
const VAGUE = 61;

/** That it may work later, where nothing that was found says what is wrong. */
export function laterIn(text: string, found: readonly Finding[]): Finding | undefined {
  if (text.length > LONGEST || found.some(({ weight }) => weight >= VAGUE) || !LATER.test(text))
    return undefined;
  return { by: 'sentence', kind: 'unavailable', weight: WEIGHT, says: text.slice(0, 80) };
}

/** What a sentence of everyday language says, where nothing that was found says more. */
export function sentenceIn(text: string, found: readonly Finding[]): Finding | undefined {
  if (text.length > LONGEST || found.some(({ weight }) => weight >= WEIGHT)) return undefined;
  const said = SENTENCES.find(({ forms }) => forms.some((one) => one.test(text)));
  if (said === undefined) return undefined;
  return { by: 'sentence', kind: said.kind, weight: WEIGHT, says: text.slice(0, 80), never: said.never };
}
