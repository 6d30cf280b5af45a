import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRedactor, redact } from './index.ts';
import { ruleIds } from './rule-ids.ts';

/** As JavaScript gives them: nobody checks a type there. */
const given = (options: unknown) => options as NonNullable<Parameters<typeof createRedactor>[0]>;

/** Where a rule stands: in its head, and as the fourth argument of `mark`. */
const NAMING = /\b(?:rule: |mark\(\s*page,(?:(?:[^,()]|\([^()]*\))+,){2}\s*)'([a-z-]+)'/g;

describe('options of a redactor', () => {
  it.each([
    [{ level: 'Strict' }, "Expected `level` to be one of standard, strict, secrets; did you mean 'strict'?"],
    [{ level: 'secret' }, "Expected `level` to be one of standard, strict, secrets; did you mean 'secrets'?"],
    [{ level: 7 }, 'Expected `level` of a redactor to be a string, got a number'],
    [{ levels: 'strict' }, 'Unknown option `levels` of a redactor; did you mean `level`?'],
    [
      { zzz: true },
      'Unknown option `zzz` of a redactor; it has level, disable, enable, keep, own, hide, told, digest, rules',
    ],
    [{ disable: ['emails'] }, 'Unknown rule "emails" in `disable` of a redactor; did you mean \'email\'?'],
    [
      { enable: ['entropie'] },
      'Unknown rule "entropie" in `enable` of a redactor; did you mean \'entropy\'?',
    ],
    [
      { enable: ['zzzzzzzzzz'] },
      'Unknown rule "zzzzzzzzzz" in `enable` of a redactor; the findings of `redact` name the rules there are',
    ],
    [{ disable: 'email' }, 'Expected `disable` of a redactor to be an object, got a string'],
    [{ hide: {} }, 'Expected `hide` of a redactor to be a list'],
    [{ digest: 'sha256' }, 'Expected `digest` of a redactor to be a function, got a string'],
  ])('refuses %j', (options, sentence) => {
    expect(() => createRedactor(given(options))).toThrow(new TypeError(sentence));
    expect(() => redact('a text', given(options))).toThrow(new TypeError(sentence));
  });

  it('takes the id of a rule of its own, and options that are not set', () => {
    const rule = {
      id: 'order-key',
      class: 'order-key',
      keywords: ['ok_'],
      pattern: /ok_\d{8}/,
      truePositives: ['ok_12345678'],
      nearMisses: ['ok_1'],
    };
    const { redactText } = createRedactor({
      rules: [rule],
      disable: ['order-key'],
      ...given({ level: undefined }),
    });
    expect(redactText('ok_12345678').value).toBe('ok_12345678');
  });

  it('knows every rule that its source names', () => {
    const folders = [import.meta.dirname, `${import.meta.dirname}/rules`];
    const sources = folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((file) => file.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(file))
        .map((file) => readFileSync(`${folder}/${file}`, 'utf8')),
    );
    const named = sources.flatMap((source) => [...source.matchAll(NAMING)].map(([, id = '']) => id));
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((id) => !ruleIds().has(id))).toEqual([]);
  });
});
