/** What databases say of a row or a value in the languages that they speak: the words right before it. */
import type { Echo } from './sql-echoes.ts';

/** Of PostgreSQL: the row that failed, in brackets. */
const ROWS =
  'zeile enthält (|échec contient (|que falla contiene (|in errore contiene (|que falhou contém (|строка содержит (|рядок містить (|失敗した行は(|失敗した行は (|行包含(|行包含 (|실패한 자료: (|rad innehåller (|veren satır (|řádek obsahuje (|błędny wiersz zawiera (|ograniczenia wiersza (';

/** Of PostgreSQL: what has not the form of its type, in quotes. */
const INPUTS =
  'eingabesyntax für typ|en entrée invalide pour le type|de entrada no es válida para|de entrada é inválida para|di input non valida per|неверный синтаксис для типа|неправильний синтаксис для типу|入力構文が不正です|输入语法|輸入語法|잘못된 입력 구문|składnia wejścia dla typu|giriş sözdizimi|indatasyntax för typ|vstupní syntaxe pro typ';

/** Of MySQL and MariaDB: a value that is there already, in quotes. */
const TWICE =
  "doppelter eintrag '|duplicata du champ '|entrada duplicada '|valore duplicato '|dubbele ingang '|powtórzone wystąpienie '|дублирующаяся запись '|дублюючий запис '|중복된 입력 값 '|重复条目 '|重複條目 '|dublett '|ens værdier '|like verdier '|zdvojený klíč '|duplikalt bejegyzes '|διπλή εγγραφή '|cimpul '|kattuv väärtus '";

/** Of SQL Server: the same, in brackets. */
const KEYS =
  'doppelte schlüsselwert ist (|clé en double est (|clave duplicada es (|chave duplicada é (|chiave duplicata è (|chiave duplicata: (|значение ключа: (|キーの値は (|键值为 (|索引鍵值為 (|키 값은 (';

/** As far as the sign that opens the value; the key words have none in them. */
const BRACKET = /[^(\n]{2,40}\(/y;
const QUOTE = /[^'\n]{4,40}(')/y;
const BEHIND_COLON = /[^:：\n]{4,120}[:：] ?\\{0,3}(["'»«„“])/y;

const rows = (words: string, head: RegExp, close: Echo['close'], leaves?: Echo['leaves']): Echo[] =>
  words.split('|').map((keyword) => ({ keyword, head, close, ...(leaves ? { leaves } : {}) }));

/** The rows of {@link Echo} for them. `isCount`, `isKey`: which values stay. */
export function sqlTongues(isCount: Echo['leaves'], isKey: Echo['leaves']): Echo[] {
  return [
    ...rows(ROWS, BRACKET, 'last parenthesis'),
    ...rows(KEYS, BRACKET, 'parenthesis', isCount),
    ...rows(TWICE, QUOTE, 'quote', isKey),
    ...rows("entrada '", QUOTE, 'quote', isKey).map((row) => ({ ...row, after: / duplicada/iy })),
    ...rows(INPUTS, BEHIND_COLON, 'quote', isCount),
  ];
}
