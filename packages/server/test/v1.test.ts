/** SDK v1 servers behind the same guard, and v1 clients in front of it. */
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, it } from 'vitest';
import { LEAK, SECRET } from './fixture.ts';
import { askV1, failingV1 } from './v1-fixture.ts';
import { faultIn } from './wire.ts';

const plain = (method: string, params?: object) => askV1(failingV1(false), method, params);
const guarded = (method: string, params?: object) => askV1(failingV1({ deadlineMs: 200 }), method, params);

describe('a server of SDK v1', () => {
  it.each([
    ['tools/call', { name: 'error' }],
    ['tools/call', { name: 'registered-error' }],
    ['resources/read', { uri: 'fails://error' }],
    ['prompts/get', { name: 'error' }],
  ])('keeps the message of an exception in %s %o to the log', async (method, params) => {
    expect(JSON.stringify(await plain(method, params))).toContain(LEAK);
    const answer = await guarded(method, params);
    expect(JSON.stringify(answer)).not.toContain(SECRET);
    expect(faultIn(answer)).toMatchObject({ kind: 'internal' });
  });

  it('says of an unknown tool what v1 says, as a result, and which one was meant', async () => {
    expect((await plain('tools/call', { name: 'nope' }))?.result).toMatchObject({ isError: true });
    const answer = await guarded('tools/call', { name: 'agrs' });
    expect(answer?.error).toBeUndefined();
    expect(answer?.result).toMatchObject({
      isError: true,
      content: [{ text: 'Unknown tool: agrs. Did you mean args? List the tools and call one of them.' }],
    });
    expect(faultIn(answer)).toMatchObject({ kind: 'not_found', executed: 'no' });
  });

  it('lists what is wrong with the arguments', async () => {
    const answer = await guarded('tools/call', { name: 'args', arguments: { citi: 'Bern', days: 0 } });
    expect(faultIn(answer)['issues']).toEqual([
      {
        path: ['city'],
        message: 'required, expected string (you sent citi, did you mean city?)',
        code: 'required',
      },
      { path: ['days'], message: 'Too small: expected number to be >=1', code: 'too_small' },
    ]);
  });

  it('keeps the code and data of a thrown McpError, and loses the prefix', async () => {
    const answer = await guarded('tools/call', { name: 'protocol' });
    expect(faultIn(answer)).toMatchObject({
      message: 'Monthly plan limit reached',
      details: { code: 1429, data: { retryAfterMs: 1500 } },
    });
  });

  it('answers for null, for a handler that hangs, and for results that cannot be sent', async () => {
    expect(await plain('resources/read', { uri: 'fails://null' })).toBeUndefined();
    expect(faultIn(await guarded('resources/read', { uri: 'fails://null' }))).toMatchObject({
      kind: 'internal',
    });
    expect(faultIn(await guarded('tools/call', { name: 'forever' }))).toMatchObject({ kind: 'timeout' });
    expect(faultIn(await guarded('tools/call', { name: 'bigint' }))).toMatchObject({
      kind: 'invalid_output',
    });
  });

  it('refuses a cursor that it never gave out', async () => {
    expect((await plain('tools/list', { cursor: 'x' }))?.result).toBeDefined();
    expect((await guarded('tools/list', { cursor: 'x' }))?.error?.code).toBe(-32602);
  });

  it('leaves the list of tools as it is, but for the keys that they take', async () => {
    const tools = (await plain('tools/list'))?.result?.['tools'] as object[];
    const _meta = { 'dev.mayday/idempotency-key': true };
    expect((await guarded('tools/list'))?.result).toEqual({
      tools: tools.map((tool) => ({ ...tool, _meta })),
    });
  });

  it('says a missing resource in the code of its era', async () => {
    expect((await guarded('resources/read', { uri: 'nowhere://x' }))?.error).toMatchObject({
      code: -32002,
      data: { uri: 'nowhere://x', kind: 'not_found' },
    });
  });
});

describe('the official client of v1', () => {
  it('reads the fault of a tool with an output schema, in a dialect that has structured content', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await failingV1({ dialect: 'platica' }).connect(far);
    const client = new ClientV1({ name: 'v1', version: '1' });
    await client.connect(near);
    await client.listTools();
    const result = await client.callTool({ name: 'typed', arguments: { how: 'throw' } });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toBeUndefined();
    const plainTool = await client.callTool({ name: 'registered-fault' });
    expect(plainTool.structuredContent).toBeDefined();
  });

  it('gets the specification’s form with the document in `_meta`', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await failingV1().connect(far);
    const client = new ClientV1({ name: 'v1', version: '1' });
    await client.connect(near);
    const result = await client.callTool({ name: 'fault' });
    expect(result._meta?.['dev.mayday/fault']).toMatchObject({ kind: 'not_found' });
    expect(await client.callTool({ name: 'nope' })).toMatchObject({ isError: true });
  });
});
