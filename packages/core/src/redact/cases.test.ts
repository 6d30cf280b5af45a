import { expect, test } from 'vitest';
import { BENIGN, INTERNALS, PERSONAL, SECRETS } from '../../../../bench/redact-cases.ts';
import { createRandom, expand } from '../../../../bench/redact-random.ts';
import { redact } from './index.ts';

const random = createRandom(3);

test.each([...SECRETS, ...PERSONAL, ...INTERNALS])('%s', (template) => {
  const marked = expand(template, random);
  const planted = [...marked.matchAll(/⟦([^⟧]*)⟧/g)].map((match) => match[1] as string);
  const { value } = redact(marked.replace(/[⟦⟧]/g, ''));
  expect(planted.filter((part) => value.includes(part))).toEqual([]);
});

test.each(BENIGN)('leaves alone: %s', (template) => {
  const text = expand(template, random);
  expect(redact(text)).toEqual({ value: text, findings: [] });
});
