import { expect, it } from 'vitest';
import { approvalDocument } from './approval-document.ts';

it('shows no secrets, neither of arguments nor of a URI', () => {
  const shown = approvalDocument(
    {
      id: 'a',
      fingerprint: 'f',
      caller: 'ann',
      upstream: 'bank',
      target: 'https://ann:hunter2pass@h.example/x?api_key=sk-live-4f8Jk2LmQp9XyZ01AbCdEfGh',
      arguments: { password: 'hunter2hunter2' },
      askedAt: 0,
      expiresAt: 1000,
    },
    'a key',
  );
  expect(shown.tool).toMatch(/^bank\/https:\/\/.*@h\.example\/x\?api_key=/);
  expect(JSON.stringify(shown)).not.toMatch(/hunter2|sk-live/);
});

it('shows all else, and digests that were kept', () => {
  const given = {
    iban: 'DE89370400440532013000',
    to: 'a@b.example',
    token: '[token:1#4f2a91c0]',
    at: '10.0.0.5',
  };
  const shown = approvalDocument(
    {
      id: 'a',
      fingerprint: 'f',
      caller: 'ann',
      upstream: 'bank',
      target: 'file:///home/ann/x',
      arguments: given,
      askedAt: 0,
      expiresAt: 1000,
    },
    'a key',
  );
  expect(shown.arguments).toEqual(given);
  expect(shown.tool).toBe('bank/file:///home/ann/x');
});
