import { redact } from '@mayday/core/redact';
import { expect, it } from 'vitest';
import { cleanStart } from './clean-cut.ts';

const clean = (text: string): string => redact(text).value;
const SECRETS = [
  'postgres://app:Sup3rSecretPassw0rd@db.example/prod',
  'password="Sup3rSecret horse battery staple words"',
  'ghp_Sup3rSecretSup3rSecretSup3rSecretaa1',
];

it.each(SECRETS)('tells nothing of a secret, wherever the cuts go through: %s', (secret) => {
  for (let told = 100; told < 110 + secret.length; told++) {
    const text = `${'lorem ipsum '.repeat(9)}${secret} ${'dolor sit '.repeat(300)}`;
    const start = cleanStart(text, told, clean);
    expect(start).toMatch(/^lorem ipsum /);
    expect(start.length).toBeLessThanOrEqual(told);
    expect(start).not.toMatch(/Sup3r|horse/);
  }
});

it.each(SECRETS)('tells nothing of the second cut, however much was taken out before it: %s', (secret) => {
  const many = `${secret} and `.repeat(30).slice(0, 1500);
  for (let more = 0; more < secret.length; more++) {
    const start = cleanStart(`${'x '.repeat(more)}${many}${secret}${many}`, 400, clean);
    expect(start).not.toMatch(/Sup3r|horse/);
  }
});

it('leaves what is short as it is, and cuts where it was told to', () => {
  expect(cleanStart('lorem ipsum', 11, clean)).toBe('lorem ipsum');
  expect(cleanStart('lorem ipsum', 5, clean)).toBe('lorem');
  expect(cleanStart('ab '.repeat(2000), 3000, clean)).toBe('ab '.repeat(1000));
});
