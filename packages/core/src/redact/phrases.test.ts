/** Secrets made of plain words, under a name that gives them away; and sentences about secrets, which stay. */
import { expect, test } from 'vitest';
import { createRedactor, redact } from './index.ts';

const PHRASES = [
  'correct horse battery',
  'correct horse battery staple',
  'abandon ability able about above absent absorb abstract absurd abuse access accident',
];

test.each(PHRASES)('%j is a secret under a telling name', (phrase) => {
  const values = [
    { password: phrase },
    { passphrase: phrase },
    { mnemonic: phrase },
    { seedPhrase: phrase },
    { recovery_phrase: phrase },
    { secret: phrase },
    { wallet: { private_key: phrase } },
    `password="${phrase}"`,
    JSON.stringify({ password: phrase }),
    `PGPASSWORD='${phrase}'`,
  ];
  const strict = createRedactor({ level: 'strict' });
  for (const value of values) {
    expect(JSON.stringify(redact(value).value)).not.toContain(phrase);
    expect(JSON.stringify(strict.redact(value).value)).not.toContain(phrase);
  }
});

test.each([
  'Password must be at least 8 characters',
  'Minimum eight characters',
  'should contain a digit',
  'Das Passwort ist zu kurz',
  'La contraseña debe tener ocho caracteres',
  'Mot de passe trop court',
  'La password deve avere almeno otto caratteri',
  'Het wachtwoord moet minimaal acht tekens bevatten',
  'Passwords do not match',
])('%j is a sentence about one', (message) => {
  for (const value of [{ password: message }, { errors: { password: [message] } }])
    expect(redact(value)).toEqual({ value, findings: [] });
});
