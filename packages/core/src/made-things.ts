/**
 * What was made, in a document that says that nothing was: things by their numbers, results and addresses among its details,
 * and sentences in which a thing of that kind is there, whatever else they deny.
 */
import { isRecord, ownKeys } from './json.ts';
import { namesThing, wordsOf } from './plain-words.ts';

/** What calls make. */
const THINGS =
  '(?:booking|charge|confirmation|deposit|donation|invoice|order|payment|payout|purchase|receipt|refund|reservation|shipment|ticket|transaction|transfer|withdrawal)';
const THING = new RegExp(`^${THINGS}s?$`);

/** Words behind the name of a thing that still name that one. */
const OF_A_THING = /^(?:code|key|link|no|num|number|ref|reference|uri|url)$/;

/** Members that hold what came of work. */
const OUTCOME = /^(?:outcome|outputs?|results?)$/;

/** Members that say that all is well. */
const WELL = /^(?:ok|success|succeeded|successful|is success|was successful)$/;

/** Members that tell how things are since. */
const SINCE = /\b(?:affected|balance|confirmation|receipts?)\b/;

/** Members that tell how far it has come. */
const SO_FAR =
  /^(?:(?:completed|finished|done|executed|processed) ?(?:items|rows|steps)?|progress|rows|steps)$/;

/** Members that hold where something is. */
const PLACE = /^(?:href|link|location|resource|self|uri|url)$/;

/** Members that hold what something is called by. */
const CALLED = /^(?:number|ref|reference)$/;

/** Does a member of a document's details tell that something was made? */
export function isMade(name: string, value: unknown): boolean {
  if (!isSomething(value)) return false;
  const parts = wordsOf(name);
  const plain = parts.join(' ');
  if (OUTCOME.test(plain) || SINCE.test(plain) || SO_FAR.test(plain)) return true;
  if (value === true) return WELL.test(plain);
  if (PLACE.test(plain)) return typeof value === 'string' && namesThing(value);
  if (CALLED.test(plain)) return typeof value === 'string' && /^[A-Z]{2,12}[-_]?\d/.test(value);
  const named = OF_A_THING.test(parts.at(-1) ?? '') ? parts.at(-2) : parts.at(-1);
  return THING.test(named ?? '') && (isRecord(value) || /\d/.test(String(value)));
}

/** A flag that is not set, nought and what is empty tell of nothing. */
function isSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return false;
  return typeof value !== 'object' || ownKeys(value).length > 0;
}

/** Whoever begins like that is content. */
const CONTENT = /^\W*(?:ok(?:ay)?|success(?:ful(?:ly)?)?|done|thanks|thank you|congratulations)\b(?! to\b)/i;

/** More of them where nobody writes sentences: in headers, members and marks of pages. */
const NAMED_THINGS =
  '(?:appointment|auftrag|bestellung|buchung|commande|contract|delivery|factura|facture|invoice|ordine|pago|paiement|parcel|pedido|prenotazione|rechnung|reserva|sale|subscription|trade|voucher|zahlung)';

/** `order-991`, `order=991`, "Order no. 991", `/orders/991`. */
const NUMBERED_THING = new RegExp(
  `(?<![a-z])(?:${THINGS}|${NAMED_THINGS})(?:e?s|en)?(?:[\\s_-]?(?:id|no|nr|num|number|ref))?(?:[\\s:=#"'_./(\\[{@-]|%[\\da-f]{2}){0,4}\\d`,
  'i',
);

/** What they are called in short: `tx-991`, `inv/2026/001`; and as services that are paid with call them, `ch_3Nf2`. */
const NUMBERED_IN_SHORT =
  /(?<![a-z\d])(?:(?:bk|inv|ord|pay|pmt|po|trf|trx|txn?)[\s:=#"'_./-]{1,3}\d|(?:ch|cs|cus|pay|pi|pm|re|sub|tr|txn?)_\w{0,60}\d)/i;

/** Is a thing named there by its number, in whatever form? */
export function namesNumbered(text: string): boolean {
  return NUMBERED_THING.test(text) || NUMBERED_IN_SHORT.test(text);
}

const NAMES_ONLY = new RegExp(
  `(?:^|[,=])["\\s]*(?:${THINGS}|${NAMED_THINGS})s?(?:\\.[a-z]{3})?["\\s]*(?:[,;]|$)`,
  'i',
);

/** Is it, or one of a list, nothing but what a thing is called? */
export function isNameOfThing(text: string): boolean {
  return NAMES_ONLY.test(text);
}

/** A thing is there, by its number: "Order 41 exists", "your order number is 41", "after order 41". */
const IS_THERE: readonly RegExp[] = [
  new RegExp(`\\b${THINGS} #?[\\w-]{0,40}\\d[\\w-]{0,40} (?:already |now )?exists\\b`, 'i'),
  new RegExp(`\\b${THINGS} (?:number|no\\.?|id|ref(?:erence)?|code)(?: is|:| =)? ?#?[\\w-]{0,40}\\d`, 'i'),
  new RegExp(`\\b(?:after|behind|since) (?:the |your |this )?${THINGS} #?[\\w-]{0,40}\\d`, 'i'),
];

/** A thing by its number. */
const NUMBERED = new RegExp(`\\b${THINGS} #?[\\w-]{0,40}\\d`, 'i');

/** What was done to such things. */
const WORKED =
  /\b(?:accepted|authori[sz]ed|booked|captured|charged|committed|completed|confirmed|created|credited|debited|delivered|executed|issued|made|paid|placed|processed|received|recorded|refunded|registered|reserved|saved|sent|settled|shipped|stored|submitted|transferred|withdrawn|written)\b/i;

/** Does it say of anything that it was done, in however few words? */
export function tellsOfWorked(text: string): boolean {
  return WORKED.test(text);
}

/** That it was not, or that it is only to be, or was somebody else's. */
const DENIED =
  /\b(?:not|never|no|nothing|cannot|can|could|unable|fail\w*|will|would|must|may|might|should|be|being|if|until|unless)\b|n't\b/i;
const ANOTHERS = /\b(?:by (?:another|somebody|someone)|elsewhere)\b/i;

const SENTENCE = /[.;!?\n]+(?=\s|$)|\b(?:but|however|yet|though|although)\b/i;

/** Nobody who turns a call away needs as many words, and what is behind them would not be read. */
const LONGEST = 2000;

/** Does a sentence tell that such a thing is there, whatever else it says? */
export function tellsOfMade(text: string): boolean {
  if (text.length > LONGEST) return true;
  if (CONTENT.test(text) || IS_THERE.some((there) => there.test(text))) return true;
  return text.split(SENTENCE).some((sentence) => {
    const at = sentence.search(WORKED);
    if (at < 0 || !NUMBERED.test(sentence) || ANOTHERS.test(sentence)) return false;
    return !DENIED.test(sentence.slice(0, at));
  });
}
