/**
 * Somebody who was asked has said no: in a dialog, a wallet, a sign-in. That is an answer: nobody has to change anything,
 * and nobody is to be asked again.
 */
import { type Form, formOf } from './forms.ts';

const WHO = '(?:the |your |an? )?(?:end[- ])?(?:user|owner|approver|reviewer|human|operator|resource owner)';
const REFUSED = '(?:declined|rejected|refused|denied|dismissed|cancell?ed)';
/** Of what was asked for, whatever it is; "cancelled" is said of things, too. */
const TURNED_DOWN =
  '(?:(?:was |were |is |has been )?(?:declined|rejected|refused|denied)|(?:(?:was|were|is|has been) )?not (?:approved|confirmed|accepted|authori[sz]ed|granted|allowed))';
const AGREE =
  '(?:(?:approve|confirm|agree|consent|accept|allow)(?:e?d)?|(?:grant|give)(?:n|ed)? (?:permission|consent|approval|access|authori[sz]ation)|(?:want|wish)(?:ed)? to (?:proceed|continue))';
/** What a program cancels for its own reasons. */
const INNER = '(?!quer|statement|transaction|connection|fetch|process|job|stream)';
const WORD = "[a-z][a-z'-]*";
const WORDS = `(?: ${WORD}){0,10}`;
/** Where somebody is asked. */
const ASKED =
  '(?:the |a )?(?:(?:payment|permission|consent|login|sign-?in|confirmation|browser) )?(?:dialog|window|popup|pop-up|modal|prompt|sheet|page|tab|browser|form)';
const FLOW =
  '(?:the |this )?(?:operation|action|flow|sign-?in|login|command|tool call|payment|process|installation|upload)';

const whole = (form: string): RegExp => new RegExp(`^${form}[.!]?$`, 'iu');

const NO: readonly RegExp[] = [
  whole(`${WHO} (?:has )?(?:${REFUSED}|said no)(?! (?:by|their|his|her)\\b)${WORDS}`),
  whole(`${WHO} (?:did not|didn't|has not|hasn't|does not|doesn't) ${AGREE}${WORDS}`),
  whole(`(?:the |this )?${INNER}${WORD}(?: ${WORD})? (?:was |is |has been )?${REFUSED} by ${WHO}`),
  whole(`(?:the |this )?${WORD}${WORDS} ${TURNED_DOWN} by ${WHO}`),
  whole(`(?:aborted|interrupted|${REFUSED}|not (?:approved|confirmed|authori[sz]ed)) by ${WHO}`),
  whole(
    `(?:the )?(?:elicitation|confirmation|approval|consent)(?: request| dialog| prompt)? (?:was |is |has been )?(?:${REFUSED}|withheld|not (?:given|granted))(?: by [\\w.@-]+)?`,
  ),
  whole(`no (?:consent|approval|confirmation) (?:from|by) ${WHO}`),
  whole(`(?:the )?(?:prompt|dialog|popup|pop-up) (?:was |has been )?dismissed`),
  whole(`${WHO} (?:has )?(?:closed|exited|left) ${ASKED}${WORDS}`),
  whole(`${ASKED} (?:was |has been )?closed by ${WHO}${WORDS}`),
  whole(`${WHO} (?:chose|opted|decided|elected) not to${WORDS}`),
  whole(
    `${WHO} (?:clicked|pressed|selected|chose|hit|answered) ["'\`]?(?:cancel|no|deny|decline|reject)["'\`]?`,
  ),
  whole(`${WHO} (?:has )?(?:withdrawn|withdrew|revoked) (?:the |their )?consent`),
  whole(`${WHO} (?:has )?(?:aborted|interrupted)(?: ${FLOW})?`),
  whole('(?:popup_closed_by_user|user_(?:cancell?ed|denied|rejected)(?:_\\w+)?|consent_declined)'),
  // In other languages.
  whole(
    '(?:der |die )?(?:benutzer|nutzer|anwender)(?:in)? hat (?:[\\p{L}-]+ ){0,4}(?:abgelehnt|abgebrochen|verweigert|nicht (?:bestätigt|zugestimmt|genehmigt))',
  ),
  whole(
    '(?:[\\p{L}-]+ ){0,4}(?:vom|von der) (?:benutzer|nutzer|anwender)(?:in)? (?:abgelehnt|abgebrochen|verweigert|nicht bestätigt)',
  ),
  whole(
    "l['’]utilisat(?:eur|rice) (?:a (?:refusé|annulé|rejeté|décliné)|n['’]a pas (?:confirmé|approuvé|accepté))(?: [\\p{L}'’-]+){0,6}",
  ),
  whole(
    '(?:el|la) usuari[oa] (?:rechazó|canceló|denegó|(?:ha )?(?:rechazado|cancelado|denegado)|no (?:aprobó|confirmó|aceptó))(?: [\\p{L}-]+){0,6}',
  ),
];

/** Without one of these nobody has said it. */
const MAY: Form = /* @__PURE__ */ formOf(
  /user|owner|approver|reviewer|human|operator|elicit|confirm|approval|consent|prompt|dialog|pop-?up|nutzer|anwender|utilisat|usuari/i,
);

/** What wallets, sign-ins and programs put before it. */
const BEFORE =
  /^(?:(?:error|\w+(?:error|exception)|access_denied|user_(?:cancell?ed|denied|rejected)|oauth(?: error)?|(?:metamask|wallet\w*|coinbase wallet|phantom|ledger)(?: [\w ]{1,30})?): )+/i;

/** What they put behind it: arguments, and which version they are. */
const BEHIND =
  /\s*\((?:action|code|reason|argument|info|transaction)=[^\n]*\)$|\n+(?:details|request arguments|contract call|version|docs): [\s\S]*$/i;

const LONGEST = 500;

/** Is that all that a sentence says? Whoever adds a reason asks for something else. */
export function saysNo(words: string): boolean {
  if (words.length > LONGEST || !MAY.test(words)) return false;
  const said = words.trim().replace(BEHIND, '').replace(BEFORE, '');
  return said.length <= MOST && NO.some((form) => form.test(said));
}

const MOST = 120;
