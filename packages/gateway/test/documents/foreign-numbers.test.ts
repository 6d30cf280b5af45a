/** A number of the negotiation that another system uses for something else is that system's, and is translated. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, json, open, post, upstream } from '../tools.ts';

afterEach(cleanUp);

const NO_URI = { code: -32022, message: 'Invalid URI', data: { uri: 'not-a-uri', reason: 'missing_scheme' } };
const NO_TEMPLATE = {
  code: -32021,
  message: 'Resource template not found',
  data: { uri_template: 'metrics://{day}' },
};

async function told(error: object, dialect: string) {
  const server = await upstream((body, response) =>
    json(response, 200, { jsonrpc: '2.0', id: JSON.parse(body).id, error }),
  );
  const gateway = await open({ upstreams: { a: { url: server.url } } });
  const headers = { 'mayday-dialect': dialect };
  return (await post(`${gateway.url}/a/mcp`, call('resources/read', { uri: 'not-a-uri' }), headers)).message;
}

it.each([
  ['closient', -32101],
  ['onx', -32602],
  ['qaqnuz', -32602],
  ['platica', -32602],
  ['mayday', -32602],
])('erlmcp’s -32022 in %s is %i', async (dialect, code) => {
  expect((await told(NO_URI, dialect)).error?.code).toBe(code);
});

it.each(['qaqnuz', 'platica'])('PL-3 QA-4 erlmcp’s data is not said in %s', async (dialect) => {
  for (const error of [NO_URI, NO_TEMPLATE])
    expect((await told(error, dialect)).error).not.toHaveProperty('data');
});

it.each([
  ['closient', -32200],
  ['onx', -32602],
  ['qaqnuz', -32602],
  ['platica', -32602],
])('erlmcp’s -32021 in %s is %i, without a bare `uri_template`', async (dialect, code) => {
  const { error } = await told(NO_TEMPLATE, dialect);
  expect(error?.code).toBe(code);
  expect(Object.keys((error?.data ?? {}) as object)).not.toContain('uri_template');
});

it.each([NO_URI, NO_TEMPLATE])('and erlmcp itself keeps it: %j', async (error) => {
  // Nobody has said that this server speaks erlmcp: that its number is a refusal is not ours to say.
  const data = { ...error.data, 'dev.mayday/error': { happened: 'maybe' } };
  expect((await told(error, 'erlmcp')).error).toEqual({ ...error, data });
});

it.each(['closient', 'onx', 'erlmcp', 'qaqnuz', 'platica', 'mayday'])(
  'the specification’s own meaning is passed on in %s',
  async (dialect) => {
    const error = {
      code: -32022,
      message: 'Unsupported protocol version',
      data: { supported: ['2026-07-28'], requested: '1999-01-01' },
    };
    expect((await told(error, dialect)).error).toEqual(error);
  },
);
