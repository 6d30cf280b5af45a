/** The forms of sentences of people to people, by the kind that they tell. */
import type { Kind } from '../kinds.ts';
import { type Form, sentenceForm } from './forms.ts';

const START = '(?:^|[.;:!?–—] )(?:error: )?(?:sorry, |please )?';
const CANNOT = `(?:cannot|can't|can not|could not|may not|must not)`;
const PEOPLE =
  'admins?|administrators?|adults|agents?|approvers?|authors?|buyers?|children|colleagues?|customers?|doctors?|drivers?|editors?|employees|guests?|hosts?|managers?|members?|minors|moderators?|organi[sz]ers?|owners?|parents|participants?|partners?|patients?|people|persons?|players?|pupils?|readers?|residents|reviewers?|sellers?|staff|students?|subscribers?|supervisors?|teachers?|tenants|users?|viewers?|visitors?';
const ANOTHER = `(?:(?:somebody|someone|anybody|anyone)(?: else)?|another (?:account|company|department|group|organi[sz]ation|party|team|${PEOPLE}))`;
/** What one thing may be called by, so that nobody else has it. */
const HANDLE = '(?:addresses|address|e-?mail|domain|handle|name|nickname|number|slug|username)';
/** What one has for a time. */
const BOOKABLE =
  '(?:appointments?|apartment|bay|bed|berth|bike|boat|cabin|car|court|date|desk|field|flat|hall|house|item|lane|locker|pitch|place|room|seats?|slots?|space|spot|stand|studio|table|tent|ticket|time|vehicle)';
/** Who decides for others what they may. */
const ADMIN = '(?:admin(?:istrator)?s?|company|employer|it department|organi[sz]ation|owners?|tenant)';
const CONSENT = '(?:accept|allow|approve|authori[sz]e|consent|give (?:its |their )?consent|grant|permit)';
/** What is undone, or taken away: something else may hold on to it. */
const UNDO =
  'archive|cancel|close|deactivate|decommission|delete|deprovision|detach|disable|drop|merge|move|release|remove|rename|retire|shut down|uninstall|unpublish|unregister';
const UNDOING =
  'archiving|closing|deactivating|deleting|deletion|delete|detaching|disabling|dropping|merging|merge|removal|removing|releasing|uninstalling|unpublishing';
const UNDONE =
  'archived|cancell?ed|closed|deactivated|deleted|detached|disabled|dropped|merged|moved|released|removed|renamed|uninstalled|unpublished';
/** In what way something is held on to. */
const HELD = String.raw`(?:still|in use|used|uses|referenced|references|depends?|dependen\w+|contains?|holds?|owns?|has|have|there (?:is|are)|active|open|existing|remain\w*|associated|attached|assigned|linked|running|in progress|default|not (?:empty|zero)|checked out|unmerged)`;
/** How long something took, or is to take. */
const SPAN = String.raw`\d+(?:\.\d+)? ?(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b`;
const SIZE = String.raw`\d[\d.,]* ?(?:[kmg]i?b|bytes|kilobytes|megabytes|gigabytes)`;

const either = (...forms: readonly string[]): readonly Form[] =>
  forms.map((form) => sentenceForm(new RegExp(form, 'i')));

/** `never`: a step was left out, so that the same call meets the same failure. */
interface Sentences {
  readonly kind: Kind;
  readonly never?: true;
  readonly said: readonly Form[];
}

