/**
 * Words for a password, a key, a token, a secret in other languages, as people write them; digits do not occur, `_`
 * stands for a blank or nothing. Where a language joins words to them, the stem is enough.
 */
const WORDS: ReadonlyArray<readonly [cls: string, words: string, strength?: number]> = [
  [
    'password',
    'contraseñ contrasen contrasinal contrasenya mot_de_passe senha palavra_passe parol parool wachtwoord wagwoord losenord lösenord passord passwort kennwort adgangskode salasana haslo hasło heslo jelszo jelszó sifre şifre lozink geslo katasandi kata_sandi kata_laluan slaptažod pasahitz lykilorð fjalëkalim nenosiri mật_khẩu парол лозинк құпия_сөз κωδικ كلمة_المرور كلمة_السر كلمة_مرور رمز_عبور گذرواژه پاس_ورڈ סיסמ पासवर्ड পাসওয়ার্ড கடவுச்சொல் პაროლ գաղտնաբառ รหัสผ่าน 密码 密碼 口令 パスワード 비밀번호 암호',
  ],
  [
    'secret',
    'clé_secrète cle_secrete geheime_sleutel geheimer_schlüssel geheimschlüssel hemlig_nyckel hemmelig_nøkkel hemmelig_nøgle tajny_klucz gizli_anahtar секретный_ключ geheimnis secreto segredo секрет 密钥 密鑰 秘密鍵 비밀키',
  ],
  [
    'api-key',
    'clave clé chave chiave schlüssel schluessel sleutel nyckel nøkkel klucz anahtar khóa ключ مفتاح מפתח कुंजी apiキー api키',
  ],
  // Of what is also looked for, or has locks: a key of an API alone.
  [
    'api-key',
    'cheie_api cheia_api api_kulcs klíč_api api_klíč api_kľúč κλειδί_api api_avain kunci_api api_nøgle ključ_api api_ključ api_võti api_atslēga api_raktas کلید_api คีย์_api',
    3,
  ],
  ['token', 'jeton токен 令牌 トークン 토큰 رمز_الوصول אסימון mã_thông_báo'],
];

/** The words as they stand in a text. */
export const FOREIGN_WORDS: readonly string[] = [
  ...WORDS.flatMap(([, words]) =>
    words
      .split(' ')
      .flatMap((word) => [
        word.replaceAll('_', ' '),
        ...(word.startsWith('api_') ? [word.replace('_', '-')] : []),
      ]),
  ),
  'キー',
  '키',
  'mdp',
];

/** Whether a name is one of them, or has one in it. */
export function isForeignName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[\s_-]+/g, '');
  return FOREIGN.some(([, , pattern]) => pattern.test(plain));
}

/** What the words mean, for names without separators. */
export const FOREIGN: ReadonlyArray<readonly [cls: string, strength: number, pattern: RegExp]> = [
  ...WORDS.map(
    ([cls, words, strength]) =>
      [
        cls,
        strength ?? (cls === 'api-key' ? 2 : 3),
        new RegExp(words.replaceAll('_', '').replaceAll(' ', '|')),
      ] as const,
  ),
  ['password', 3, /mdp$/],
];
