/** What is repeated of a password or a token that was wrong, whatever language says so. */
import { describe, expect, test } from 'vitest';
import { redact } from './index.ts';

describe('a wrong one is repeated behind a colon', () => {
  test.each([
    'mot de passe incorrect : ',
    'Mot de passe erroné : ',
    'Mauvais mot de passe : ',
    'Le mot de passe saisi est invalide : ',
    'Contraseña incorrecta: ',
    'contraseña no válida: ',
    'Senha inválida: ',
    'A senha informada está incorreta: ',
    'Password errata: ',
    'La password inserita non è corretta: ',
    'Wachtwoord onjuist: ',
    'Verkeerd wachtwoord: ',
    'Hasło jest nieprawidłowe: ',
    'Błędne hasło: ',
    'Şifre yanlış: ',
    'Geçersiz parola: ',
    '密码错误：',
    '无效的密码：',
    '密碼不正確: ',
    'パスワードが違います：',
    '無効なパスワード: ',
    '비밀번호 오류: ',
    '비밀번호가 올바르지 않습니다: ',
    'كلمة المرور غير صحيحة: ',
    'पासवर्ड गलत है: ',
    'Kata sandi salah: ',
    'Mật khẩu không đúng: ',
    'Lösenordet är felaktigt: ',
    'Пароль невірний: ',
    'Неправильний пароль: ',
    'Heslo je nesprávné: ',
    'Passwort ungültig: ',
    'password incorrect: ',
    'Väärä salasana: ',
    'Hibás jelszó: ',
    'Parolă incorectă: ',
    'סיסמה שגויה: ',
    'รหัสผ่านไม่ถูกต้อง: ',
  ])('%s…', (words) => {
    for (const secret of ['Walnut#Grove93', 'Walnut_2024', 'walnut93Grove'])
      expect(redact(`${words}${secret}`).value).toBe(`${words}[password:1]`);
  });

  test.each([
    'Jeton invalide : ',
    'Token inválido: ',
    'トークンが無効です：',
    '令牌无效：',
    'API-Schlüssel ungültig: ',
    'Clave API no válida: ',
  ])('%s…', (words) => {
    expect(redact(`${words}w3Kd8Zq1Lx6Tp9Rv`).value).not.toContain('w3Kd8Zq1Lx6Tp9Rv');
  });
});

test.each([
  'mot de passe incorrect : veuillez réessayer',
  'Mot de passe incorrect : erreur AUTH-401',
  'Le mot de passe ne correspond pas',
  'mot de passe trop court : 8 caractères minimum',
  'Contraseña incorrecta: inténtelo',
  'contraseña incorrecta: error 28P01',
  'Senha inválida: E1045',
  'Password errata: tentativo 2/5',
  "Parola d'ordine errata",
  'Wachtwoord onjuist: nog 2 pogingen',
  'Hasło nieprawidłowe: musi mieć 8 znaków',
  'Şifre yanlış: lütfen tekrar deneyin',
  '密码错误：请重试',
  '密码错误：至少8位',
  '无效的密码：长度必须为 8 位以上',
  'パスワードが違います：もう一度入力してください',
  '비밀번호가 틀렸습니다: 2회 남음',
  'كلمة المرور غير صحيحة: حاول مرة أخرى',
  'गलत पासवर्ड: कृपया पुनः प्रयास करें',
  'Неверный пароль: попробуйте снова',
  'Пароль невірний: залишилось 2 спроби',
  'Hibás jelszó: próbálja újra',
  'Password is incorrect: see https://example.com/help2',
  'password hash invalid: sha256',
  'Password wrong for user: admin',
  'token invalid: jwt expired',
  'Ungültiger Schlüssel: kunden_id',
  'Clave duplicada: orders_2024',
])('stays: %s', (text) => {
  expect(redact(text)).toEqual({ value: text, findings: [] });
});
