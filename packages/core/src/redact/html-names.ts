/** Names that HTML has for letters and signs: those of ISO 8859-1, and what else stands in secrets. */

/** From U+00A0 to U+00FF, in their order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  );

const OTHERS = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', sol: '/', bsol: '\\', plus: '+' },
  ...{ equals: '=', num: '#', dollar: '$', percnt: '%', excl: '!', quest: '?', commat: '@', lowbar: '_' },
  ...{ period: '.', comma: ',', colon: ':', semi: ';', ast: '*', midast: '*', lpar: '(', rpar: ')' },
  ...{ lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', lcub: '{', lbrace: '{', rcub: '}', rbrace: '}' },
  ...{ vert: '|', verbar: '|', hat: '^', grave: '`', Tab: '\t', NewLine: '\n' },
  ...{ shy: '', zwj: '', zwnj: '', lrm: '', rlm: '' },
  ...{ euro: '€', OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Zcaron: 'Ž', zcaron: 'ž', Yuml: 'Ÿ' },
  ...{ ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', hellip: '…', bull: '•' },
};

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN_1.map((name, at) => [name, String.fromCharCode(0xa0 + at)] as const),
  ...Object.entries(OTHERS),
]);

/** What a name says; `undefined` where it is none. Those of signs may be in any capitals. */
export function letterNamed(name: string): string | undefined {
  return NAMED.get(name) ?? NAMED.get(name.toLowerCase());
}
