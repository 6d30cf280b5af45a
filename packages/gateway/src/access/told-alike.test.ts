/** What whoever is refused learns of what there is: nothing where refusals are opaque, and the truth where not. */
import { afterEach, expect, it } from 'vitest';
import { ANN, type Asked, gatewayWith } from '../../test/ruled-house.ts';
import {
  call,
  callTool,
  cleanUp,
  faultIn,
  json,
  open,
  type Posted,
  post,
  upstream,
} from '../../test/tools.ts';

afterEach(cleanUp);

const withoutIds = ({ status, text }: Posted): unknown => [
  status,
  text.replace(/"(?:correlation_id|correlationId)":"[^"]+"/g, ''),
];

it.each(['/bank/mcp', '/mcp'])('tells an opaque refusal alike at %s, whatever the reason', async (path) => {
  const { url, gateway } = await gatewayWith({
    refusals: 'opaque',
    rules: [{ deny: ['*/look', '*/plan'] }, { allow: ['*/pay'], scopes: ['none'] }],
  });
  const prefix = path === '/mcp' ? 'bank_' : '';
  const ask = (name: string): Promise<Posted> => post(`${url}${path}`, callTool(`${prefix}${name}`), ANN);
  const [deniedOne, lacking, unknown] = [await ask('look'), await ask('pay'), await ask('nope')];
  expect(faultIn(deniedOne)).toMatchObject({
    kind: 'forbidden',
    executed: 'no',
    message: 'This tool is not available for your key.',
  });
  expect(withoutIds(lacking)).toEqual(withoutIds(deniedOne));
  expect(withoutIds(unknown)).toEqual(withoutIds(deniedOne));
  const log = gateway.logs.filter((line) => line.includes('method=tools/call'));
  expect(log.map((line) => /reason=("[^"]+"|\S+)/.exec(line)?.[1])).toEqual([
    'denied',
    '"missing scopes"',
    'unknown',
  ]);
  const nowhere = await post(`${url}/mcp`, callTool('nobody_x'), ANN);
  expect(faultIn(nowhere)).toMatchObject({ message: 'This tool is not available for your key.' });
  const prompt = async (name: string) =>
    withoutIds(await post(`${url}${path}`, call('prompts/get', { name: `${prefix}${name}` }), ANN));
  expect(await prompt('plan')).toEqual(await prompt('nope'));
});

it('does not take a tool that was listed for one that there is none of, whatever it says', async () => {
  const { url: at } = await upstream((body, response) => {
    const { id, method } = JSON.parse(body) as Asked;
    const said = { isError: true, content: [{ type: 'text', text: 'Unknown tool: odd' }] };
    const result = method === 'tools/list' ? { tools: [{ name: 'odd' }] } : said;
    json(response, 200, { jsonrpc: '2.0', id, result });
  });
  const gateway = await open({ access: { refusals: 'opaque' }, upstreams: { one: { url: at } } });
  const url = `${gateway.url}/one/mcp`;
  expect(faultIn(await post(url, callTool('odd')))).toMatchObject({ kind: 'forbidden' });
  await post(url, call('tools/list'));
  expect(faultIn(await post(url, callTool('odd')))).toMatchObject({ kind: 'not_found', executed: 'maybe' });
});

it.each(['/bank/mcp', '/mcp'])('tells everything alike in a closed dialect at %s', async (path) => {
  const { url } = await gatewayWith(
    { rules: [{ deny: ['*/look'] }, { allow: ['*/pay'], scopes: ['none'] }] },
    { dialect: 'qaqnuz' },
  );
  const prefix = path === '/mcp' ? 'bank_' : '';
  for (const name of ['look', 'pay', 'nope'])
    expect((await post(`${url}${path}`, callTool(`${prefix}${name}`), ANN)).message.result).toEqual({
      content: [{ type: 'text', text: 'This tool is not available for your key.' }],
      isError: true,
    });
});

it('says explicitly that a tool is unknown, and that one is denied', async () => {
  const { url } = await gatewayWith({ rules: [{ deny: ['*/look'] }] });
  const kind = async (name: string): Promise<unknown> =>
    faultIn(await post(`${url}/bank/mcp`, callTool(name), ANN))?.['kind'];
  expect([await kind('look'), await kind('nope')]).toEqual(['forbidden', 'not_found']);
});
