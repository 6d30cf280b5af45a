/** An address that somebody is asked to open keeps what opens it, and no password or key of anybody's. */
import { describe, expect, it } from 'vitest';
import { addressRedactor } from './index.ts';

const clean = addressRedactor();

it.each([
  ['https://x.example.com/a?password=⟦hunter2Zq9⟧', 'password'],
  ['https://x.example.com/a?user=svc&passwd=⟦hunter2Zq9⟧&next=/', 'password'],
  ['https://x.example.com/a?api_key=⟦Zq9Xw8Vr7Ts6Pn5M⟧', 'api-key'],
  ['https://x.example.com/a?apiKey=⟦sesame⟧&state=1', 'api-key'],
  ['https://x.example.com/a?client_secret=⟦Zq9Xw8Vr7Ts6Pn5M⟧', 'secret'],
  ['https://x.example.com/a?secret=⟦what?ever;9⟧#top', 'secret'],
  ['https://x.example.com/a#access_token=⟦Zq9Xw8Vr7Ts6Pn5M⟧', 'token'],
  ['https://x.example.com/a#state=1&access_token=⟦ey.Zq9Xw8Vr7Ts6Pn5M⟧&token_type=bearer', 'token'],
  ['https://x.example.com/a?refresh_token=⟦Zq9Xw8Vr7Ts6Pn5M⟧', 'token'],
  ['https://x.example.com/a?a=1&amp;password=⟦hunter2Zq9⟧&amp;b=2', 'password'],
  ['https://x.example.com/a?user[password]=⟦hunter2Zq9⟧', 'password'],
  ['https://x.example.com/a;password=⟦hunter2Zq9⟧', 'password'],
  ['https://x.example.com/a?next=https://y.example.com/?password=⟦hunter2Zq9⟧', 'password'],
  [
    'https://x.example.com/a?next=https%3A%2F%2Fy.example.com%3Fa%3D1%26password%3D⟦hunter2Zq9⟧%26b%3D2&c=3',
    'password',
  ],
  ['https://x.example.com/a?next=%252Fcb%253Fpassword%253D⟦hunter2Zq9⟧%2526b%253D2', 'password'],
])('%s', (marked, cls) => {
  const address = marked.replace(/[⟦⟧]/g, '');
  const left = clean(address);
  expect(left).toBe(marked.replace(/⟦.*⟧/, `[${cls}:1]`));
  expect(clean(left)).toBe(left);
});

it('names each value by itself', () => {
  expect(
    clean('https://x.example.com/?password=hunter2Zq9&db_password=other3Yp8&user_password=hunter2Zq9'),
  ).toBe('https://x.example.com/?password=[password:1]&db_password=[password:2]&user_password=[password:1]');
});

it.each([
  'https://auth.example.com/authorize?response_type=code&client_id=Zq9Xw8Vr7Ts6Pn5M&state=Zq9Xw8Vr7Ts6Pn5M&code_challenge=Zq9Xw8Vr7Ts6Pn5MZq9Xw8Vr7Ts6Pn5MZq9Xw8Vr7T',
  'https://x.example.com/login?token=Zq9Xw8Vr7Ts6Pn5M&code=Zq9Xw8Vr7Ts6Pn5M&sig=Zq9Xw8Vr7Ts6Pn5M',
  'https://meet.example.com/j/991?pwd=Zq9Xw8Vr7Ts6Pn5M',
  'https://x.example.com/account?reset_password=1&password=1&secret=required&passwordless=abcdef12',
  'https://x.example.com/a?redirect_uri=https%3A%2F%2Fapp.example.com%2Fcb%3Fstate%3Dabc123def456',
  'https://x.example.com/help#password',
  'https://x.example.com/pay?payment_intent_client_secret=pi_991_secret_Zq9Xw8Vr7Ts6',
])('leaves what opens it: %s', (address) => {
  expect(clean(address)).toBe(address);
});

it('takes time by its length', () => {
  const long = `https://x.example.com/?${'password=a%2525&'.repeat(50_000)}${'%25'.repeat(50_000)}`;
  const since = performance.now();
  clean(long);
  expect(performance.now() - since).toBeLessThan(5000);
});

describe('names whose letters are encoded are the same names', () => {
  it.each([
    'https://x.example/?pass%77ord=hunter2',
    'https://x.example/?%70%61%73%73%77%6F%72%64=hunter2&state=8f3a',
    'https://x.example/?pass%2577ord=hunter2',
    'https://x.example/#api%5Fkey=hunter2',
    'https://x.example/?next=https%3A%2F%2Fa.example%2F%3Fpass%2577ord%3Dhunter2',
    'https://x.example/?client%2Dsecret=hunter2',
  ])('%s', (address) => {
    expect(clean(address)).not.toContain('hunter2');
  });

  it.each([
    'https://x.example/?st%61te=hunter2',
    'https://x.example/?sig=hunter2&X%2DAmz%2DSignature=hunter2',
    'https://x.example/?q=pass%77ord',
  ])('and others stay: %s', (address) => {
    expect(clean(address)).toBe(address);
  });
});
