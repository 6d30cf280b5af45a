import { expect, it } from 'vitest';
import { settingsOf } from '../../test/tools.ts';
import { createGiving } from './giving.ts';

const STORE = { url: 'memory:', secret: 'a-secret-of-the-store' };

type Wanted = { readonly header: string; readonly scheme?: string; readonly required?: boolean };

interface Callers {
  readonly caller: string | undefined;
}

/** What Ann's request to `web` is given, where her credential is found, or not, like this. */
async function given(
  wanted: Wanted,
  find: () => Promise<string | undefined>,
  by: Callers = { caller: 'ann' },
) {
  const { caller } = by;
  const web = { url: 'http://127.0.0.1:9/mcp', caller_credentials: wanted };
  const settings = settingsOf({ store: STORE, upstreams: { web } }).upstreams.get('web');
  const notes: string[] = [];
  const desk = { find, hiderOf: () => (words: string) => words };
  const giving = settings && createGiving(settings, { desk, note: (text) => notes.push(text) });
  const first = await giving?.give(caller);
  return { given: first, again: await giving?.give(caller), notes };
}

const found = async (): Promise<string> => 'token';
const AUTHORIZATION = { header: 'Authorization' };

it.each([
  [AUTHORIZATION, { authorization: 'Bearer token' }],
  [{ ...AUTHORIZATION, scheme: 'none' }, { authorization: 'token' }],
  [{ header: 'X-Key' }, { 'x-key': 'token' }],
  [{ header: 'X-Key', scheme: 'Key' }, { 'x-key': 'Key token' }],
])('%j sends it as %j', async (wanted, headers) => {
  expect((await given(wanted, found)).given).toEqual({ headers });
});

it('nobody has a name: there is nothing to look for', async () => {
  const never = async (): Promise<never> => expect.unreachable();
  const nobody = { caller: undefined };
  const told = [true, false].map((required) => given({ ...AUTHORIZATION, required }, never, nobody));
  expect((await Promise.all(told)).map((one) => one.given)).toMatchObject([
    { refused: { kind: 'unauthenticated', executed: 'no' } },
    { headers: { authorization: '' } },
  ]);
});

it.each([
  ['down', 'unavailable'],
  ['slow', 'unavailable'],
  ['unusable', 'misconfigured'],
  ['unsupported', 'misconfigured'],
])('a store that is %s refuses with %s, sends nothing without, and is told once', async (problem, kind) => {
  const broken = async (): Promise<never> => {
    throw Object.assign(new Error('why it is'), { problem });
  };
  const { given: first, again, notes } = await given({ ...AUTHORIZATION, required: false }, broken);
  expect(first).toMatchObject({ refused: { kind, executed: 'no', origin: 'gateway' } });
  expect(again).toEqual(first);
  expect(notes).toEqual(['a credential cannot be looked up: why it is']);
});
