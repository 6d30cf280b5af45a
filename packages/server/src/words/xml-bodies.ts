/** Answers in XML: an envelope of SOAP, an error of a store of objects or of a query interface. */

/** Where one begins. */
const BEGINS =
  /(?:<\?xml[^>]{0,200}>\s{0,100})?<(?:\w{1,40}:)?(?:Envelope|Error|ErrorResponse|Errors|Fault|Response|error|errors)\b/;

/** Elements that hold a sentence: of a fault in either version of SOAP, and of errors. */
const SENTENCE =
  /<(?:\w{1,40}:)?(?:faultstring|Text|(?:[Ee]rror)?[Mm]essage|error_?[Dd]escription)\b[^>]{0,200}>\s{0,100}(?:<!\[CDATA\[)?([^<\]]{1,1000})/;

const ENTITIES: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What an answer in XML says; `undefined` where a text is none. */
export function saidInXml(text: string): string | undefined {
  const at = xmlAt(text);
  return at === undefined || text.slice(0, at).replace('\ufeff', '').trim() !== ''
    ? undefined
    : sentenceOf(text);
}

/** The words with what such an answer among them says in its place. */
export function withoutXml(text: string): string {
  const at = xmlAt(text);
  const said = at === undefined ? undefined : sentenceOf(text.slice(at));
  return said === undefined ? text : text.slice(0, at).replace('\ufeff', '') + said;
}

function xmlAt(text: string): number | undefined {
  return BEGINS.exec(text)?.index;
}

function sentenceOf(xml: string): string | undefined {
  const said = SENTENCE.exec(xml)?.[1]?.trim();
  return said?.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] as string);
}
