/** What a client of 2026-07-28 is told of a process that dies or hangs when it is started: nobody has read its call. */
import { afterEach, expect, it } from 'vitest';
import { call, cleanUp, faultIn, open, post } from '../../test/tools.ts';

afterEach(cleanUp);

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
};

const PROGRAMS = [
  [
    'needs a variable',
    'console.error("Error: ACME_TOKEN environment variable is required"); process.exit(1)',
    'misconfigured',
    'Set ACME_TOKEN under `env` of this server.',
    'the variable ACME_TOKEN is not set',
  ],
  [
    'ends well',
    'process.exit(0)',
    'misconfigured',
    expect.stringContaining('Is it a server over standard input and output?'),
    'it ended by itself, and said nothing',
  ],
  [
    'hangs',
    'console.error("Waiting for authorization"); setInterval(() => {}, 1e6)',
    'timeout',
    expect.stringContaining('It seems to wait for somebody to sign in'),
    'it has not answered anything since it was started',
  ],
  [
    'writes nonsense',
    'console.log("Server listening on http://localhost:3000"); setInterval(() => {}, 1e6)',
    'timeout',
    expect.stringContaining('If it is a server over HTTP'),
    'writes to standard output what is no message',
  ],
] as const;

const PLACES = [
  ['/p/mcp', 'pay'],
  ['/mcp', 'p_pay'],
  ['/desk/mcp', 'p_pay'],
] as const;

it.each(PROGRAMS.flatMap((program) => PLACES.map((place) => [...program, ...place] as const)))(
  'one that %s',
  async (_how, program, kind, advice, why, path, name) => {
    const p = { command: process.execPath, args: ['-e', program], open_timeout_ms: 1500 };
    const { url } = await open({ upstreams: { p }, virtual: { desk: { tools: ['p/*'] } } });
    const ask = () =>
      post(`${url}${path}`, call('tools/call', { name, arguments: {}, _meta: META }), {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
      });
    const first = faultIn(await ask());
    const second = faultIn(await ask());
    expect(first).toMatchObject({ kind, executed: 'no', advice });
    expect(second).toMatchObject({ executed: 'no', advice });
    for (const fault of [first, second]) {
      expect(String(fault?.['message'])).toContain(why);
      expect(fault?.['details']).toMatchObject({ command: expect.stringContaining('node') });
    }
  },
);
