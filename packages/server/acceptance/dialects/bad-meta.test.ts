/** A request with an id is answered, also when its `_meta` is such that both SDKs would drop it without a word. */
import { describe, expect, it } from 'vitest';
import { useStage, WAYS } from '../support/stage.ts';
import type { Wire } from '../support/wire.ts';

const TASK = 'io.modelcontextprotocol/related-task';
const TOKENS: readonly Wire[] = [{}, null, true, 1.5, ['t']];
const METAS: readonly Wire[] = ['x', [], 5, null, { [TASK]: 5 }, { [TASK]: {} }];

/** Each document's code for a bad progress token, and for any other request that is malformed. */
const CODES: readonly (readonly [dialect: string, token: number, meta: number])[] = [
  ['mayday', -32602, -32602],
  ['closient', -32100, -32100],
  ['onx', -32602, -32602],
  ['erlmcp', -32091, -32602],
  ['qaqnuz', -32602, -32602],
  ['platica', -32602, -32602],
];

describe.each(CODES)('%s', (dialect, token, meta) => {
  const stage = useStage(dialect);

  it.each(WAYS)('%s', async (way) => {
    const codeOf = async (method: string, _meta: Wire): Promise<unknown> =>
      (await stage.ask(way, method, { name: 'book', arguments: {}, _meta })).error?.code;
    for (const progressToken of TOKENS)
      expect([progressToken, await codeOf('tools/call', { progressToken })]).toEqual([progressToken, token]);
    for (const bad of METAS) expect([bad, await codeOf('tools/list', bad)]).toEqual([bad, meta]);
  });
});

describe("erlmcp's example", () => {
  const stage = useStage('erlmcp');

  it.each(WAYS)('ER-65 names the token: %s', async (way) => {
    const { error } = await stage.ask(way, 'tools/call', { name: 'book', _meta: { progressToken: {} } });
    expect(error).toEqual({ code: -32091, message: 'Invalid progress token', data: { progressToken: {} } });
  });

  it.each(WAYS)('ER-59 names the cursor that no list has: %s', async (way) => {
    const { error } = await stage.ask(way, 'tools/list', { cursor: 'page_99' });
    expect(error).toEqual({ code: -32071, message: 'Invalid cursor', data: { cursor: 'page_99' } });
  });
});
