/**
 * Numbers of phones behind their label in the languages of the world. The stems of `personal.ts` know what most of
 * Europe calls a phone; these are the words that stand apart.
 */
import { type Detector, mark, matchAt, STRUCTURE } from '../page.ts';
import { nextDigit } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { build, labelTriggers } from './patterns.ts';

/** How people write a number: in groups with at most two signs between them, or in two parts: `030 / 48 27`. */
export const PHONE_NUMBER: string = /* @__PURE__ */ (() =>
  String.raw`\+?\(?\d(?:[ .()/-]{0,2}\d){6,14}|(?:\+\d{1,3} )?\(?0\)?\d{1,5}\)? ?/ ?\d(?:[ -]{0,3}\d){4,9}`)();

const LABELS =
  // German, Dutch, Scandinavian, Finnish
  'mobilfunknummer|festnetz|festnetznummer|rückrufnummer|mobilnummer|mobiltelefon|mobiel|mobiel nummer|tlf|tlf.|puhelin|puhelinnumero|puh.|hotline|' +
  // Romance
  'numéro de portable|tél. portable|téléphone portable|portable :|portable:|recapito telefonico|numero mobile|' +
  // Slavic, Hungarian, Turkish, Greek
  'tel. kom.|komórka|kom.|telefonní číslo|telefónne číslo|telefonszám|telefon numarası|telefon numarasi|cep telefonu|моб.|мобильный|мобільний|сотовый|τηλέφωνο|κινητό|' +
  // Arabic, Hebrew, Hindi, Vietnamese, Indonesian, Thai
  'الهاتف|هاتف|الجوال|جوال|טלפון|נייד|फ़ोन नंबर|फोन नंबर|फ़ोन|मोबाइल नंबर|मोबाइल|số điện thoại|điện thoại|sđt|no. hp|nomor hp|เบอร์โทรศัพท์|เบอร์โทร|โทรศัพท์|โทร.|โทร|' +
  // Korean
  '휴대폰 번호|휴대전화 번호|휴대전화|연락처';

/** Perhaps a word of saying, a sign, the number. */
const BEHIND = /* @__PURE__ */ (() =>
  build(
    `["'\`]?[ \\t]{0,2}(?:(?:is|ist|est|es|è|er|är)[ \\t])?[:：=#]?[ \\t]{0,2}["'\`「]?(${PHONE_NUMBER})(?!\\d)`,
    'iy',
  ))();

/** Words for a phone that mean nothing else, in the midst of longer ones too. */
const STEMS =
  'phone|mobile number|téléphone|telefon|teléfono|telefone|telefoon|puhelin|телефон|τηλέφων|điện thoại|telepon|โทรศัพท์|هاتف|جوال|טלפון|फ़ोन|फोन|電話|携帯|电话|手机|手機|휴대폰|휴대전화|전화번호|연락처';
/** What is said of a number, up to a colon or a bracket. */
const SENTENCE = /* @__PURE__ */ (() =>
  build(`[^\\d\\n:：;.。(（]{3,70}[:：(（] ?["'「]?(${PHONE_NUMBER})(?!\\d)`, 'iy'))();
/** Numbers of other things, in a sentence that speaks of phones as well. */
const OTHERWISE =
  /order|invoice|ticket|rechnung|bestell|commande|pedido|ordine|заказ|pesanan|注文|订单|주문|code|error|\bid\b|version/i;
/** How numbers of phones begin, or are parted. */
const IS_PHONE = /^[+(0]|^1[3-9]\d|\d[ .-]\d/;

const FURTHEST = 90;
const DATE = /^(?:19|20)\d\d[-./]?[01]\d[-./]?[0-3]\d/;

/** `휴대폰 번호가 올바르지 않습니다: 010-…`: a sentence stands between the label and the number. */
const detectSentence: Detector = (page, start, end) => {
  const isNear = start >= page.covered && nextDigit(page, end) - end < FURTHEST;
  const found = isNear ? matchAt(SENTENCE, page.text, end) : null;
  const [whole = '', value = ''] = found ?? [];
  const count = value.replace(/\D/g, '').length;
  if (count >= 8 && IS_PHONE.test(value) && !DATE.test(value) && !OTHERWISE.test(whole)) {
    const at = end + whole.length - value.length;
    mark(page, at, at + value.length, 'phone', 'phone', STRUCTURE);
  }
};

/** Triggers for those labels. */
export function phoneLabelTriggers(): Trigger[] {
  return [
    ...labelTriggers({ rule: 'phone', class: 'phone' }, LABELS, BEHIND),
    ...STEMS.split('|').map((stem): Trigger => [stem, detectSentence]),
  ];
}
