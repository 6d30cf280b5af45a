/** Every reference server under the same fire: an answer or a refusal with a reason, and the connection goes on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SLOW } from '../../acceptance/program.ts';
import { type Expected, INPUTS, type Input, type Meaning } from './inputs.ts';
import { type Both, flood, liveBytes, onStdio, openBoth, overHttp, reasons, told } from './servers.ts';

/** What each document has for each meaning: a code, or a tool result that says so. */
const SAYS: Record<string, Record<Meaning, number | 'failed' | 'fine'>> = {
  closient: {
    parse: -32100,
    request: -32100,
    params: -32100,
    too_large: -32100,
    tool: 'failed',
    method: -32601,
    fine: 'fine',
  },
  onx: {
    parse: -32700,
    request: -32600,
    params: -32602,
    too_large: -32600,
    tool: -32602,
    method: -32601,
    fine: 'fine',
  },
  erlmcp: {
    parse: -32700,
    request: -32600,
    params: -32602,
    too_large: -32012,
    tool: -32002,
    method: -32601,
    fine: 'fine',
  },
  qaqnuz: {
    parse: -32700,
    request: -32600,
    params: -32602,
    too_large: -32600,
    tool: 'failed',
    method: -32601,
    fine: 'fine',
  },
  platica: {
    parse: -32602,
    request: -32602,
    params: -32602,
    too_large: -32602,
    tool: -32602,
    method: -32601,
    fine: 'fine',
  },
};

const STATUS: Record<Meaning, number> = {
  parse: 400,
  request: 400,
  params: 400,
  too_large: 413,
  tool: 200,
  method: 200,
  fine: 200,
};

/** How many hostile messages a server gets before its memory is looked at, and between the two looks. */
const ON_STDIO = { warmUp: 1000, repeats: 1000 };
const OVER_HTTP = { warmUp: 400, repeats: 400 };
/** Caches that fill, code that is compiled: about a hundred bytes a message on stdio. */
const SLACK_BYTES = 512 * 1024;

const light = INPUTS.filter(({ isHeavy }) => isHeavy === undefined);

/** So many hostile messages, one kind after the other. */
function repeated(count: number): Input['lines'] {
  const lines = light.flatMap((input) => input.lines);
  return Array.from({ length: count }, (_, index) => lines[index % lines.length] ?? '');
}

describe.each(['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'] as const)('%s', (name) => {
  const say = ([id, meaning]: Expected): [unknown, unknown] => [id, SAYS[name]?.[meaning]];
  const isErlmcp = name === 'erlmcp';
  let both: Both;
  beforeAll(async () => {
    both = await openBoth(name);
  }, SLOW);
  afterAll(() => both.close());

  it.each(INPUTS)(
    'stdio: $name',
    async ({ lines, stdio, erlmcp }) => {
      const said = await onStdio(both, lines);
      expect(told(said)).toEqual(((isErlmcp && erlmcp) || { stdio }).stdio.map(say));
      expect(reasons(said).filter((reason) => reason.length < 5)).toEqual([]);
    },
    30_000,
  );

  it.each(INPUTS)(
    'HTTP: $name',
    async ({ lines, stdio, http = stdio, erlmcp }) => {
      const expected = ((isErlmcp && erlmcp) || { http }).http;
      const answers = await overHttp(both, lines);
      const said = answers.flatMap(({ messages }) => messages);
      expect(told(said)).toEqual(expected.map(say));
      expect(reasons(said).filter((reason) => reason.length < 5)).toEqual([]);
      // A client of erlmcp's knows the request by its id, and needs no status.
      const known = expected.filter(([id]) => isErlmcp && id !== null);
      const statuses = known.length > 0 ? [200] : expected.map(([, meaning]) => STATUS[meaning]);
      expect(answers.map(({ status }) => status)).toEqual(expected.length === 0 ? [202] : statuses);
    },
    30_000,
  );

  it('answers both requests of one id', async () => {
    const twin = '{"jsonrpc":"2.0","id":"twin","method":"ping"}';
    const said = told(await onStdio(both, [twin, twin]));
    expect(said.map(([id]) => id)).toEqual(['twin', 'twin']);
    expect(said).toContainEqual(['twin', 'fine']);
  });

  it(`holds no more after ${ON_STDIO.repeats} of them on stdio`, async () => {
    const { pipe } = both;
    await onStdio(both, repeated(ON_STDIO.warmUp));
    const before = await liveBytes(pipe.program);
    await onStdio(both, repeated(ON_STDIO.repeats));
    const after = await liveBytes(pipe.program);
    expect(after - before).toBeLessThan(SLACK_BYTES);
  }, 150_000);

  it(`holds no more after ${OVER_HTTP.repeats} of them over HTTP`, async () => {
    const { program } = both.server;
    await flood(both, repeated(OVER_HTTP.warmUp));
    const before = await liveBytes(program);
    const statuses = await flood(both, repeated(OVER_HTTP.repeats));
    expect(Object.keys(statuses)).toEqual(['200', '202', '400']);
    const after = await liveBytes(program);
    expect(after - before).toBeLessThan(SLACK_BYTES);
  }, 150_000);
});
