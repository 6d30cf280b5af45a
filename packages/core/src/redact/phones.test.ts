import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('numbers of phones as people and messengers write them', () => {
  test.each([
    ['Tel.: 030 / 5719 2846', '5719'],
    ['Telefon: 0621 / 571928', '571928'],
    ['Telefonnummer: 06201 / 57 19 - 28', '57 19'],
    ['Fon: 0711/ 57 19 28', '57 19'],
    ['Mobil: 0160 / 5719 284', '5719'],
    ['Rückruf unter 01 / 5719 2846', '5719'],
    ['Tel: +49 (0)30 / 5719 2846', '5719'],
    ['tél. : 01.57.19.28.46', '57.19'],
    ['wa_id: 491725719284', '5719284'],
    ['{"contacts":[{"wa_id":"491725719284"}]}', '5719284'],
    ['display_phone_number: 15555719284', '5719284'],
    ['recipient 5511957192846 phone number not in allowed list', '57192846'],
    ['(#131030) Recipient phone number not in allowed list: 5511957192846', '57192846'],
    ['to: 447957192846 is not a WhatsApp user', '57192846'],
    ['{"messaging_product":"whatsapp","to":"447957192846"}', '57192846'],
    ['see https://wa.me/447957192846', '57192846'],
  ])('%s', (text, digits) => {
    expect(redact(text).value).not.toContain(digits);
    expect(redact(text).value).toContain('[phone:1]');
  });

  test('the key of a messenger', () => {
    expect(redact({ wa_id: '491725719284' }).value).toEqual({ wa_id: '[phone:1]' });
  });

  test.each([
    'Tests: 120 / 4827 passed',
    'Telefon 7 / 10 Punkte',
    'call 3 / 120 failed',
    'sms 100000 / 200000 sent',
    'recipient 5511957192846 not found',
    'from 1717171717171 to 1727272727272',
    'wa_id must be a string of digits',
    'WhatsApp error 131030',
    'font-1234567 is missing',
    'mobility 12345678',
  ])('stays: %s', (text) => {
    expect(redact(text)).toEqual({ value: text, findings: [] });
  });
});
