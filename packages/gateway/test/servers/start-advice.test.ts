/** Of a server that cannot be started, clients show the message of an error alone: it says what to do, and says it once. */
import { afterEach, expect, it } from 'vitest';
import { call, callTool, cleanUp, INITIALIZE, open, post } from '../tools.ts';

afterEach(cleanUp);

const dying = (words: string): { command: string; args: string[] } => ({
  command: process.execPath,
  args: ['-e', `console.error(${JSON.stringify(words)}); process.exit(1)`],
});
const NEEDS = dying('Error: API_TOKEN environment variable is required');
const WHY = 'The server ended when it was started (exit code 1): the variable API_TOKEN is not set';
const TO_DO = 'Set API_TOKEN under `env` of this server.';

it.each(['mayday', 'mcp', 'tool-failure'])('says what to do in the dialect %s', async (dialect) => {
  const gateway = await open({ upstreams: { a: NEEDS } });
  const { message } = await post(`${gateway.url}/a/mcp`, INITIALIZE, { 'mayday-dialect': dialect });
  expect(message.error?.message).toBe(`${WHY}. ${TO_DO}`);
});

it('has both apart in the document, and the advice once in a result', async () => {
  const gateway = await open({ upstreams: { a: NEEDS } });
  const { message } = await post(`${gateway.url}/a/mcp`, INITIALIZE);
  expect(message.error).toMatchObject({ data: { message: WHY, advice: TO_DO } });
  const { message: called } = await post(`${gateway.url}/a/mcp`, callTool('x'));
  const [first] = (called.result?.['content'] ?? []) as { text: string }[];
  expect(first?.text.split(TO_DO).length).toBe(2);
});

it('says it of words that are no sign of anything, and of a command that is not there', async () => {
  const gateway = await open({
    upstreams: { a: dying('boom at import'), b: { command: 'no-such-command' } },
  });
  const said = async (name: string) =>
    (await post(`${gateway.url}/${name}/mcp`, INITIALIZE)).message.error?.message;
  expect(await said('a')).toMatch(
    /^The server ended when it was started \(exit code 1\): boom at import.*\. Correct what the server complains of: its settings here, or the server itself\.$/,
  );
  expect(await said('b')).toMatch(
    /not found\. Install the command `no-such-[^`]*`, or name it by its full path under `command` of this server\.$/,
  );
});

it('says it once behind another gateway, too', async () => {
  const inner = await open({ upstreams: { a: NEEDS } });
  const outer = await open({ upstreams: { a: { url: `${inner.url}/a/mcp` } } });
  const { message } = await post(`${outer.url}/a/mcp`, INITIALIZE);
  expect(message.error?.message.split(TO_DO).length).toBe(2);
  expect(JSON.stringify(message).split(`${WHY}. ${TO_DO}`).length).toBe(2);
});

it('says it of one that cannot be reached', async () => {
  const gateway = await open({ upstreams: { a: { url: 'http://127.0.0.1:9/mcp' } } });
  const { message } = await post(`${gateway.url}/a/mcp`, call('tools/list'));
  expect(message.error?.message).toBe(
    'The server cannot be reached (ECONNREFUSED); its address is http://127.0.0.1:9. Start the server, or correct the port in its address.',
  );
});

it('says it of a proxy that cannot be reached, without its password', async () => {
  const proxy = 'http://user:hunter2hunter2@127.0.0.1:9';
  const gateway = await open({ upstreams: { a: { url: 'http://127.0.0.1:7932/mcp', proxy } } });
  const { message, text } = await post(`${gateway.url}/a/mcp`, call('tools/list'));
  expect(message.error?.message).toBe(
    'The proxy cannot be reached (ECONNREFUSED); its address is http://127.0.0.1:9. Look at the proxy, or correct `proxy` of this server.',
  );
  expect(text).not.toContain('7932');
  expect(text).not.toContain('hunter2');
});

it.each(['erlmcp', 'closient', 'platica'])(
  'tells callers in %s nothing about where it is',
  async (dialect) => {
    const gateway = await open({ upstreams: { a: { url: 'http://127.0.0.1:9/mcp' } } });
    const { text } = await post(`${gateway.url}/a/mcp`, call('tools/list'), { 'mayday-dialect': dialect });
    expect(text).not.toContain('127.0.0.1');
  },
);
