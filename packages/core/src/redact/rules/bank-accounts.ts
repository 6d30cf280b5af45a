/** Accounts at banks: told by a label that nothing else has, or by what stands beside them. */
import type { Page } from '../page.ts';
import type { Trigger } from '../scan.ts';
import { build, labelTriggers, type Pattern, patternTriggers } from './patterns.ts';

/** Digits in groups; an account of some countries ends with a check digit behind a dash. */
const NUMBER = '(\\d(?:[ .-]?\\d){5,29})(?![\\w-])';
const SIGN = '[ \\t]{0,2}[:：#]?[ \\t]{0,2}["\'`]?';
const WORD = '(?: ?(?:number|num|no\\.?|nr\\.?|#))';

/** Labels of which any number is an account. */
const LABELS =
  'acct|acct.|kto|kto.|kto.-nr.|kto-nr|kontonr|konto-nr.|konto nr|rekening|rekeningnummer|bankrekening|numéro de compte|compte bancaire|compte n°|rib|número de cuenta|numero de cuenta|cuenta bancaria|numero di conto|conto corrente|conta corrente|numer konta|nr konta|bankgiro|plusgiro|kontonummer|номер счёта|номер счета|расчётный счёт|расчетный счет|р/с|口座番号|银行账号|银行帐号|銀行帳號|银行卡号|계좌번호|nuban';

/** The same where the word for a number has to follow. */
const SHORT_LABELS = 'acc|acc.|a/c';
/** What is called an account of many things: only beside the words of a bank is it one there. */
const WORDS = 'account|acc|acc.|a/c';
const BEHIND = build(SIGN + NUMBER, 'iy');
const BEHIND_WORD = build(WORD + SIGN + NUMBER, 'iy');
const BEHIND_ANY = build(`${WORD}?${SIGN}${NUMBER}`, 'iy');
/** `Agência 1234 Conta 567890-1`. */
const BRANCHES: readonly Pattern[] = [
  ['conta', /(?<=ag[êe]ncia[ :]{1,2}\d{3,5}(?:-\d)?[ ,;/]{1,3})conta[ :]{1,2}(\d{4,12}(?:-[\dxX])?)(?!\w)/iy],
];

const BANK =
  /(?<![a-z])(?:sort(?:[ _-]?code)?|routing|aba|ach|ifsc|bsb|blz|swift|bic|iban|bank|checking|savings|beneficiary|payee|debit|sepa|wire)(?![a-z])/i;
const NEAR = 60;

/** Whether the words of a bank stand near. */
function isAtBank(value: string, page: Page, end: number): boolean {
  const { text } = page;
  const start = end - value.length;
  return BANK.test(text.slice(Math.max(0, start - NEAR), start)) || BANK.test(text.slice(end, end + NEAR));
}

/** Triggers for accounts. */
export function bankTriggers(): Trigger[] {
  const rule = { rule: 'iban', class: 'iban' };
  return [
    ...labelTriggers(rule, LABELS, BEHIND),
    ...labelTriggers(rule, SHORT_LABELS, BEHIND_WORD),
    ...labelTriggers({ ...rule, accepts: isAtBank }, WORDS, BEHIND_ANY),
    ...patternTriggers({ ...rule, accepts: () => true }, BRANCHES),
  ];
}
