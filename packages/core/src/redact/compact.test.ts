import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { BENIGN, INTERNALS, PERSONAL, SECRETS } from '../../../../bench/redact-cases.ts';
import { createRandom, expand } from '../../../../bench/redact-random.ts';
import { runs } from '../../../../test/runs.ts';
import { fault } from '../index.ts';
import { redact, redactFault, redactFaultSecrets, redactSecrets } from './compact.ts';
import { redact as redactAll } from './index.ts';

const seed = fc.integer({ min: 1, max: 1e9 });
const message = fc
  .tuple(
    fc.array(fc.oneof(fc.constantFrom(...SECRETS, ...PERSONAL, ...INTERNALS), fc.string()), { maxLength: 4 }),
    seed,
  )
  .map(([parts, n]) => expand(parts.join(' '), createRandom(n)).replace(/[⟦⟧]/g, ''));

const KEY = `ghp_${'1a'.repeat(18)}`;

describe('compact redaction', () => {
  test.each([
    ['a key of a vendor', `used ${KEY}`, 'used [token:1]'],
    ['a name and its value', 'password=hunter2!x', 'password=[password:1]'],
    ['a header', 'Authorization: Bearer abc123def456ghi789', 'Authorization: Bearer [credentials:1]'],
    [
      'a login in an address',
      'postgres://app:hunter2@db.acme.com/x',
      'postgres://[credentials:1]@db.acme.com/x',
    ],
    ['a mailbox', 'asked by jane.doe@acme.com', 'asked by [email:1]'],
    ['a card', 'card 4111 1111 1111 1111 declined', 'card [card:1] declined'],
    ['an address of a machine', 'no route to 10.20.30.40', 'no route to [ip:1]'],
    ['a private host', 'no answer from billing-7.corp.internal', 'no answer from [host:1]'],
    ['a home', 'ENOENT /home/jane/x.txt', 'ENOENT /home/[user:1]/x.txt'],
    [
      'a trace',
      'TypeError: x\n    at f (/srv/a.js:1:2)\n    at g (/srv/b.js:3:4)',
      'TypeError: x\n    [stack:1]',
    ],
  ])('takes out %s', (_what, text, out) => {
    expect(redact(text).value).toBe(out);
  });

  it('takes out what stands under a telling name, and leaves the rest as it was', () => {
    const value = { password: 'hunter2', cache_key: 'a8F3kQ9zL2m', items: [1, 'two'] };
    const { value: safe, findings } = redact(value);
    expect(safe).toEqual({ password: '[password:1]', cache_key: 'a8F3kQ9zL2m', items: [1, 'two'] });
    expect(safe.items).toBe(value.items);
    expect(findings).toEqual([{ rule: 'key-name', path: '$.password' }]);
  });

  it('of secrets alone leaves people and machines', () => {
    expect(redactSecrets(`jane.doe@acme.com on 10.20.30.40 used ${KEY}`).value).toBe(
      'jane.doe@acme.com on 10.20.30.40 used [token:1]',
    );
  });

  it('redacts a fault', () => {
    const said = fault.unavailable(`jane.doe@acme.com used ${KEY}`).fault;
    expect(redactFault(said).message).toBe('[email:1] used [token:1]');
    expect(redactFaultSecrets(said).message).toBe('jane.doe@acme.com used [token:1]');
    const plain = fault.notFound('No such order').fault;
    expect(redactFault(plain)).toBe(plain);
  });

  it('touches nothing that is harmless', () => {
    const random = createRandom(20261119);
    const texts = BENIGN.map((text) => expand(text, random).replace(/[⟦⟧]/g, ''));
    expect(texts.filter((text) => redact(text).value !== text)).toEqual([]);
  });

  it('finds nothing where the whole redactor finds nothing, and nothing more the second time', () => {
    fc.assert(
      fc.property(message, (text) => {
        const once = redact(text);
        expect(once.findings.length === 0 || redactAll(text).findings.length > 0).toBe(true);
        expect(redact(once.value)).toEqual({ value: once.value, findings: [] });
      }),
      { numRuns: runs(1000) },
    );
  });

  it('leaves JSON as JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('password', 'note', 'token', 'a'), message), (value) => {
        const text = redact(JSON.stringify(value)).value;
        expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(value));
      }),
      { numRuns: runs(500) },
    );
  });

  it('takes anything', () => {
    const anything = fc.anything({
      withNullPrototype: true,
      withMap: true,
      withBigInt: true,
      withDate: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        expect(() => redact(value)).not.toThrow();
        expect(() => redactSecrets(value)).not.toThrow();
      }),
      { numRuns: runs(500) },
    );
  });

  test.each([
    'secret="',
    'token: ',
    '/homes/a',
    'http://',
    'a@',
    '0000 ',
    'Bearer a',
    'at f (',
    'eyJ.',
    '{"a":"',
  ])('takes time as %j over and over grows, and no more', (part) => {
    const took = (length: number): number => {
      const text = part.repeat(length / part.length);
      const before = performance.now();
      redact(text);
      return performance.now() - before;
    };
    took(1 << 14);
    const [less, more] = [took(1 << 16), took(1 << 19)];
    // Eight times as long: a square of it would be sixty-four times.
    expect(more).toBeLessThan(30 * Math.max(less, 8));
  });
});
