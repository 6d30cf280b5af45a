import type { Page } from '../page.ts';
import { build } from './patterns.ts';

/** Things that have numbers people quote: a number with such a label is nobody's card, phone or identity. */
const LABELS =
  'gtin|ean|upc|isbn|issn|asin|sku|sscc|imei|bar ?code|article|product|item|part|lot|batch|order|tracking|shipment|parcel|package|delivery|invoice|transaction|txn|payment|refund|serial|reference|ref|case|ticket|contract|booking|confirmation|claim|document|message|request|trace|job|run|task|build|event|session|version|timestamp';
const LABEL = build(
  `(?:^|[^a-z]|[a-z](?=[A-Z]))(?:${LABELS})s?(?:[ _-]?(?:number|num|no|nr|id|code|ref|\\d{1,2}))?[\\s:=#"'.()\\[\\]-]{0,6}$|\\/0[012]\\/$|\\(0[012]\\)$`,
  'i',
);
/** Of these everybody knows the longest: a longer one is no such thing, whatever it is called. */
const OF_14 = /(?:gtin|ean|upc|isbn|issn)s?(?:[ _-]?\w{1,6})?[^a-z\d]{0,6}$/i;
const BEHIND = /^["']?,? (?:is|was)(?: not)? an? (?:in)?valid (?:gtin|ean|upc|isbn|imei|order|tracking)/i;
const NEAR = 32;

/** Whether a number's own context calls it an identifier: the words before it, the key it stands under. */
export function isLabelled(page: Page, start: number, end: number): boolean {
  const { text, label, switches } = page;
  const before = text.slice(Math.max(0, start - NEAR), start);
  const isLong = text.slice(start, end).replace(/\D/g, '').length > 14;
  const isLabel = (words: string): boolean => LABEL.test(words) && !(isLong && OF_14.test(words));
  return (
    isLabel(before) ||
    BEHIND.test(text.slice(end, end + NEAR)) ||
    (label !== undefined && isAlone(text, start, end) && (isLabel(label) || switches.keeps(label))) ||
    switches.keeps(before)
  );
}

/** Things beyond those whose numbers are as long as a card's: no card is called so, though an identity may be. */
const LONG_LABELS =
  'po|purchase order|consignment|waybill|awb|iccid|imsi|charge|subscription|customer|campaign|ad ?set|ad|post|tweet|channel|guild|chat|page|video|media|object|record|row|file|folder|variant|s/n|vin|meter|device|offset|cursor|epoch|epoch_ns|snowflake|policy|membership|voucher|coupon|thread|comment|entity|asset|folio|waypoint|' +
  'rechnung(?:s-?(?:nummer|nr))?|bestell(?:ung|-?nummer|-?nr)|auftrag(?:s-?(?:nummer|nr))?|sendung(?:s-?(?:nummer|nr))?|kunden-?(?:nummer|nr)|vorgang(?:s-?(?:nummer|nr))?|artikel(?:-?(?:nummer|nr))?|' +
  'commande|suivi|facture|colis|pedido|seguimiento|factura|envío|encomenda|fatura|rastreio|ordine|fattura|spedizione|bestelling|bestelnummer|factuur|zending|ordrenummer|ordernummer|beställning|faktura|tilaus(?:numero)?|zamówieni[ea]|zamowieni[ea]|objednávka|sipariş|' +
  'заказа?|номер заказа|накладной|订单号?|訂單號?|快递单号|运单号|单号|注文番号|追跡番号|伝票番号|주문번호|운송장번호|송장번호';
const LONG_LABEL = build(
  `(?:^|[^a-zа-я]|[a-z](?=[A-Z]))(?:${LONG_LABELS})s?(?:[ _-]?(?:number|num|no|nr|id|code|ref|n°|№))?[\\s:：=#"'.()\\[\\]/「-]{0,6}$`,
  'i',
);
/** Whatever has an id: `post id 4…`, `"id": 4…`, `ID '4…'`. */
const ID = /(?:^|[^a-z]|[a-z](?=[A-Z]))ids?(?: is| was)?[\s:=#"'([-]{1,6}$/i;
/** Whatever has an address: `/orders/4…`, `gid://shopify/Order/4…`. */
const IN_PATH = /\/[a-z_-]{3,24}\/$/i;
const isLong = (words: string): boolean => LONG_LABEL.test(words) || ID.test(words) || IN_PATH.test(words);

/** The same for a number that could be a card's: many more things have numbers of that length. */
export function isLongLabelled(page: Page, start: number, end: number): boolean {
  const { text, label } = page;
  const before = text.slice(Math.max(0, start - NEAR), start);
  return (
    (isLong(before) && !OF_CARDS.test(before)) ||
    (label !== undefined && isAlone(text, start, end) && isLong(`${label}: `) && !OF_CARDS.test(label))
  );
}

const OF_CARDS = /card|karte|carte|tarjeta|cartão|carta|карт|卡|カード|카드|(?:^|[^a-z])(?:cc|pan)(?![a-z])/i;

/** Is the number all that the text says? In a sentence, the key that it stands under is the sentence's and not the number's. */
function isAlone(text: string, start: number, end: number): boolean {
  return end - start > text.length / 2 && !LETTER.test(text.slice(0, start)) && !LETTER.test(text.slice(end));
}

const LETTER = /\p{L}/u;
