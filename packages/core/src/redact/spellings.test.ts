/** In which spellings a value is known again that the caller hides, or that another part of the answer gave away. */
import { describe, expect, it } from 'vitest';
import { createRedactor, redact } from './index.ts';
import { SPELLINGS } from './spellings.fixture.ts';

describe.each(SPELLINGS)('a secret %s', (_how, secret, said, left) => {
  it('goes where it is to be hidden', () => {
    expect(createRedactor({ hide: [secret] }).redact(said).value).toBe(
      left.replace('[hidden]', '[secret:1]'),
    );
  });

  it('goes where it was told', () => {
    const told = [{ text: secret, class: 'password' }];
    expect(redact([said], { told }).value).toEqual([left.replace('[hidden]', '[password:1]')]);
  });
});
