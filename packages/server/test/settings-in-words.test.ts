/** Settings, fields and insides that no caller has: neither the tool's schema nor an argument names them. */
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { guard } from '../src/index.ts';
import { error, ID, INTERNAL, MISCONFIGURED, said } from './thrown.ts';
import { connectRaw, faultIn, textOf } from './wire.ts';

/** A tool that takes these, and throws. */
async function told(
  reason: unknown,
  args: { readonly [name: string]: unknown } = { id: 7 },
  takes: readonly string[] = Object.keys(args),
): Promise<readonly [unknown, string]> {
  const server = guard(new McpServer({ name: 's', version: '1' }), { correlationId: () => ID });
  const inputSchema = z.object(Object.fromEntries(takes.map((name) => [name, z.any().optional()])));
  server.registerTool('t', { inputSchema, annotations: { readOnlyHint: true } }, async () => {
    await null;
    throw reason;
  });
  const answer = await (await connectRaw(server)).ask('tools/call', { name: 't', arguments: args });
  return [faultIn(answer)['kind'], textOf({ message: answer })];
}

describe('a setting', () => {
  it.each([
    'Missing required env LEDGER_KEY',
    'DATABASE_URL must be a valid URL',
    'LEDGER_URL must be set',
    'LEDGER_SHARD must be set',
    'env LEDGER_SHARD is required',
    'supabaseUrl is required.',
    'supabaseKey is required.',
    'clientId is required',
    'Missing required option: clientSecret',
    'projectId must be set',
    'secretOrPrivateKey must have a value',
    'Region is missing',
    'Could not list orders: Region is missing',
    'Missing region',
    'Endpoint is required',
  ])('is the operator’s: %s', async (words) => {
    expect(await told(new Error(words))).toEqual(['misconfigured', MISCONFIGURED]);
  });

  it.each([
    'Missing required env LEDGER_KEY',
    'DATABASE_URL must be a valid URL',
    'supabaseUrl is required.',
    'secretOrPrivateKey must have a value',
    'Region is missing',
  ])('is so as well where nobody knows what the tool takes: %s', async (words) => {
    expect(await said(new Error(words), { id: 7 })).toEqual(['misconfigured', MISCONFIGURED]);
  });

  it.each([
    ['projectId must be set', ['id', 'projectId']],
    ['projectId must be set', ['id', 'project_id']],
    ['clientId is required', ['id', 'clientId']],
    ['Region is missing', ['id', 'region']],
    ['Region is missing', ['id', 'aws_region']],
    ['Endpoint is required', ['id', 'endpoint']],
  ])('is the caller’s where its tool takes it: %s', async (words, takes) => {
    expect((await told(new Error(words), { id: 7 }, takes))[1]).toContain(words);
  });

  it('is the caller’s where it was sent', async () => {
    const words = 'projectId must be set';
    expect((await said(new Error(words), { projectId: '' }))[1]).toContain(words);
    expect((await told(new Error(words), { options: { project_id: '' } }))[1]).toContain(words);
  });
});

describe('a field', () => {
  it.each(['ledgerShard is required', 'ledger_shard is missing', 'Missing required field: ledgerShard'])(
    'that no caller can send is a failure inside: %s',
    async (words) => {
      expect(await told(new Error(words))).toEqual(['internal', INTERNAL]);
    },
  );

  it.each([
    ['email is required', ['id', 'email']],
    ['unitPrice must be set', ['id', 'unit_price']],
    ['customerId must be set', ['id', 'customer']],
    ['customer.firstName is required', ['id', 'customer']],
    ['Missing required field: dueDate', ['id', 'dueDate']],
  ])('that its tool takes is told: %s', async (words, takes) => {
    expect((await told(new Error(words), { id: 7 }, takes))[1]).toContain(words);
  });

  it.each(['Name is required', 'Approval is required', 'Timezone is missing', 'Subject line is missing'])(
    'in a plain word is told, since a word may mean any: %s',
    async (words) => {
      expect((await told(new Error(words)))[1]).toContain(words);
    },
  );

  it('is told where nobody knows what the tool takes', async () => {
    expect((await said(new Error('ledgerShard is required'), { id: 7 }))[1]).toContain('ledgerShard');
  });

  it('is told where whoever throws it says whose it is', async () => {
    const [kind, text] = await told(error('ledgerShard is required', { status: 422, expose: true }));
    expect([kind, text]).toEqual(['unprocessable', expect.stringContaining('ledgerShard is required')]);
  });
});

describe('the inside of a library', () => {
  it.each([
    ['Release called on client which has already been released to the pool.', {}],
    ['Client has already been connected. You cannot reuse a client.', {}],
    ['Could not save: Release called on client which has already been released to the pool.', {}],
    ['Cannot use a pool after calling end on the pool', {}],
    ['Called end on pool more than once', {}],
    ['Transaction already committed', {}],
    ['Transaction query already complete, run with DEBUG=knex:tx for more info', {}],
    ['Cannot set headers after they are sent to the client', { code: 'ERR_HTTP_HEADERS_SENT' }],
    ["Can't set headers after they are sent.", {}],
    ['Schema hasn\'t been registered for model "Ledger".\nUse mongoose.model(name, schema)', {}],
    ['Cannot overwrite `Ledger` model once compiled.', {}],
    ["Nest can't resolve dependencies of the LedgerService (?)", {}],
    ['Template "invoice-internal.hbs" not found', {}],
    ['Migration 0042_add_ledger must be run first', {}],
    ['Feature flag billing_v2 must be enabled', {}],
    ['Service ledger-internal not found in registry', {}],
  ])('is not told: %s', async (words, members) => {
    expect(await told(error(words, members))).toEqual(['internal', INTERNAL]);
    expect(await said(error(words, members), { id: 7 })).toEqual(['internal', INTERNAL]);
  });

  it.each([
    ['Template "welcome.hbs" not found', { template: 'welcome.hbs' }],
    ['Template "welcome" not found', { id: 7 }],
    ['Feature flag billing_v2 must be enabled', { flag: 'billing_v2' }],
    ['Service ledger-internal not found in registry', { service: 'ledger-internal' }],
    ['Refund already committed', { id: 7 }],
    ['Transaction already committed', { transaction_id: 7 }],
  ])('is the caller’s where an argument names it, or it may be anything: %s', async (words, args) => {
    expect((await told(new Error(words), args))[1]).toContain(words);
  });
});
