/** Faults in the dialect that the server speaks, or that the client asks for. */
import { read } from '@mayday/core';
import { DIALECTS } from '@mayday/core/dialects';
import { describe, expect, it } from 'vitest';
import type { GuardOptions } from '../src/index.ts';
import { failingServer } from './fixture.ts';
import { type Answer, ask, type Era, faultIn } from './wire.ts';

const ids = DIALECTS.map((dialect) => dialect.id);
const ERAS: readonly Era[] = ['2025-11-25', '2026-07-28'];

function call(
  options: GuardOptions,
  era: Era,
  params: object,
  headers?: Record<string, string>,
): Promise<Answer | undefined> {
  return ask(() => failingServer(options), era, 'tools/call', params, headers);
}

describe.each(ids)('a server that speaks %s', (dialect) => {
  it.each(ERAS)('says a tool’s fault in it, in the era of %s', async (era) => {
    const answer = await call({ dialect }, era, { name: 'fault' });
    const reading = read(answer?.message, { from: dialect === 'problem' ? 'mcp' : dialect });
    expect(answer?.status).toBe(200);
    expect(reading.failure).toBe(true);
    expect(JSON.stringify(reading)).toContain('4711');
  });

  it('gives way to the dialect that a client asks for in `_meta`', async () => {
    const answer = await call({ dialect, clientDialects: ['onx'] }, '2026-07-28', {
      name: 'fault',
      _meta: { 'dev.mayday/dialect': 'onx' },
    });
    expect(answer?.message.result?.['error']).toMatchObject({ message: 'No order 4711', retryable: false });
  });
});

describe('the dialect that a client asks for', () => {
  it('can be in a header', async () => {
    const answer = await call({}, '2025-11-25', { name: 'fault' }, { 'mayday-dialect': 'tool-failure' });
    expect(answer?.message.result?.['_meta']).toHaveProperty('io.modelcontextprotocol/toolFailure');
  });

  it.each(['qaqnuz', 'platica'] as const)(
    'is not spoken by a server of %s, whose document is closed, unless the operator lists it',
    async (dialect) => {
      const asked = { 'mayday-dialect': 'mayday' };
      const meta = { name: 'fault', _meta: { 'dev.mayday/dialect': 'mayday' } };
      for (const era of ['2025-11-25', '2026-07-28'] as const) {
        const own = await call({ dialect }, era, { name: 'fault' });
        expect((await call({ dialect }, era, { name: 'fault' }, asked))?.message).toEqual(own?.message);
        expect((await call({ dialect }, era, meta))?.message).toEqual(own?.message);
        const listed = await call({ dialect, clientDialects: ['mayday'] }, era, { name: 'fault' }, asked);
        expect(JSON.stringify(listed?.message)).toContain('"kind":"not_found"');
      }
    },
  );

  it.each([false, ['mcp']] as const)('is not spoken where the server allows %o', async (clientDialects) => {
    const answer = await call(
      { clientDialects },
      '2025-11-25',
      { name: 'fault' },
      { 'mayday-dialect': 'onx' },
    );
    expect(faultIn(answer?.message)).toMatchObject({ kind: 'not_found' });
  });

  it('is ignored when nobody knows it', async () => {
    const answer = await call({}, '2025-11-25', { name: 'fault' }, { 'mayday-dialect': '__proto__' });
    expect(faultIn(answer?.message)).toMatchObject({ kind: 'not_found' });
  });
});

describe('placement', () => {
  it('of the operator decides where a dialect has a choice', async () => {
    const answer = await call({ placement: 'protocol' }, '2026-07-28', { name: 'error' });
    expect(answer?.message.error).toMatchObject({ code: -32603, data: { kind: 'internal' } });
  });

  it('keeps the author’s code in a protocol error', async () => {
    const answer = await ask(() => failingServer(), '2026-07-28', 'resources/read', {
      uri: 'fails://protocol',
    });
    expect(answer?.message.error?.code).toBe(1429);
  });
});

describe('structured content of an error result', () => {
  it('stays away from 2025-era clients of tools with an output schema, who would throw', async () => {
    const typed = { name: 'typed', arguments: { how: 'throw' } };
    const old = await call({ dialect: 'platica' }, '2025-11-25', typed);
    const modern = await call({ dialect: 'platica' }, '2026-07-28', typed);
    const untyped = await call({ dialect: 'platica' }, '2025-11-25', { name: 'fault' });
    expect(old?.message.result).not.toHaveProperty('structuredContent');
    expect(modern?.message.result).toHaveProperty('structuredContent');
    expect(untyped?.message.result).toHaveProperty('structuredContent');
  });
});

describe('members that the SDK stamps on results', () => {
  it('are kept on faults', async () => {
    const answer = await call({}, '2026-07-28', { name: 'error' });
    expect(answer?.message.result).toMatchObject({
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'failing' } },
    });
    const old = await call({}, '2025-11-25', { name: 'error' });
    expect(old?.message.result).not.toHaveProperty('resultType');
  });
});
