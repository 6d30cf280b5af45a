/** Labelled numbers that stay, whoever said them: a fault, an exception, a result of the author's own. */
import { fault } from '@mayday/core';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { problemResponse } from '../src/http.ts';
import { type GuardOptions, guard } from '../src/index.ts';
import { connectRaw } from './wire.ts';

/** Passes Luhn's check. */
const NUMBER = '30053959116255';
const message = `No product found for GTIN ${NUMBER}`;
const shelf = `No product found on SHELF ${NUMBER}`;
const keep = ['shelf'];

async function said(how: string, message: string, options: GuardOptions): Promise<string> {
  const server = guard(new McpServer({ name: 's', version: '1' }), options);
  server.registerTool('fault', {}, () => {
    throw fault.notFound(message);
  });
  server.registerTool('exception', {}, () => {
    throw new Error(message);
  });
  server.registerTool('result', {}, () => ({ isError: true, content: [{ type: 'text', text: message }] }));
  const client = await connectRaw(server);
  return JSON.stringify(await client.ask('tools/call', { name: how, arguments: {} }));
}

describe.each(['fault', 'exception', 'result'])('a number in a %s', (how) => {
  it('CL-8 that is called a GTIN stays', async () => {
    expect(await said(how, message, { dialect: 'closient' })).toContain(message);
  });

  it('stays where the author knows its label, and is taken for a card elsewhere', async () => {
    expect(await said(how, shelf, { keep })).toContain(shelf);
    expect(await said(how, shelf, {})).not.toContain(NUMBER);
  });
});

describe('the REST twin', () => {
  it('CL-8 CL-13 keeps them too', async () => {
    const text = async (words: string, options: object) =>
      problemResponse(fault.notFound(words), options).text();
    expect(await text(message, { dialect: 'closient' })).toContain(message);
    expect(await text(shelf, { keep })).toContain(shelf);
    expect(await text(shelf, {})).not.toContain(NUMBER);
  });
});

describe('the option', () => {
  it.each([[[7]], ['card'], [[null]]])('is checked: %j', (wrong) => {
    expect(() => guard(new McpServer({ name: 's', version: '1' }), { keep: wrong as never })).toThrow(
      /`keep`/,
    );
  });
});
