/** Who has no good key is told so in the document's form, and by HTTP's own status where that is an error of the request. */
import { describe, expect, it } from 'vitest';
import { useStage } from '../support/stage.ts';

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: {} };

describe.each(['mayday', 'closient', 'onx', 'erlmcp', 'qaqnuz', 'platica'])('%s', (dialect) => {
  const stage = useStage(dialect);

  it.each([
    ['v2', {}],
    ['v2', { authorization: 'Bearer nobody-has-this-key' }],
    ['v1', {}],
    ['v1', { authorization: 'Bearer nobody-has-this-key' }],
  ] as const)('SDK %s, %o: 401', async (sdk, headers) => {
    const answer = await stage.http(sdk, { body: LIST, headers }, 'keyed');
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(answer.message).toMatchObject({ id: 7, error: { message: expect.stringMatching(/\S/) } });
  });
});
