import { describe, expect, it } from 'vitest';
import { fault, write } from '../index.ts';
import { createRedactor, type Kept, redact } from './index.ts';

/** Passes Luhn's check, and the one of GTINs. */
const NUMBER = '30053959116255';
const keep: readonly Kept[] = [{ rules: ['card'], label: /\bgtin\W{0,4}$/gi, value: /^\d{14}$/g }];

describe('labelled numbers', () => {
  it.each([
    [`No product for GTIN ${NUMBER}.`, `No product for GTIN ${NUMBER}.`],
    [`{"gtin":"${NUMBER}"}`, `{"gtin":"${NUMBER}"}`],
    [`GTIN: ${NUMBER} and GTIN ${NUMBER}`, `GTIN: ${NUMBER} and GTIN ${NUMBER}`],
    [`Card ${NUMBER}`, 'Card [card:1]'],
    [NUMBER, '[card:1]'],
    ['GTIN 4111111111111111', 'GTIN [card:1]'],
    [`GTIN of the parcel that was paid with ${NUMBER}`, 'GTIN of the parcel that was paid with [card:1]'],
  ])('%j leaves as %j', (text, safe) => {
    expect(redact(text, { keep }).value).toBe(safe);
    expect(redact(text, { keep }).value).toBe(safe);
  });

  it('are known by the name of their member too', () => {
    expect(redact({ gtin: NUMBER, paid: NUMBER }, { keep }).value).toMatchObject({ paid: '[card:1]' });
    expect(redact({ gtin: NUMBER, list: [1] }, { keep }).value).toEqual({ gtin: NUMBER, list: [1] });
    expect(redact({ gtin: Number(NUMBER) }, { keep }).findings).toEqual([]);
  });

  it('are let be by the named rules alone, and by nobody without the option', () => {
    const phones: readonly Kept[] = [{ ...(keep[0] as Kept), rules: ['phone'] }];
    expect(redact(`GTIN ${NUMBER}`, { keep: phones }).value).toBe('GTIN [card:1]');
    expect(redact(`GTIN ${NUMBER}`).value).toBe('GTIN [card:1]');
    expect(createRedactor({ keep }).redactText(`GTIN ${NUMBER}`).findings).toEqual([]);
  });

  it('CL-8 a GTIN is none’s card in Closient’s dialect, and may be one in every other', () => {
    const message = `No product found for GTIN ${NUMBER}`;
    const said = (dialect: string) => JSON.stringify(write(fault.notFound(message).fault, dialect).wire);
    expect(said('closient')).toContain(message);
    expect(said('mayday')).not.toContain(NUMBER);
    const paid = fault.notFound(`No product for card ${NUMBER}, GTIN 4111111111111111`).fault;
    expect(JSON.stringify(write(paid, 'closient').wire)).not.toMatch(/30053959116255|4111111111111111/);
  });
});
