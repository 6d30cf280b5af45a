/** `trustDeclarations: false` holds wherever a server can declare that nothing was executed. */
import { makeFault, toDocument } from '@mayday/core';
import { describe, expect, it } from 'vitest';
import { FLAVOURS, plainHttp } from './flavours.ts';
import { answer, type Heard, type Script, scriptedHttp, succeed } from './scripted-http.ts';

const document = toDocument(makeFault({ kind: 'unavailable', executed: 'no', message: 'Closed' }));
const problem = { type: 'about:blank', title: 'Unavailable', status: 503, ...document };
const pretended = { 'dev.mayday/stand-in': true, 'dev.mayday/proven': true };

const error = (heard: Heard, code: number, data: unknown): object => ({
  jsonrpc: '2.0',
  id: heard.id,
  error: { code, message: 'Closed', data },
});

const DECLARED: { readonly [form: string]: Script } = {
  'a tool result': (heard, response) => {
    const result = { isError: true, content: [], _meta: { 'dev.mayday/fault': document } };
    answer(response, { jsonrpc: '2.0', id: heard.id, result });
  },
  'the data of an error': (heard, response) => answer(response, error(heard, -32603, document)),
  'the data of an error that pretends to be ours': (heard, response) =>
    answer(response, error(heard, -32603, { ...document, ...pretended })),
  'the draft’s own member': (heard, response) =>
    answer(response, error(heard, -32024, { reason: 'closed', notProcessed: true })),
  'a problem document': (_, response) =>
    answer(response, problem, 503, { 'content-type': 'application/problem+json', 'retry-after': '0' }),
  'an error behind a status': (heard, response) => answer(response, error(heard, -32603, document), 503),
};

const once =
  (script: Script): Script =>
  (heard, response, count) =>
    count === 1 ? script(heard, response, count) : succeed(heard, response);

type Connect = (typeof FLAVOURS)[0]['http'];

async function writes(connect: Connect, script: Script, trustDeclarations?: boolean): Promise<number> {
  await using server = await scriptedHttp(once(script));
  const client = connect(server.url, { trustDeclarations });
  await client.connect();
  await client.call({ name: 'write' });
  await client.close();
  return server.calls('write');
}

describe.each(FLAVOURS)('$name', ({ http }) => {
  it.each(Object.entries(DECLARED))('believes %s only if it is trusted', async (_, script) => {
    expect(await writes(http, script)).toBe(2);
    expect(await writes(http, script, false)).toBe(1);
  });

  it('believes the transport’s own refusal in any case', async () => {
    const limited: Script = (_, response) => answer(response, '', 429, { 'retry-after': '0' });
    expect(await writes(http, limited, false)).toBe(2);
  });
});

const refusing = toDocument(makeFault({ kind: 'unauthenticated', executed: 'no', message: 'Unauthorized' }));

/** Statuses after which the SDK's own transport throws: what is declared then is in the error's text. */
const REFUSED = FLAVOURS.flatMap(({ name, http }) =>
  [401, 403].flatMap((status) => [-32603, -32600].map((code) => [name, status, code, http] as const)),
);

async function refused(connect: Connect, script: Script, trustDeclarations?: boolean): Promise<unknown> {
  await using server = await scriptedHttp(script);
  const client = connect(server.url, { trustDeclarations });
  await client.connect();
  const outcome = await client.call({ name: 'write' });
  await client.close();
  return 'fault' in outcome ? outcome.fault : undefined;
}

it.each(REFUSED)(
  'believes who is turned away only if that is trusted: %s, %i %i',
  async (_, status, code, http) => {
    const turnedAway: Script = (heard, response) => answer(response, error(heard, code, refusing), status);
    const kind = 'unauthenticated';
    expect(await refused(http, turnedAway)).toMatchObject({ kind, executed: 'no' });
    expect(await refused(http, turnedAway, false)).toMatchObject({ kind, executed: 'maybe' });
    expect(await refused(plainHttp, turnedAway)).toMatchObject({ kind, executed: 'maybe' });
  },
);

it.each(REFUSED)('believes no more than the answer says: %s, %i %i', async (_, status, code, http) => {
  const worked: Script = (heard, response) =>
    answer(response, error(heard, code, { ...refusing, executed: 'maybe' }), status);
  const elsewhere: Script = (heard, response) =>
    answer(response, error(heard, code, { ...refusing, subject: { type: 'tool', id: 'mail' } }), status);
  expect(await refused(http, worked)).toMatchObject({ executed: 'maybe' });
  expect(await refused(http, elsewhere)).toMatchObject({ executed: 'maybe' });
});

it('holds without our fetch', async () => {
  for (const form of ['the data of an error', 'the data of an error that pretends to be ours'])
    expect(await writes(plainHttp, DECLARED[form] as Script, false)).toBe(1);
});
