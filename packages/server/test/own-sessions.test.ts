/** A session that the caller named itself, of a browser or a terminal, is told; one that it did not is not. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import { said } from './thrown.ts';
import { connectRaw, textOf } from './wire.ts';

const UUID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const IDS = [UUID, 'sess_2026_11_18_ada', 'pty-3', 'browser-991'];

const WORDINGS: readonly ((id: string) => string)[] = [
  (id) => `Session ${id} not found`,
  (id) => `No session with id ${id}`,
  (id) => `Session "${id}" does not exist. Active sessions: main, build`,
  (id) => `Unknown sessionId: ${id}`,
  (id) => `session_id ${id} is invalid`,
];

async function returned(text: string, args: object): Promise<string> {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  const config = { inputSchema: z.looseObject({}), annotations: { readOnlyHint: true } };
  server.registerTool('t', config, async () => ({ isError: true, content: [{ type: 'text', text }] }));
  const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: args });
  return textOf({ message: answer });
}

describe.each(['sessionId', 'session_id', 'session', 'id'])('sent under %s', (name) => {
  it.each(IDS)('%s is told', async (id) => {
    const texts = WORDINGS.map((say) => say(id));
    const thrown = await Promise.all(texts.map((text) => said(new Error(text), { [name]: id })));
    expect(thrown.filter(([, text]) => !text.includes(id))).toEqual([]);
    const json = JSON.stringify({ error: 'not_found', sessionId: id });
    const all = await Promise.all([...texts, json].map((text) => returned(text, { [name]: id })));
    expect(all.filter((text) => !text.includes(id))).toEqual([]);
  });
});

describe('is not told', () => {
  it.each<readonly [string, object]>([
    ['where it was sent as a token', { session_token: UUID }],
    ['where it was sent as a secret', { session_secret: UUID }],
    ['where it was sent as a password', { password: UUID }],
    ['where it was sent as a cookie', { cookie: `sid=${UUID}` }],
    ['where it was sent as a credential, and under its own name', { access_token: UUID, sessionId: UUID }],
  ])('%s', async (_what, args) => {
    const texts = WORDINGS.filter((_, index) => index !== 1).map((say) => say(UUID));
    const all = await Promise.all(
      texts.flatMap((text) => [said(new Error(text), args).then(([, words]) => words), returned(text, args)]),
    );
    expect(all.filter((text) => text.includes(UUID))).toEqual([]);
  });

  it.each([
    `Cookie: session=${UUID}`,
    `Set-Cookie: JSESSIONID=${UUID}`,
    `session_token: ${UUID}`,
    `https://a.example.com/x;jsessionid=${UUID} failed`,
    `Authorization: Session ${UUID}`,
  ])('in a header or an address: %s', async (text) => {
    expect(await returned(`Refused: ${text}`, { sessionId: UUID })).not.toContain(UUID);
  });
});
