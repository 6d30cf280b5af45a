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
const keep = [{ rules: ['card'], label: /\bgtin\W{0,4}$/i, value: /^\d{14}$/ }];

async function said(how: string, options: GuardOptions): Promise<string> {
  const server = guard(new McpServer({ name: 's', version: '1' }), options);
  server.registerTool('fault', {}, () => {
    throw fault.notFound(message, { details: { gtin: NUMBER } });
  });
  server.registerTool('exception', {}, () => {
    throw new Error(message);
  });
  server.registerTool('result', {}, () => ({ isError: true, content: [{ type: 'text', text: message }] }));
  const client = await connectRaw(server);
  return JSON.stringify(await client.ask('tools/call', { name: how, arguments: {} }));
}

describe.each(['fault', 'exception', 'result'])('a GTIN in a %s', (how) => {
  it('CL-8 stays in the dialect whose document is about GTINs', async () => {
    expect(await said(how, { dialect: 'closient' })).toContain(message);
  });

  it('stays where the author says so, and is taken for a card elsewhere', async () => {
    expect(await said(how, { keep })).toContain(message);
    expect(await said(how, {})).not.toContain(NUMBER);
  });
});

describe('the REST twin', () => {
  it('CL-8 CL-13 keeps it too', async () => {
    const text = async (options: object) => problemResponse(fault.notFound(message), options).text();
    expect(await text({ dialect: 'closient' })).toContain(message);
    expect(await text({ keep })).toContain(message);
    expect(await text({})).not.toContain(NUMBER);
  });
});

describe('the option', () => {
  it.each([[[{ rules: ['card'] }]], ['card'], [[null]]])('is checked: %j', (wrong) => {
    expect(() => guard(new McpServer({ name: 's', version: '1' }), { keep: wrong as never })).toThrow(
      /`keep`/,
    );
  });
});
