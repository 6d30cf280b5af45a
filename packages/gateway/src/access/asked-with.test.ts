import { peek, type WireCall } from '@mayday/relay';
import { expect, it } from 'vitest';
import { askedWith } from './asked-with.ts';

function asked(args: string): ReturnType<typeof askedWith> {
  const body = Buffer.from(
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":${args}}}`,
  );
  return askedWith({ body, peek: peek(body) } as WireCall);
}

const digest = (args: string): unknown => (asked(args) as { digest?: string }).digest;

it.each([
  ['{"a":1,"b":{"c":[1,2],"d":null}}', '{ "b": {"d":null,"c":[1, 2]}, "a":1 }'],
  ['{"a":"\\u00e9"}', '{"a":"é"}'],
  ['{"n":12345678901234567890,"a":1}', '{"a":1,"n":12345678901234567890}'],
])('takes %s and %s for the same', (one, other) => {
  expect(digest(one)).toMatch(/^[0-9a-f]{64}$/);
  expect(digest(one)).toBe(digest(other));
});

it.each([
  ['{"n":12345678901234567890}', '{"n":12345678901234567891}'],
  ['{"n":0.1}', '{"n":0.10000000000000000001}'],
  ['{"n":1}', '{"n":"1"}'],
  ['{"n":1e400}', '{"n":1e401}'],
  ['{"n":1e5}', '{"n":"n1e5"}'],
  ['{"a":[1,2]}', '{"a":[2,1]}'],
  ['{"a":null}', '{}'],
  ['{"a":{"b":1}}', '{"a":[["b",1]]}'],
])('tells %s from %s', (one, other) => {
  expect(digest(one)).not.toBe(digest(other));
});

it('shows them without secrets, and long texts cut', () => {
  const { shown } = asked(
    `{"password":"hunter2hunter2","text":"${'x'.repeat(3000)}","n":5,"big":12345678901234567891}`,
  ) as {
    shown: { password: string; text: string; n: number; big: string };
  };
  expect(shown.password).not.toContain('hunter2');
  expect(shown.text).toBe(`${'x'.repeat(2000)}… (3000 characters)`);
  expect([shown.n, shown.big]).toEqual([5, '12345678901234567891']);
});

it.each([
  ['postgres://app:Sup3rSecretPassw0rd', '@db.example/prod'],
  ['password="Sup3rSecretPassw0rd horse battery', ' staple"'],
  ['ghp_Sup3rSecret', 'Passw0rdSup3rSecretPassw0rd1'],
])('shows nothing of a secret that goes over the cut: %s%s', (before, behind) => {
  const text = `${'select 1; '.repeat(200).slice(before.length + 1)} ${before}${behind} ${'select 1; '.repeat(300)}`;
  expect(text.slice(1990, 2000)).toBe(before.slice(-10));
  const { shown } = asked(JSON.stringify({ text })) as { shown: { text: string } };
  expect(shown.text).toContain('select 1; select 1; ');
  expect(shown.text).toMatch(/… \(\d{4} characters\)$/);
  expect(shown.text).not.toMatch(/Sup3r|horse/);
});

it('has no consent for what two readers would understand as two things, or nobody would read', () => {
  expect(asked('{"to":"bob","to":"eve"}')).toEqual({
    kind: 'invalid_arguments',
    why: 'two members of its arguments have the same name',
  });
  expect(asked(`{"a":"${'x'.repeat(300_000)}"}`)).toMatchObject({ kind: 'too_large' });
});
