/** Luhn's check over the digits of a text; whatever stands between them is passed over. */
export function isLuhn(text: string): boolean {
  let sum = 0;
  let isDoubled = false;
  for (let i = text.length - 1; i >= 0; i--) {
    const digit = text.charCodeAt(i) - 48;
    if (digit >= 0 && digit <= 9) {
      const doubled = isDoubled ? digit * 2 : digit;
      sum += doubled > 9 ? doubled - 9 : doubled;
      isDoubled = !isDoubled;
    }
  }
  return sum % 10 === 0;
}

/** ISO 13616: the remainder modulo 97 of an IBAN, in capitals and without spaces, is one. */
export function isIban(text: string): boolean {
  let rest = 0;
  for (let i = 4; i < text.length + 4; i++) {
    const code = text.charCodeAt(i % text.length);
    const value = code < 58 ? code - 48 : code - 55;
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

const CARD =
  /^(?:4\d{15}(?:\d{3})?|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35\d{14}|62\d{14,17}|220[0-4]\d{12})$/;

/** Whether digits are a payment card's number. Thirteen digits are a GTIN, not an old Visa. */
export function isCard(digits: string): boolean {
  return CARD.test(digits) && isLuhn(digits) && !/^(\d)\1+$/.test(digits);
}

/** The weighted check of Brazil's CPF. */
export function isCpf(digits: string): boolean {
  const check = (length: number): boolean => {
    let sum = 0;
    for (let i = 0; i < length; i++) {
      sum += Number(digits[i]) * (length + 1 - i);
    }
    return ((sum * 10) % 11) % 10 === Number(digits[length]);
  };
  return !/^(\d)\1+$/.test(digits) && check(9) && check(10);
}

/** ISO 7064 MOD 11-2 of China's resident identity card. */
export function isChineseId(text: string): boolean {
  let sum = 0;
  for (let i = 0; i < 17; i++) {
    sum += Number(text[i]) * (2 ** (17 - i) % 11);
  }
  return '10X98765432'[sum % 11] === text[17]?.toUpperCase();
}

/** The check letter of Spain's DNI and NIE. */
export function isDni(text: string): boolean {
  const digits = text
    .slice(0, -1)
    .replace(/^[XYZ]/i, (letter) => String('XYZ'.indexOf(letter.toUpperCase())));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === text.slice(-1).toUpperCase();
}