/** The first that fits decides: what is more exact stands before what is less so. */
export const SENTENCES: readonly Sentences[] = [
  {
    kind: 'unavailable',
    said: either(
      String.raw`\b(?:there(?:'s| is| was)|due to|because of|during|having) an? (?:\w+ )?outage\b|\boutage (?:affecting|at|in|is ongoing|of)\b`,
      String.raw`\b(?:is|are|went|seems to be|appears to be) (?:currently )?offline\b`,
      String.raw`\b(?:having )?(?:trouble|problems|difficulties) (?:reaching|connecting to|contacting)\b`,
      String.raw`\b(?:nobody|no one|nothing) (?:answers|is listening|listens|responds|picks up)\b`,
      String.raw`\b(?:couldn't|could not|cannot|can't) (?:get through|get hold of|be reached)\b`,
      String.raw`\b(?:system|service|server|site|supplier|provider|api|network|database|platform|website|backend|hub|feed)s? (?:is|are|was|went|seems? to be|appears? to be) (?:currently )?(?:down|out of service|not up)\b`,
      String.raw`\b(?:closed|down|offline) for (?:maintenance|repairs?|an? (?:upgrade|update))\b`,
    ),
  },
  {
    kind: 'disconnected',
    said: either(
      String.raw`\blost (?:contact|touch|connection|sight of)\b`,
      String.raw`\b(?:hung up|went dead|dropped out)\b`,
      String.raw`\bwent away (?:before|while|during|in the middle)\b`,
    ),
  },
  {
    kind: 'overloaded',
    said: either(
      String.raw`\ball (?:of )?(?:our |the )?(?:\w+ )?(?:agents|instances|lines|operators|servers|slots|threads|workers) are (?:busy|occupied|in use)\b`,
      String.raw`\b(?:is|are|running) at (?:full |maximum )?capacity\b`,
      String.raw`\btoo much (?:load|traffic|demand|work)\b`,
      String.raw`\bno (?:free|idle) (?:agents|connections|instances|slots|threads|workers)\b`,
      String.raw`\bno available (?:backend|connection|gpu|instance|node|runner|server|thread|upstream|worker)s?\b`,
      String.raw`^(?:\w+ ){1,4}(?:is|are) (?:currently |still )?busy[.;,!] [^\n]{0,20}\b(?:again|retry)\b`,
      String.raw`\bswamped\b`,
    ),
  },
  {
    kind: 'timeout',
    said: either(
      String.raw`\bg(?:ave|iving) up (?:after|waiting)(?: (?:waiting|trying))?(?: for)? (?:${SPAN}|[a-z])`,
      String.raw`\b(?:no|without an?|without any) (?:ack\w*|answer|confirmation|heartbeat|response|reply|result)\b[^.;]{0,40}? (?:after|within|in|for) ${SPAN}`,
      String.raw`\b(?:ran|runs|running|run|took|takes|taking|lasted) (?:for )?(?:longer|more) than (?:${SPAN}|expected|allowed|usual)`,
      String.raw`\bwaited (?:for )?${SPAN}`,
      String.raw`\b(?:not|n't) (?:answer|complete|end|finish|load|reply|respond|return)\w* (?:in|within) (?:the )?(?:allotted|allowed|available|given|time)\b`,
      String.raw`\b(?:has|have) not (?:answered|replied|responded)\b`,
      String.raw`\b(?:ack\w*|answer|confirmation|greeting|heartbeat|reply|response) (?:was |has )?never (?:arrived|came|received|sent)\b`,
    ),
  },
  {
    kind: 'rate_limited',
    said: either(
      String.raw`\bwait (?:at least )?${SPAN} (?:before|between|until you)`,
      String.raw`\byou (?:can|may) [a-z]+ (?:\w+ )?again in ${SPAN}`,
      String.raw`\bcool(?:ing)? ?-?down\b`,
      String.raw`\b(?:faster|more often|quicker) than (?:i|we|it|the \w+) (?:can|allows?|permits?|takes?)\b`,
      String.raw`\b0 (?:of|/|out of) \d+ (?:calls|queries|requests) (?:left|remaining)\b`,
      String.raw`\b(?:one (?:call|query|request)|(?:at most|limit(?:ed)?(?: is| of| to)?:?|max(?:imum)?(?: of)?:?|more than|only|up to) \d[\d,]* (?:[a-z]+ )?[a-z]+) ?(?:\/|per|an?|each|every) ?(?:second|sec|minute|min|hour)\b`,
    ),
  },
  {
    kind: 'upstream_failed',
    said: either(
      String.raw`\b(?:api|backend|bank|partner|provider|server|service|shop|supplier|system|upstream|vendor)(?:'s)?\b[^.;]{0,20}? (?:reported|had|hit|ran into|raised|threw|reports) an? (?:\w+ )?(?:error|problem|fault)\b`,
    ),
  },
  {
    kind: 'upstream_failed',
    never: true,
    said: either(
      String.raw`\b(?:sent|returned|gave|(?:answered|came back|replied|responded) with|delivered) (?:\w+ )?(?:something|what|text|data|an? \w+) that (?:isn't|is not|wasn't|was not|cannot be|can't be|makes no)\b`,
      String.raw`\b(?:answer|reply|response)\b(?: from [^.;]{1,30})? (?:lacks|is missing|is not well-formed|is not valid|makes no sense)\b`,
      String.raw`\bmake (?:any )?sense of (?:the|its|that) (?:answer|reply|response)\b`,
      String.raw`\b(?:page|html|xml|text) where (?:json|xml|data|a \w+) was expected\b`,
    ),
  },
  {
    kind: 'input_required',
    said: either(
      String.raw`${START}(?:answer|complete|confirm|continue|fill (?:in|out)|finish|open)\b[^.;]{0,50}? (?:in (?:the|your|a|that) (?:app|browser|dialog|tab|window)|(?:the|this|that) (?:form|questionnaire|survey)\b|at https?:)`,
      String.raw`\bthe user (?:has|needs|must) (?:to )?(?:answer|choose|confirm|enter|fill|pick|select)\b`,
    ),
  },
  {
    kind: 'cancelled',
    said: either(
      String.raw`\b(?:called off|stopped|ended|interrupted) (?:by|on|at) (?:the |your )?(?:client|caller|user|request)\b`,
      String.raw`\b(?:user|you) (?:closed|dismissed|left|pressed cancel)\b`,
    ),
  },
  {
    kind: 'misconfigured',
    said: either(
      String.raw`\b(?:deployed|launched|running|set up|started) without (?:an? |any )?(?:[\w-]+ ){0,3}(?:config\w*|credentials?|key|password|secret|token)\b`,
      String.raw`\b(?:operator|administrator|admin) (?:has to|must|needs to|should|did not|forgot to) (?:set|configure|install|provide|enable)\b`,
      String.raw`\.(?:ya?ml|toml|ini|conf|env|json): (?:unknown|unexpected|missing|invalid)\b`,
    ),
  },
  {
    kind: 'internal',
    said: either(
      String.raw`\b(?:should|must|can) (?:never|not) (?:happen|be reached|get here|occur)\b`,
      String.raw`\b(?:this|that|it) (?:is|looks like|may be) an? bug\b|\bbug: `,
    ),
  },
  {
    kind: 'unauthenticated',
    said: either(
      String.raw`(?:${START}|\b(?:have|need|must) (?:to )?)(?:log|sign) in (?:first|again|to|before|with|and)\b`,
      String.raw`(?:${START}|\b(?:have|need|must) (?:to )?)(?:log|sign) in[.!]?$`,
      String.raw`\b(?:logged|signed) (?:you )?out\b`,
      String.raw`\b(?:caller|client|requester|sender) (?:could not|cannot|can't) be identified\b|${START}identify yourself\b`,
      String.raw`\b(?:could not|couldn't|cannot|can't) (?:establish|tell|verify) who\b`,
      String.raw`\byou (?:did not|didn't|have not|haven't) (?:authenticated?|identified|identify yourself)\b`,
      String.raw`\b(?:call|request) (?:is|was) not signed\b|\banonymous (?:access|calls|requests) (?:is|are) not\b`,
      `^authenticate[.!]?$`,
      String.raw`\byour (?:login|sign-in) (?:is |has |was )?(?:run out|ran out|over|ended|lapsed)\b`,
      String.raw`${START}(?:connect|link|pair) your (?:[\w-]+ ){1,2}account\b(?![^.;]* before\b)`,
      String.raw`\b(?:don't|do not|cannot|can't) (?:know|tell|see) who you are\b`,
      String.raw`\b(?:key|token|pass|passphrase)\b[^.;]{0,30} (?:was|is|has been|were) (?:revoked|withdrawn|rotated|turned off|no longer (?:accepted|valid|good))\b`,
      String.raw`\banonymous (?:access|calls?|callers|requests?|users?)\b[^.;]{0,20} (?:not|no longer) (?:accepted|allowed|permitted|possible)\b`,
    ),
  },
  {
    kind: 'approval_required',
    said: either(
      String.raw`${START}ask (?:an?|the|your|another) (?:\w+ )?(?:${PEOPLE}) (?:to (?:approve|release|confirm|sign|agree)|for (?:an? |their |the )?(?:approval|consent|sign-?off))\b`,
      String.raw`\b(?:must|has to|have to|needs? to) be (?:approved|released|confirmed|signed off)\b`,
      String.raw`\bconsent\b[^.;]{0,20} (?:is|was) (?:missing|required|needed)\b`,
      String.raw`\b(?:your|the|an?|another) (?:\w+ )?(?:${PEOPLE}|boss|lead|human|colleague) (?:has|have|needs?|must) (?:to )?(?:agree|approve|confirm|okay|ok|release|sign)\b`,
      String.raw`\bsecond pair of eyes\b|\bfour[- ]eyes\b`,
      String.raw`\bneeds? (?:an? |the |your )?(?:\w+ )?(?:human|manager|person|admin\w*|owner|supervisor|boss)(?:'s)? (?:ok|okay|go-ahead|approval|consent|sign-?off|confirmation|blessing)\b`,
      String.raw`\bconfirm(?:ed|ation)? ?[=:] ?(?:true|yes|1)\b|\bconfirm with\b`,
      String.raw`\bwaiting for (?:an? |the |your )?(?:\w+ )?(?:approval|approver|reviewer|sign-?off|go-ahead)\b`,
    ),
  },
  {
    kind: 'quota_exhausted',
    said: either(
      String.raw`\b(?:has|have|had|you|'ve) (?:already )?used (?:up )?(?:100 ?%|(?:all|\d+ (?:out )?of \d+|(?:your|its|the) (?:\d+|free|last|monthly|daily|included|remaining))\b)`,
      String.raw`${START}all (?:of (?:your|the) )?(?:\d+ )?(?:[a-z]+ ){0,2}(?:credits|invitations|invites|licen[cs]es|minutes|seats|slots|tokens|units) (?:are|have been|were) (?:already )?(?:assigned|allocated|taken|used(?: up)?|in use|gone)\b`,
      String.raw`\b(?:no|no more|not any|0|zero) (?:more )?(?:[a-z]+ ){1,3}(?:(?:left|remaining) (?:for |in |on |with |under )?(?:this|the|your|today)|available (?:in|on|with|under) (?:your|this) (?:plan|tier|subscription))\b`,
      String.raw`\b(?:your|this|the) (?:[\w-]+ )?(?:account|contract|edition|licen[cs]e|package|plan|subscription|tier|workspace|organi[sz]ation|team) (?:only |does not |doesn't |cannot |can't )?(?:allows?|covers?|have|includes?|permits?|supports?|comes? with|is (?:limited|capped|restricted) (?:to|at)) (?:only |up to |at most |more than |a maximum of )*\d`,
      String.raw`\byou (?:can|may) (?:only |not )?(?:have|create|keep|own|store|register) (?:only |at most |up to |more than |a maximum of )*\d+\b`,
      String.raw`\b(?:reached|hit|exceeded|exceeds|at|over) (?:the|your|its|their|our) (?:[a-z]+ ){0,3}(?:limit|cap|maximum|ceiling)(?: of \d|[.!]?$| for (?:your|this|the|free)\b)`,
      String.raw`\b(?:maximum|max|limit) of [\d,.]+ (?:[\w-]+ ){1,4}(?:has been |was |is |already )?(?:reached|exceeded|hit)\b`,
      String.raw`\b(?:run|ran|running) out of (?!time\b|memory\b|space\b|range\b|order\b)[a-z]`,
      String.raw`\bupgrade (?:to|your)\b|\btop up\b|\bbuy more\b`,
      String.raw`\byour (?:\d+ )?(?:free|included|monthly|daily) (?:[a-z]+ ){1,4}(?:are|is|have) (?:all )?(?:gone|over|used up|spent)\b`,
      String.raw`\b(?:this|the) (?:month|week|day|year)'s [a-z]+ (?:are|is|have been) (?:gone|spent|exhausted|used up)\b`,
      String.raw`\b(?:payment|invoice|subscription|bill)\b[^.;]{0,30} (?:is |are )?(?:overdue|past due|unpaid|in arrears)\b`,
      String.raw`\b(?:spend(?:ing)?|cost|usage) (?:cap|limit|ceiling) (?:was |is |has been )?(?:hit|reached|exceeded)\b`,
      String.raw`\bpart of the (?:[\w-]+ )?(?:plan|tier|edition|subscription)\b`,
    ),
  },
  {
    kind: 'conflict',
    said: either(
      String.raw`\b(?:out of stock|sold out|fully booked|no longer (?:available|on sale|for sale))\b`,
      String.raw`\b(?:class|course|event|flight|group|list|room|session|team|train|workshop) is (?:already )?full\b`,
      String.raw`\b(?:${CANNOT}|unable to|failed to) (?:${UNDO}) [^\n]{1,100}?(?:[:;,.–—] |\b(?:because|while|as|since|until) )[^\n]{0,60}?\b${HELD}\b`,
      String.raw`\b${CANNOT} be (?:${UNDONE})\b[^\n]{0,20}?(?:[:;,.–—] |\b(?:because|while|as|since|until) )[^\n]{0,60}?\b${HELD}\b`,
      String.raw`\b${HELD}\b[^\n.;]{0,60} (?:and|so it|it|they) ${CANNOT} be (?:${UNDONE})\b`,
      String.raw`(?:\berror (?:while )?(?:${UNDOING})\b[^\n:]{0,80}|\b(?:${UNDOING})\b[^\n:]{0,60} failed): [^\n]{0,60}?\b${HELD}\b`,
      String.raw`\b(?:is|are|still|already|currently) (?:being |still |currently )?(?:in use|used|referenced|held|depended on) (?:by|in|on)\b`,
      String.raw`\b(?:has|have|with) (?:an? |\d+ |any |still )?(?:active|associated|attached|child|dependent|existing|linked|open|outstanding|pending|remaining|unpaid|unsaved) [a-z]+s?\b`,
      String.raw`\bhas (?:\w+ )?(?:dependencies|dependents|children|references)\b`,
      String.raw`\b(?:is|are) attached to (?:\d+|an?|the|other|another)\b`,
      String.raw`\b(?:is|are|still|currently) in use\b`,
      String.raw`${START}all (?:[a-z\d]+ ){1,3}(?:are|have been|were) (?:already )?(?:booked|gone|reserved|sold|taken)\b`,
      String.raw`\b(?:booked|occupied|reserved|taken|rented) (?:from|between|until) \d`,
      String.raw`\b${HANDLE}\b[^.;]{0,30} belongs to ${ANOTHER}\b`,
      String.raw`\b${ANOTHER} (?:has |have |had )?(?:just |already |since )?(?:booked|bought|changed|claimed|edited|locked|modified|moved|reserved|renamed|saved|taken|took|updated)\b`,
      String.raw`\b${ANOTHER} is (?:already |currently )?(?:changing|editing|modifying|updating|using|working on)\b`,
      String.raw`\b(?:${CANNOT}|unable to|not (?:allowed|possible)|failed to|prevents?)\b[^\n]{1,80}\b(?:has|in|is in|with|when|while|because of)(?: an?| the| its| this)?(?: current)? (?:status|state)\b(?! ?(?:code|text|:? ?\d))`,
      String.raw`\b(?:status|state)(?: of|:| is)? ["'\x60]?[a-z_]+["'\x60]? (?:does not allow|doesn't allow|prevents?|forbids?)\b`,
      String.raw`\b(?:booked|bought|changed|claimed|edited|held|locked|modified|moved|opened|reserved|saved|taken|updated|used) by ${ANOTHER}\b`,
      String.raw`\b${CANNOT} (?:be )?\w+ (?:\w+ ){0,3}twice\b`,
      String.raw`\b(?:${CANNOT} be \w+ (?:any ?more|any longer)|can no longer be \w+|can be \w+ no longer)\b`,
      String.raw`${START}(?:you )?${CANNOT} (?:archive|cancel|close|delete|disable|drop|finish|leave|remove|uninstall) (?:an? |the |this |your )?(?:\w+ ){1,3}(?:with|(?:that|who|which) (?:still )?(?:has|have|contains?|holds?|is|are))\b`,
      String.raw`\b(?:folder|bucket|cart|basket|album|group|list|project|trash|collection|category|directory|namespace|queue)(?: [^\s.;:]{1,60})? (?:is )?not (?:yet )?empty\b`,
      String.raw`\balready (?:contains|holds|includes|on (?:its|the|their) way|in (?:your|the) \w+)\b`,
      String.raw`\b(?:is|are|was) (?:already )?(?:away|booked|busy|hired|lent|let|occupied|rented|reserved|taken)(?: out)? (?:until|till|from \d|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b`,
      String.raw`\b(?:copy|version|revision|draft) (?:is|was) (?:older|behind|outdated|newer)\b`,
      String.raw`\b${BOOKABLE}\b(?: (?!not\b|no\b)[\w:#.-]+){0,4}? (?:has|have|is|are|was|were) (?:just |already |currently |fully )?(?:been )?(?:gone|taken|sold|booked|given (?:away|to)|occupied|rented|reserved)\b(?! (?:for|to) (?:the )?(?:${PEOPLE})\b)`,
      String.raw`\b${BOOKABLE}\b(?: (?!not\b|no\b)[\w:#.-]+){0,4}? (?:is|are) (?:no longer|not) (?:free|open)\b`,
      String.raw`\byou ${CANNOT} [a-z]+ (?:[a-z]+ ){1,3}while\b|\bdouble[ -]book(?:ed|ing)\b|${START}not free (?:at|on|until)\b`,
      String.raw`\b(?:was|is|has been|were) (?:already )?(?:archived|cancell?ed|closed|completed|finali[sz]ed|locked|paid|sent|shipped|signed|submitted)\b[^.;]{0,30} (?:and|so) (?:it )?(?:can't|cannot|can no longer|may not)\b`,
      String.raw`\b(?:case|invoice|issue|offer|order|poll|project|pull request|shipment|thread|ticket|topic) (?:[\w#-]+ )?is (?:already |now )?(?:cancell?ed|closed|completed|finished|locked|on hold|paid|shipped)\b`,
      String.raw`\b(?:can't|cannot) (?:be|happen|run|take place) at the same time\b`,
      String.raw`\b(?:is|are) (?:already |currently |still )?being (?:deleted|edited|migrated|modified|moved|processed|replaced|updated|used)\b`,
      String.raw`\b(?:because|but|since)\b[^.;]{0,40} (?:has|have) no (?!access|permission|rights?)[a-z]`,
      String.raw`\bthere already (?:is|are)\b|\bis (?:running|there|open|done|taken) already\b`,
    ),
  },
  {
    kind: 'forbidden',
    said: either(
      String.raw`\b(?:blocked|banned|muted|kicked) by (?:this|the|that|an?|another) (?:\w+ )?(?:${PEOPLE})\b`,
      String.raw`\b(?:account|card|profile|shop|store|subscription|wallet|workspace) (?:is|was|has been) (?:frozen|blocked|banned|suspended)\b`,
      String.raw`\byou (?:have|need|must|should) (?:to )?be (?:an?|the|one of the) (?:[\w-]+ ){0,3}(?:${PEOPLE})\b`,
      String.raw`\b(?:your|the current|this) (?:[a-z]+ )?(?:account|role|group|profile|permissions?|access level)\b(?: [("'\x60][^)"'\x60]{1,40}[)"'\x60])? (?:${CANNOT}|(?:does|do|is|are) not|doesn't|isn't) (?:be )?[a-z]+`,
      String.raw`${START}(?:${PEOPLE})(?: (?:with|without|of|in|from) [^.;:]{1,60})? (?:cannot|can't|may not|must not) (?!be\b|have\b|find\b)[a-z]+`,
      String.raw`\b(?:limited|restricted|reserved|open only|visible only) (?:to|for) (?:[a-z]+ ){0,2}(?:${PEOPLE})\b`,
      String.raw`${START}(?:bots|apps|integrations|(?:basic|free|guest|test|trial) (?:accounts?|keys?|plans?)|(?:${PEOPLE})(?: ["'\x60][^"'\x60]{1,80}["'\x60])?) (?:cannot|can't) (?!be\b|have\b|find\b)[a-z]+`,
      String.raw`\byou are not (?:the|an?) (?:\w+ )?[a-z]+ of (?:this|the|that)\b`,
      String.raw`\b(?:sharing|access|downloads?|uploads?|editing|comments?|exports?|invitations?)\b[^.;]{0,60} (?:is|are) (?:turned|switched) off\b`,
      String.raw`${START}only (?:the |an? |your )?(?!one\b|two\b|three\b|few)[a-z]+(?:[ '’-][a-z]+){0,4} (?:may|can|(?:is|are) allowed to) (?!be\b|have\b|contain\b|hold\b|occur\b|appear\b)[a-z]+`,
      String.raw`${START}(?:for )?(?:\w+ )?(?:${PEOPLE}) only[.!]?$`,
      String.raw`${START}(?:[a-z]+ )?(?:${PEOPLE}) (?:may not|(?:are|is) not (?:allowed|permitted|entitled) to|must not) (?!be\b|have\b)[a-z]+`,
      String.raw`\byour (?:\w+ )?(?:role|account|plan|membership|profile|rights|contract|card|group) (?:does not|doesn't|do not|don't) (?:let|allow|permit|entitle|cover|include)\b`,
      String.raw`\bbelongs? to ${ANOTHER}\b`,
      String.raw`\byou (?:are|were) not (?:on (?:the|this|its) (?:\w+ )?list|invited|part of|among|one of)\b`,
      String.raw`\bshared with you (?:as an? (?:viewer|reader|guest|commenter)|for (?:reading|viewing)|to (?:read|view))\b|\byou (?:may|can) only (?:look|view|read|watch|comment)\b`,
      String.raw`\byou (?:can|may) (?:look|view|read|see|comment)\b[^.;]{0,40} but (?:not|can't|cannot|nothing)\b`,
      String.raw`\bhas (?:turned|switched) off (?:access|comments?|downloads?|exports?|invitations?|replies|sharing)\b`,
      String.raw`\b(?:file|folder|path)\b[^.;]{0,30} is outside (?:of )?(?:the|your|my|what)\b`,
      String.raw`\b(?:law|policy|policies|regulations?|rules?|terms)\b[^.;]{0,40} (?:prohibits?|forbids?|does not allow|do not allow|don't allow|blocks?|prevents?)\b|\bfor legal reasons\b`,
      String.raw`\b(?:channel|chat|group|organi[sz]ation|repository|server|site|workspace) (?:does not|doesn't) (?:accept|allow|let|permit)\b`,
      String.raw`${START}(?:that is |that's |this is )?not your [a-z]+\b`,
      String.raw`\byou (?:${CANNOT}|(?:are not|aren't) able to) (?:access|approve|archive|assign|call|change|close|create|delete|do|download|edit|enter|execute|export|import|invoke|join|manage|modify|move|open|perform|publish|read|remove|rename|run|see|share|start|stop|take|touch|update|upload|use|view|(?:comment|deploy|post|push|reply|subscribe|vote|write) (?:in|into|on|to)) (?:this|that|these|those)(?: (?!(?:arguments?|characters?|dates?|fields?|formats?|names?|options?|parameters?|units?|values?|again|any|before|for|now|on|to|twice|until|while|with|yet)\b)[a-z]+){0,2}(?: in (?:this|the) [a-z]+)?[.!]?$`,
      String.raw`(?:\bis|\bare|'s)(?: not|n't) for (?:you|${PEOPLE})[.!]?$`,
      String.raw`\bnot (?:something|anything) (?:that )?you (?:can|may)\b|\boff[ -]limits\b|\bnot cleared (?:for|to)\b|\babove your (?:clearance|level|pay grade)\b|^denied[.!]?$`,
      String.raw`\b(?:cannot|can't|may not|will not|won't) (?:allow|let|permit|show) you\b`,
      String.raw`\byou(?: are|'re) not (?:supposed to|(?:in|on) (?:the |this )?(?:channel|group|guild|organi[sz]ation|project|room|team|workspace))\b|\byou (?:are|were|have been) (?:banned|barred|blocked|excluded|locked out|restricted) (?:from|of)\b|\byou (?:do not|don't) own (?:that|the|this)\b|\byou (?:do not|don't) get to [a-z]`,
      String.raw`\b${ADMIN}\b[^.;:]{0,30}? (?:has to|have to|must|needs? to|should|has not|have not|hasn't)(?: first| yet)? ${CONSENT}[ed]{0,2}\b`,
      String.raw`\b(?:ask|contact|get|have|tell) (?:an?|the|your) ${ADMIN}\b[^.;:]{0,20}? (?:to (?:get|request) access|(?:to )?${CONSENT})\b`,
      String.raw`\b(?:approved|allowed|authori[sz]ed) by (?:your|the|an?) ${ADMIN}\b|\b${ADMIN} (?:consent|grants consent)\b|\bconsent (?:by|from|of) (?:an?|the|your) ${ADMIN}\b|\bhas consented to (?:this|the)\b|\b${ADMIN} (?:has|have) (?:blocked|forbidden|restricted)\b`,
    ),
  },
  {
    kind: 'not_found',
    said: either(
      String.raw`${START}no (?:[a-z]+ ){1,3}(?:by|of|under|with) (?:that|this) (?:id|key|name|number)\b`,
      String.raw`${START}no (?:[a-z]+ ){1,3}(?:is |are )?available (?:on|for|in|at|between|from)\b`,
      String.raw`${START}(?:there (?:is|are|was|were)|(?:i|we) (?:know(?: of)?|have|see|found)) (?:no|not any) (?!need|way|reason|point|doubt|time|more|longer)(?![^.;]*\b(?:left|free|remaining|available)\b)(?:such )?[a-z]`,
      String.raw`${START}(?:nobody|no one)\b(?: else)? (?:with|by|named|called|of that|under)\b|${START}(?:nobody|no one|nothing)\b[^.;]{0,60} (?:registered|known|listed|lives|works)\b`,
      String.raw`\b(?:search|lookup|filter|question)\b[^.;]{0,40} (?:gave|had|has|brought|yielded|produced|came back with) (?:no|nothing|zero|0)\b`,
      String.raw`\b(?:we|i|you) have nothing (?:under|by|for|with|like)\b`,
      String.raw`\b(?:been|was|were) (?:taken down|withdrawn|unpublished)\b`,
      String.raw`${START}nothing (?:here|there|known)? ?(?:by|with|under|called|named) (?:that|this|the)\b`,
      String.raw`\b(?:can't|cannot|could not|couldn't|don't|do not) (?:have|see) (?:an?|any|the|that) [a-z]+ (?:called|named|with)\b`,
      `${START}there's no (?!need|way|reason|point|doubt|time|more|longer)[a-z]`,
      String.raw`\b(?:0|zero|no) (?:hits|matches|results) (?:for|in|on)\b`,
    ),
  },
  {
    kind: 'too_large',
    said: either(
      String.raw`\b(?:longer|bigger|larger) than (?:the )?(?:allowed|permitted|maximum)\b`,
      String.raw`\b(?:up to|at most|no more than|only) \d+ [a-z]+ (?:per|in (?:one|a)) (?:request|call|batch)\b`,
      String.raw`\b(?:bigger|larger|heavier|more|longer) than (?:the )?${SIZE}\b|\b(?:over|above) ${SIZE}\b`,
      String.raw`\bmore (?:\w+ )?than (?:i|we|this tool|it|one call) can (?!see\b|say\b|tell\b)[a-z]+\b`,
      String.raw`${START}(?:split|send|break|divide|cut|import|upload)\b[^.;]{0,40} (?:in|into) (?:smaller |several |fewer |\w+ )?(?:parts|pieces|chunks|batches|portions|steps)\b`,
      String.raw`\b(?:i|we|it) (?:accept|allow|handle|take|support)s? (?:only |up to |at most )?${SIZE}`,
      String.raw`\b(?:bigger|larger|heavier|longer) than (?:i|we|it|this \w+) (?:can )?(?:accept|allow|handle|take)s?\b`,
    ),
  },
  {
    kind: 'quota_exhausted',
    said: either(
      String.raw`\bout of (?:[a-z]+ )?(?:calls|credits|messages|minutes|requests|tokens)\b`,
      String.raw`\byou(?: have|'ve)? (?:used up|spent|run out of|exhausted|no|reached (?:the|your)) (?:(?:all )?(?:of )?your |the )?(?:free |last )?(?:[a-z]+ ){1,3}(?:for|left|this|per|of (?:the|this)|in your plan)\b`,
      String.raw`\b(?:no|no more|not any) (?:[a-z]+ ){1,2}left (?:for )?(?:this|the|your|today|until)\b`,
      String.raw`\byour (?:mailbox|inbox|storage|drive|locker|quota|allowance) is (?:full|used up)\b`,
    ),
  },
  {
    kind: 'not_ready',
    never: true,
    said: either(
      String.raw`${START}(?:you (?:have|need) to |you must )?(?!wait\b)[a-z]+ (?:your|the|an?|some|all|one) [^.;:]{2,60}? (?:first[.!]?$|before (?:you\b|[a-z]+ing\b))`,
      String.raw`; (?!wait\b)[a-z]+ it (?:first[.!]?$|before (?:you\b|[a-z]+ing\b))`,
    ),
  },
  {
    kind: 'not_ready',
    said: either(
      String.raw`\bstill being [a-z]+\b`,
      String.raw`\b(?:has|have|is|are) (?:not (?:yet )?(?:begun|started|arrived|come|out|here|there|done|over|announced|published|released|opened|open)(?: yet)|not yet (?:begun|started|arrived|out|here|there|done|announced|published|released|open))\b`,
      String.raw`${START}wait (?:for|until|till) (?:the|your|it|them|[a-z]+ to)\b`,
      String.raw`\b(?:not|n't) (?:in|out|up|there|here) yet\b`,
      String.raw`\bwill be (?:available|done|finished|ready|there) (?:at|by|in|shortly|soon|within)\b`,
    ),
  },
  {
    kind: 'unsupported',
    said: either(
      String.raw`${START}(?:i|we) (?:do not|don't|cannot|can't) (?:accept|carry|cover|deliver|fly|offer|sell|serve|ship|speak|stock|support|take)\b`,
      String.raw`\b(?:i|we|it) (?:cannot|can't|do not|don't|does not|doesn't) (?:convert|handle|open|play|process|read) [^.;]{0,20}\.?\w+ (?:archives|documents|files|images|videos)\b`,
      String.raw`\bnot (?:something|anything) (?:that )?(?:i|we|it) (?:can|do|does|offers?|supports?)\b`,
      String.raw`\b(?:this|the) (?:api|bot|server|service|tool|version) (?:does not|doesn't|cannot|can't) (?:do|handle|have|know|offer|provide)\b`,
      String.raw`\b(?:cannot|can't) be [a-z]+ (?:by|over|through|via|with|using) (?:this|the) (?:api|bot|interface|server|tool)\b`,
      String.raw`\b(?:command|endpoint|feature|function|method|option|tool)\b[^.;]{0,20} (?:was|has been|is) (?:discontinued|dropped|retired|sunset|withdrawn)\b`,
      String.raw`\b(?:is|are) not (?:offered|part of this (?:api|tool|server))\b`,
    ),
  },
  {
    kind: 'expired',
    said: either(
      String.raw`\bdeadline\b[^.;]{0,40} (?:has |is )?(?:passed|over)\b`,
      String.raw`\b(?:card|code|contract|coupon|invitation|licen[cs]e|link|membership|offer|pass|passport|plan|subscription|ticket|voucher)\b[^.;]{0,20} (?:ran out|(?:has|have) (?:run out|lapsed)|lapsed)\b`,
      String.raw`\b(?:was|were) (?:only )?(?:open|valid|available|good) (?:until|till|through)\b`,
      String.raw`\b(?:campaign|deal|offer|promotion|sale)\b[^.;]{0,20} (?:ended|has ended|is over)\b`,
      String.raw`\bcould (?:only )?be (?:claimed|redeemed|used) (?:until|till|before)\b`,
      String.raw`\bis too old[;,.]|\bonly worked (?:for|until)\b`,
      String.raw`\b(?:code|link|offer|price|quote|voucher) is no longer (?:good|valid)\b`,
    ),
  },
  {
    kind: 'invalid_arguments',
    said: either(
      `${START}(?:enter|input|pass|provide|specify|supply|type(?: in)?) (?:an?|the|your|at least|either|one|some|both|any) [^\\n]{2,120}`,
      `${START}tell (?:me|us) (?:which|what|where|when|an?|the|your)\\b`,
      `${START}(?:bitte )?(?:gib|geben sie|nennen? sie|voer|geef|vul) (?:bitte )?(?:eine?n?|die|den|das|deine?n?|ihre?n?|een|de|het|uw|je) [^\\n]{2,120}`,
      String.raw`\b(?:has|have) (?:an? )?(?:cycles?|loops?)(?=[.!]?$| (?:between|from|in|through)\b|: )`,
      // What is drawn is the caller's.
      `${START}(?:chart|diagram|figure|flowchart|graph|mermaid|plot) (?:rendering|generation|creation|parsing) (?:error|failed): [^\\n]`,
      String.raw`\b(?:does not|do not|doesn't) match the (?:dimension|format|length|number|pattern|size|type)s? of\b`,
      String.raw`\b(?:entered|gave|given|sent|typed)\b[^.;]{0,20} (?:is|are) not (?:correct|right)\b`,
      `${START}(?:the |an? )?[\\w"'\`.-]{1,40}(?: [\\w-]{1,30}){0,3} (?:is|are) (?:required|mandatory|missing)[.!]?$`,
      String.raw`${START}(?:the |your |this |that )?(?!something|everything|this|that|it\b)(?:[a-z][\w'-]* ){1,4}(?:is blank|(?:looks|seems|sounds) (?:wrong|odd|misspelled|mistyped|incomplete|invalid))\b`,
      String.raw`${START}(?:the |your |both |these )?(?:two )[a-z]+ (?:differ|disagree)\b`,
      String.raw`\b(?:must|has to|have to|should|needs? to|${CANNOT}) (?:be|come|lie|fall|start|end|begin) (?:before|after|between|above|below|within|earlier|later|higher|lower|more|less|greater|smaller|larger|longer|shorter|zero|negative|in the)\b`,
      String.raw`\b(?:comes?|lies|falls|starts|ends|begins|is|are) (?:before|after|earlier than|later than|outside(?: of)?|beyond) (?:the |its |your |that )?[a-z]`,
      String.raw`\b(?:is|are) not an? (?:(?:real|known|possible) )?(?:address|city|colou?r|country|currency|date|day|e-?mail(?: address)?|language|month|number|phone number|postcode|time|time ?zone|url|weekday|word|year)\b`,
      String.raw`\b(?:has|have|needs?) to (?:be an? (?:\w+ )?(?:date|e-?mail|integer|number|string|time|url|word)|contain|match|start with|end with)\b`,
      String.raw`\b(?:has|have|with) an? (?:wrong|bad|missing|odd) [a-z]+\b`,
      String.raw`\b(?:longer|shorter|more|fewer|less|over) (?:than )?\d+ (?:characters|digits|letters|lines|pages|words)\b`,
      `${START}(?:enter|give|send|type|use|write) [^.;]{2,40} only[.!]?$`,
      String.raw`\bat (?:least|most) (?:\d|one|two|three|four|five|six|seven|eight|nine|ten)\b`,
      String.raw`\bnot an? [a-z]+ (?:that |which )?(?:i|we) (?:know|understand|recogni[sz]e)\b`,
      String.raw`${START}an? [a-z]+ (?:has|have|takes|holds|needs) (?:only|at most|at least|up to|exactly|no more than) (?:\d|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b`,
      String.raw`${START}(?:nothing|no [a-z]+) (?:was |were |is |has been )?(?:attached|chosen|entered|given|picked|selected|typed|written)\b`,
      String.raw`^[\w.[\]-]{1,40} ?[:=] ?-?[\d.,]+ ?(?:[<>≤≥]=?|(?:is )?(?:above|below|over|under|outside))`,
      String.raw`\b(?:is|are) (?:above|below|over|under|beyond) (?:the |its )?(?:maximum|minimum|allowed|permitted|limit|range)\b`,
      String.raw`[\"'\x60”](?:[^\"'\x60”]{1,60}[\"'\x60”])? (?:isn't|is not|are not|aren't) (?:an? [a-z]|among|one of)`,
      String.raw`${START}(?:which|what|whose|who|when|where)\b[^?.;]{1,80}\?`,
      String.raw`\byou (?:forgot|did not|didn't|have not|haven't|need|must|have) (?:to )?(?:say|tell|give|given|name|named|specify|specified|state|mention|mentioned|said)\b`,
      String.raw`\b(?:more than one|several|multiple|two|many) (?:[a-z]+ ){0,3}(?:match|matched|are called|is called|are named|with that name|fit)\b`,
      String.raw`${START}(?:choose|give|pick|select|use|write|send) (?:one of|either|iso\b|the (?:form|format|id|name|full)|an? (?:[a-z]+ )?(?:date|id|name|number|time)\b)`,
      String.raw`\b(?:has|have) to (?:begin|be in the form|be of the form|look like)\b`,
      String.raw`\bthe (?:two|both|same) [a-z]+ are (?:the same|identical|equal)\b`,
      String.raw`${START}neither [\w-]+ nor [\w-]+ (?:was|were|is|are)\b`,
      String.raw`\bis of type [\w ]{1,30} but\b`,
      String.raw`\b(?:is|are|lies) (?:already )?in the (?:future|past)\b`,
    ),
  },
];
