import { type Detector, isAlnum, isWordSign, mark, matchAt, type Page, STRUCTURE } from '../page.ts';
import { charSet, runEnd } from '../runs.ts';
import type { Trigger } from '../scan.ts';
import { isChineseId, isCpf, isDni } from './checksums.ts';
import { isLabelled } from './labels.ts';
import { isDigitAt, isLongNumber } from './personal.ts';

const SSN = /(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?![\w-])/y;
const CPF = /\d{3}\.\d{3}\.\d{3}-\d\d(?!\d)/y;
const CHINESE = /[1-9]\d{5}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\w)/y;
const DNI = /(?:\d{8}|[XYZxyz]\d{7})-?[A-HJ-NP-TV-Za-hj-np-tv-z](?!\w)/y;
const FISCAL = /[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z](?!\w)/iy;
const NINO = /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D](?!\w)/y;

/** A number whose shape and check digit tell it by themselves. */
function shaped(rule: string, pattern: RegExp, isValid: (found: string) => boolean): Detector {
  return (page, start) => {
    const { text } = page;
    const found =
      isAlnum(text.charCodeAt(start - 1)) || /[.-]/.test(text[start - 1] ?? '') || isLongNumber(page, start)
        ? null
        : matchAt(pattern, text, start)?.[0];
    if (found && isValid(found) && !isLabelled(page, start, start + found.length)) {
      mark(page, start, start + found.length, rule, 'id-number', STRUCTURE);
    }
  };
}

const detectSsn: Detector = shaped('ssn', SSN, () => true);
const detectCpf: Detector = shaped('national-id', CPF, (found) => isCpf(found.replace(/\D/g, '')));
const detectChineseId: Detector = shaped('national-id', CHINESE, isChineseId);
const detectSpanishId: Detector = shaped('national-id', DNI, (found) => isDni(found.replace('-', '')));

/** The keyword may start at the second digit, or after the letter that foreigners have in front. */
const detectDni: Detector = (page, start, end) => {
  const { text } = page;
  const at = isDigitAt(text, start - 1) || /[XYZxyz]/.test(text[start - 1] ?? '') ? start - 1 : start;
  detectSpanishId(page, at, end);
};

/** National identifiers of a shape that nothing else has; the digits in the middle are the trigger. */
const detectShapedId: Detector = (page, start) => {
  const { text } = page;
  if (isDigitAt(text, start - 1)) {
    return;
  }
  for (const [back, pattern] of [
    [6, FISCAL],
    [2, NINO],
    [3, NINO],
  ] as const) {
    const from = start - back;
    if (from >= 0 && !/\w/.test(text[from - 1] ?? '') && matchAt(pattern, text, from)) {
      mark(page, from, pattern.lastIndex, 'national-id', 'id-number', STRUCTURE);
      return;
    }
  }
};

/** Names of identifiers: any number that follows them is one. A stem that languages add to ends with `*`. */
const NAMES =
  "ssn,social security,passport,nino,national insurance,national id,dni,nie,nif,cpf,cnpj,aadhaar,aadhar,pesel,bsn,tax id,steuer-id,steuernummer,tin,itin,nhs,medicare,sin,curp,personnummer,fiscale,licence number,license number,driver license,driver's licen*,driver’s licen*,id card,identity card,identity number,id number,pan card,pan ,mrn,nric,mykad,nik,tfn,teudat zehut,cpr-n*,cpr n*,rijksregister*,henkil*,rodné,rodne,cnp,cuit,rut,rfc ,cédula,cedula,social insurance,ni number,pps number,ppsn,nip,regon,egn,oib,jmbg,emšo,emso,personal code,isikukood,asmens kod*,kennital*,numéro fiscal,numero fiscal,cnic,ktp,thai id,cccd,ird number,emirates id,iqama,passeport,führerschein*,permis de conduire,krankenversich*,health insurance,sécurité sociale,securite sociale,nir,svnr,sv-nummer,sozialversicherungsn*,personalausweis*,ausweisn*,reisepass*,hkid,מספר זהות,תעודת זהות,ahv,kimlik,fødsels*,fodsels*,amka,егн,инн,снилс,пасп*,身份证,rrn,my number,mynumber,マイナンバー,주민등록번호,ת״ז,เลขบัตร*,क्रमांक".split(
    ',',
  );
const VALUE =
  /(?:[ \t-]{1,2}(?:security|insurance|number|nummer|numéro|número|num|no\.?|nr\.?|id|card|code|číslo|n°|№|#|is|was|for|of)){0,3}[ \t]{0,2}[:=#：]?[ \t]{0,2}["'`]?([A-Z]{0,5}[ -]?\d(?:[ ./-]?[A-Z0-9]){4,21})(?![\w])/iy;
/** Identifiers with as many letters as digits. */
const LETTERED = /^(?:[A-Z]{5}\d{4}[A-Z]|[A-Z]{3,4}\d{6}[A-Z0-9]{3}|[A-Z]{4}\d{6}[A-Z0-9]{8})$/;

const LETTERS = charSet(/[A-Za-z-]/, (code) => code >= 0xc0 && code < 0x2000);

function detectNamedId(page: Page, start: number, stem: number, isStem: boolean): void {
  const { text } = page;
  const end = isStem ? runEnd(page, LETTERS, stem) : stem;
  if (isWordSign(text.charCodeAt(start - 1)) || end - stem > 20) {
    return;
  }
  const found = matchAt(VALUE, text, end);
  if (!found) {
    return;
  }
  const words = (found[1] ?? '').split(' ');
  while (words.length > 1 && !/\d/.test(words.at(-1) as string)) {
    words.pop();
  }
  const value = words.join(' ');
  const isShort = /^(?:pan|rfc) $/i.test(text.slice(start, end));
  if (LETTERED.test(value) || (!isShort && value.replace(/\D/g, '').length >= 6)) {
    const at = end + found[0].length - (found[1]?.length ?? 0);
    mark(page, at, at + value.length, 'national-id', 'id-number', STRUCTURE);
  }
}

/** Triggers for national identifiers. Digits in a keyword stand for any digit. */
export function nationalIdTriggers(): Trigger[] {
  return [
    ['000-00-0000', detectSsn],
    ['000.000.000-00', detectCpf],
    ['000000000000000000', detectChineseId],
    ['00000000000000000x', detectChineseId],
    ...[...'trwagmyfpdxbnjzsqvhlcke'].flatMap((letter): Trigger[] => [
      [`0000000${letter}`, detectDni],
      [`00000000-${letter}`, detectDni],
    ]),
    ...NAMES.map((name): Trigger => {
      const isStem = name.endsWith('*');
      const word = isStem ? name.slice(0, -1) : name;
      return [word, (page, start, end) => detectNamedId(page, start, end, isStem)];
    }),
    ['00 00 00', detectShapedId],
    ['000000', detectShapedId],
    ...[...'abcdehlmprst'].map((letter) => [`00${letter}00`, detectShapedId] as const),
  ];
}
