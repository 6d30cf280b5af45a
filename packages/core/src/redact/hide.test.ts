/** Values that somebody knows to be secret go by what they are, whatever stands around them. */
import { describe, expect, it } from 'vitest';
import { createRedactor, redact } from './index.ts';

const hide = ['Zx9-kQ4wLm2p', 'correct horse battery', 'pear', 'a"b\\c d', 'password'];

describe('a value to hide', () => {
  it.each([
    ['User Zx9-kQ4wLm2p not found', 'User [secret:1] not found'],
    ['no "correct horse battery" here', 'no "[secret:1]" here'],
    ['pear is no pearl', '[secret:1] is no pearl'],
    ['{"x":"a\\"b\\\\c d"}', '{"x":"[secret:1]"}'],
    ['GET /u?q=correct%20horse%20battery', 'GET /u?q=[secret:1]'],
    ['the password is too short', 'the password is too short'],
  ])('goes: %s', (text, expected) => {
    expect(redact(text, { hide }).value).toBe(expected);
  });

  it('goes from names and values of a structure', () => {
    expect(redact({ tried: ['pear'], 'user pear': { a: 1 } }, { hide }).value).toEqual({
      tried: ['[secret:1]'],
      'user [secret:1]': { a: 1 },
    });
  });

  it.each([
    ['in base64', 'got Wng5LWtRNHdMbTJw here', 'got [secret:1] here'],
    ['in capitals', 'got ZX9-KQ4WLM2P here', 'got [secret:1] here'],
    ['glued to letters', 'got xZx9-kQ4wLm2py here', 'got x[secret:1]y here'],
  ])('goes %s, if it is odd', (_how, text, expected) => {
    expect(redact(text, { hide }).value).toBe(expected);
  });

  it('goes although the reader wrote it himself', () => {
    expect(redact('no pear', { hide, own: ['pear'] }).value).toBe('no [secret:1]');
  });

  it('is no part of a stretch too short to be told apart', () => {
    expect(redact('a b c 123', { hide: ['a', '', '123'] }).value).toBe('a b c 123');
  });

  it('goes from a text that the same redactor has seen', () => {
    const redactor = createRedactor({ hide });
    expect(redactor.redactText('no pear').value).toBe('no [secret:1]');
    expect(redactor.redactText('no pear').value).toBe('no [secret:1]');
  });
});
