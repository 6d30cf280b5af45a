import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../src/dialects/index.ts';
import { fault, KIND_NAMES, write } from '../src/index.ts';
import { NOW } from './helpers.ts';

/**
 * Losses are measured, so the laws hold by construction. This table is what keeps a dialect from losing more
 * than it has to: it is reviewed whenever it changes (`npx vitest -u`).
 */
describe('what each dialect cannot say', () => {
  it.each(DIALECTS.map((dialect) => dialect.id))('%s', async (id) => {
    const lines = KIND_NAMES.map((kind) => {
      const { losses } = write(fault(kind, 'Something happened').fault, id, { id: 1, now: NOW });
      return `${kind}: ${losses.length === 0 ? '-' : losses.join(' ')}`;
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`fixtures/losses/${id.replace('@', '-')}.txt`);
  });
});
