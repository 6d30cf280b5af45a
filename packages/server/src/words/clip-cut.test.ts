/** A text that gets shorter as it is made safe is not told up to where it was read: half a secret may stand there. */
import { redact } from '@mayday/core/redact';
import { expect, it } from 'vitest';
import { clip } from './clip.ts';

const SECRET = 'sk_live_4eC39HqLyjWDarjtT1zdp7dc';
const POSITIONS = Array.from(SECRET, (_, at) => at + 1);
const LENGTH = 3000;
/** So much is read, to tell that. */
const READ = LENGTH + 4096;

it.each(POSITIONS)('tells nothing of a secret of which %i letters were read', (letters) => {
  const long = `Bearer ${'x7Q2'.repeat(1200)} `;
  const words = long + 'lorem '.repeat(500).slice(0, READ - letters - 1 - long.length);
  const told = clip(`${words} ${SECRET} ${'dolor '.repeat(1000)}`, LENGTH, (text) => redact(text).value);
  expect(told).toMatch(/^Bearer \[[\w:-]+\] (?:lorem )+[lorem]*… \[[\d,]+ more characters\]$/);
});
