/**
 * Words with which languages say that something is wrong, as they stand beside the word for a password; the stem is
 * enough, and `_` stands for a blank. Languages are those of `foreign-names.ts`, in their families.
 */
import { build } from './patterns.ts';

const STEMS =
  // English, German, Dutch, Swedish, Norwegian, Danish, Icelandic
  'wrong incorrect invalid bad falsch ungültig ungueltig inkorrekt onjuist verkeerd ongeldig fout fel feil ogiltig ugyldig forkert rangt ógild ' +
  // French, Spanish, Portuguese, Italian, Catalan, Romanian
  'erron errat errad errón sbagliat equivocad incorret incorect inválid invàlid mauvais faux fausse greșit gresit nevalid ' +
  // Polish, Czech, Slovak, Slovene, Croatian, Baltic
  'nieprawid niepopraw nieważ błędn bledn nesprávn nespravn chybn neplatn špatn neispravn neveljav napačn pogrešn neteising netinkam nepareiz nederīg ' +
  // Russian, Ukrainian, Bulgarian, Serbian, Kazakh
  'неправил неверн невірн хибн недійсн недействит ошибочн грешн невалид погрешн нетачн қате ' +
  // Greek, Hungarian, Finnish, Estonian, Turkish, Basque, Swahili
  'λάθος λανθασμέν εσφαλμέν άκυρ μη_έγκυρ hibás érvénytelen helytelen väär virheelli kelpaama vale kehtetu yanlış hatalı geçersiz okerr si_sahihi batili ' +
  // Indonesian, Malay, Vietnamese
  'salah keliru tidak_valid tidak_sah tidak_benar tak_sah sai không_đúng không_hợp_lệ không_chính_xác ' +
  // Arabic, Persian, Urdu, Hebrew, Hindi, Bengali, Tamil, Georgian, Armenian
  'خاطئ خطأ غير_صحيح غير_صالح غير_صح اشتباه نادرست نامعتبر غلط שגוי לא_נכונ לא_תקינ לא_חוקי गलत ग़लत अमान्य ভুল অবৈধ தவறா არასწორ սխալ ' +
  // Thai, Chinese, Japanese, Korean
  'ผิด ไม่ถูกต้อง 错误 錯誤 不正确 不正確 无效 無效 有误 有誤 不对 不對 違い 違う 正しく 間違 無効 不正 誤り 오류 틀렸 틀린 틀립 잘못 올바르지 유효하지';

/** Not, and right: a verb or an adverb may stand between them. */
const NOT = "not|isn't|no|non|não|nicht|niet|ikke|inte|ei|nie|není|nu|pas|не";
const RIGHT =
  'correct|valid|right|accepted|válid|corret|corrett|esatt|giust|coret|richtig|gültig|korre|juist|geldig|riktig|giltig|gyldig|oike|popraw|prawid|správn|platn|верн|правиль|вірн|действит|дійсн';

/** One of them at the start of a word, or anywhere in a script that puts no blanks between words. */
const WRONG = build(
  `(?:^|[ \\t]|(?<=[\\u0e00-\\u0eff\\u3040-\\uffff]))(?:${STEMS.replaceAll(' ', '|').replaceAll('_', ' ')}|(?:${NOT})(?: \\p{L}{1,6})? (?:${RIGHT}))`,
  'iu',
);

/** Whether words behind the name of something say that it is wrong. */
export function saysWrong(words: string): boolean {
  return WRONG.test(words);
}
