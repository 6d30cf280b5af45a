/** In which spellings what the settings give to a server is known again, at each place that a failing answer has. */
import { describe, expect, it } from 'vitest';
import { SPELLINGS } from '../../../core/src/redact/spellings.fixture.ts';
import { hidden, inBytes } from './hide-given.ts';
import { type Hide, hiderOfSecrets } from './hiding.ts';

const OF_MANY = ['another-one-that-is-longer', 'Zx81kd0PXw77', 'no secret of anybody'];

describe.each(SPELLINGS)('a secret %s', (_how, secret, said, left) => {
  const hide = hiderOfSecrets([secret, ...OF_MANY]) as Hide;

  it('goes from words', () => {
    expect(hide(said)).toBe(left);
  });

  it('goes from the texts and the members of an answer', () => {
    const answer = (text: string): unknown => ({
      content: [{ type: 'text', text }],
      structuredContent: { [text]: [text] },
      _meta: { text },
    });
    expect(hidden(answer(said), hide)).toEqual(answer(left));
  });

  it('goes from a message in bytes', () => {
    const message = (text: string): unknown => ({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32000, message: text },
    });
    const bytes = Buffer.from(JSON.stringify(message(said)));
    expect(JSON.parse(inBytes(bytes, hide).toString())).toEqual(message(left));
  });
});

it('leaves texts apart that a list holds', () => {
  const hide = hiderOfSecrets(['Tk9xYb2Uc4Vd6We8Xf0Zg']) as Hide;
  const list = '{"a":["Tk9xYb2Uc4","Vd6We8Xf0Zg"],"Tk9xYb2Uc4":"Vd6We8Xf0Zg"}';
  expect(hide(list)).toBe(list);
});
