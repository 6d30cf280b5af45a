/** A credential that the tool itself takes is the caller’s to pass, though nothing was sent by its name. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import { connectRaw, faultIn, textOf } from './wire.ts';

async function said(text: string, fields: readonly string[]): Promise<readonly [unknown, string]> {
  const server = guard(new McpServer({ name: 's', version: '1' }));
  const shape = Object.fromEntries([...fields, 'path'].map((name) => [name, z.string().optional()]));
  server.registerTool('t', { inputSchema: z.object(shape) }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    throw new Error(text);
  });
  const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: { path: 'x' } });
  return [faultIn(answer)['kind'], textOf({ message: answer })];
}

describe('a credential that the tool takes', () => {
  it.each([
    ['Invalid API key: pass a valid one in `api_key`', 'unauthenticated'],
    ['Missing api_key', 'invalid_arguments'],
    ['api_key is required', 'invalid_arguments'],
    ['apiKey is required', 'invalid_arguments'],
    ['API key required. Pass it as the api_key argument.', 'invalid_arguments'],
    ['The API key argument is missing', 'invalid_arguments'],
    ['No "api-key" given', 'invalid_arguments'],
  ])('is the caller’s to pass: %s', async (text, kind) => {
    const [told, words] = await said(text, ['api_key']);
    expect([told, words.startsWith(text)]).toEqual([kind, true]);
    expect(words).not.toContain('The server lacks');
  });

  it.each([
    ['Missing api_key', []],
    ['Missing API_KEY', ['api_key']],
    ['Invalid API key', ['api_key']],
    ['Weather API error: missing api_key', ['api_key']],
    ['Missing api_key', ['page_key']],
  ] as const)(
    'is the server’s where the sentence names none of the tool’s: %s of %j',
    async (text, fields) => {
      expect((await said(text, fields))[0]).toBe('misconfigured');
    },
  );
});
