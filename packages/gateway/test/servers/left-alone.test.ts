/** While a server that does not start is left alone, whoever asks is told why it does not. */
import { afterEach, expect, it } from 'vitest';
import { callTool, cleanUp, faultIn, INITIALIZE, open, type Posted, post } from '../tools.ts';

afterEach(cleanUp);

const words = (posted: Posted): string => JSON.stringify(faultIn(posted));

async function leftAlone(program: string) {
  const shop = {
    command: process.execPath,
    args: ['-e', program],
    open_timeout_ms: 300,
    breaker: { failures: 2, open_ms: 60_000 },
    retry: { attempts: 1 },
  };
  const gateway = await open({ upstreams: { shop }, virtual: { desk: { tools: ['shop/*'] } } });
  const own = `${gateway.url}/shop/mcp`;
  let posted = await post(own, callTool('pay'));
  for (let round = 0; round < 20 && !words(posted).includes('left alone'); round += 1)
    posted = await post(own, callTool('pay'));
  return { gateway, own, posted };
}

it.each([
  [
    'dies',
    'console.error("FATAL: database unreachable"); process.exit(3)',
    'FATAL: database unreachable',
    'Correct what the server complains of: its settings here, or the server itself.',
  ],
  [
    'hangs',
    'console.error("Waiting for authorization at the login page"); setInterval(() => {}, 1e6)',
    'it has not answered anything since it was started',
    'It seems to wait for somebody to sign in: start the command once by hand, sign in, then try again.',
  ],
])(
  'one that %s: with its reason, command and advice, at every way in',
  async (_how, program, why, advice) => {
    const { gateway, own, posted } = await leftAlone(program);
    const others = [
      await post(own, INITIALIZE),
      await post(`${gateway.url}/mcp`, callTool('shop_pay')),
      await post(`${gateway.url}/desk/mcp`, callTool('shop_pay')),
    ];
    for (const each of [posted, ...others]) {
      const fault = faultIn(each);
      expect(fault).toMatchObject({ executed: 'no', advice });
      expect(String(fault?.['message'])).toContain(why);
      expect(fault?.['details']).toMatchObject({ command: expect.stringContaining('node') });
    }
    expect(words(posted)).toContain('left alone for now');
  },
);
