import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { mayday, start } from './mayday.ts';

const CERTIFICATES = join(import.meta.dirname, '../../gateway/test/certificates');

const everything = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
);

function folderWith(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-doctor-'));
  writeFileSync(join(folder, 'mayday.yaml'), file);
  return folder;
}

it('says that all is well', async () => {
  const file = `
listen: { port: 0 }
store: 'file:./mayday.db'
upstreams:
  everything: { command: ${process.execPath}, args: [${everything}, stdio] }
`;
  const cwd = folderWith(file);
  const { code, out } = await mayday(['doctor'], '', { cwd });
  expect(out).toMatch(
    /^ok {5}node\n.*\nok {5}file\n {7}mayday\.yaml: 1 server\nok {5}port\n.*\nok {5}store\n {7}sqlite; the gateway makes its file when it starts\nok {5}server everything\n {7}\d+ tools in [\d.]+ s\n$/,
  );
  expect(code).toBe(0);
  expect(readdirSync(cwd)).toEqual(['mayday.yaml']);
});

it('makes no file of a store, and says where none can be made', async () => {
  const settings = (store: string): string =>
    `listen: { port: 0 }\nstore: '${store}'\nupstreams: { gone: { command: no-such-binary-anywhere } }\n`;
  const told = async (store: string): Promise<string> => {
    const cwd = folderWith(settings(store));
    const { out } = await mayday(['doctor'], '', { cwd });
    expect(readdirSync(cwd)).toEqual(['mayday.yaml']);
    return out;
  };
  expect(await told('file:./state/mayday.db')).toMatch(
    /FAILS {2}store\n {7}The folder .*state does not exist/,
  );
  expect(await told('file:.')).toMatch(/FAILS {2}store\n/);
});

it('says of each server what is wrong and what to do', async () => {
  const file = `
upstreams:
  gone: { command: no-such-binary-anywhere }
  throws: { command: ${process.execPath}, args: ['-e', 'throw new Error("DATABASE_URL is not set")'] }
  hangs: { command: ${process.execPath}, args: ['-e', 'setInterval(() => {}, 1000)'] }
  closed: { url: 'http://127.0.0.1:9/mcp' }
`;
  const args = ['doctor', '--json', '--timeout', '3'];
  const { code, out } = await mayday(args, '', { cwd: folderWith(file) });
  const checks = out
    .trim()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { readonly what: string; readonly result: string; readonly says: string },
    );
  const failed = checks.filter(({ what }) => what.startsWith('server '));
  expect(failed.map(({ what, result }) => [what, result])).toEqual([
    ['server gone', 'failed'],
    ['server throws', 'failed'],
    ['server hangs', 'failed'],
    ['server closed', 'failed'],
  ]);
  expect(failed[0]?.says).toContain('Install the command');
  expect(failed[1]?.says).toContain('Set DATABASE_URL under `env`');
  expect(failed[2]?.says).toContain('did not answer within 3 s');
  expect(failed[3]?.says).toContain('cannot be reached');
  expect(code).toBe(1);
});

/** A server that answers with these results, as JavaScript; without one it does not answer. */
function answering(initialize: string, list: string): string {
  const script = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = { 'initialize': ${initialize}, 'tools/list': ${list} }[method];
    if (id !== undefined && result !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  })`;
  return `{ command: ${process.execPath}, args: ['-e', ${JSON.stringify(script)}] }`;
}

const REFUSING = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) =>
  console.log(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(line).id, error: { code: -32000, message: 'licence expired' } })))`;

it('calls no server well that no client can use, and tells what it wrote in place of an answer', async () => {
  const opened =
    "{ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }";
  const servers = {
    well: answering(opened, "{ tools: [{ name: 'a', inputSchema: { type: 'object' } }] }"),
    nothing: answering('null', 'undefined'),
    strange: answering(opened.replace('2025-11-25', '1999-01-01'), 'undefined'),
    nameless: answering(opened.replace('serverInfo', 'info'), 'undefined'),
    refusing: `{ command: ${process.execPath}, args: ${JSON.stringify(['-e', REFUSING])} }`,
    list: answering(opened, '{ tools: null }'),
    schema: answering(opened, "{ tools: [{ name: 'a' }] }"),
    banner: `{ command: ${process.execPath}, args: ['-e', 'console.log("Listening on port 3000"); process.stdin.resume()'] }`,
  };
  const file = `upstreams:\n${Object.entries(servers)
    .map(([name, server]) => `  ${name}: ${server}\n`)
    .join('')}`;
  const { code, out } = await mayday(['doctor', '--json', '--timeout', '8'], '', { cwd: folderWith(file) });
  const said = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly what: string; readonly says: string })
    .filter(({ what }) => what.startsWith('server '))
    .map(({ what, says }) => [what.slice('server '.length), says.split('\n')[0]]);
  expect(Object.fromEntries(said)).toEqual({
    well: expect.stringMatching(/^1 tool in/),
    nothing: expect.stringMatching(/^The server answered `initialize` with a result that is no object: /),
    strange: 'Unsupported protocol version',
    nameless: 'Clients cannot use its answer to initialize: serverInfo does not say name and version',
    refusing: 'licence expired',
    list: 'Clients cannot use its answer to tools/list: tools is no list',
    schema: 'Clients cannot use its answer to tools/list: the inputSchema of "a" is not of the type object',
    banner: expect.stringContaining('Listening on port 3000'),
  });
  expect(code).toBe(1);
}, 90_000);

it.each([
  [''],
  [`, certificate: ${CERTIFICATES}/first.cert.pem, certificate_key: ${CERTIFICATES}/first.key.pem`],
])(
  'knows a gateway that runs already%s',
  async (more) => {
    const file = (port: number): string =>
      `listen: { port: ${port}${more} }\nupstreams: { a: { url: 'http://127.0.0.1:9/mcp' } }\n`;
    const child = start(['gateway'], { cwd: folderWith(file(0)) });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await expect.poll(() => said, { timeout: 20_000 }).toMatch(/127\.0\.0\.1:\d+/);
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(said)?.[1]);
    const { out } = await mayday(['doctor', '--timeout', '3'], '', { cwd: folderWith(file(port)) });
    expect(out).toContain(`ok     port\n       A gateway listens on 127.0.0.1:${port} already\n`);
  },
  60_000,
);

it('finds ports that are taken by something else', async () => {
  const taken = async (): Promise<number> => {
    const other = createServer((_request, response) => response.writeHead(404).end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    return (other.address() as AddressInfo).port;
  };
  const [port, admin] = [await taken(), await taken()];
  const cwd = folderWith(
    `listen: { port: ${port} }\nadmin: { listen: { port: ${admin} } }\nupstreams: { a: { url: 'http://127.0.0.1:9/mcp' } }\n`,
  );
  const { code, out } = await mayday(['doctor'], '', { cwd });
  expect(out).toContain(`FAILS  port\n       Port ${port} is taken; choose another one with --port\n`);
  expect(out).toContain(`FAILS  admin port\n       Port ${admin} is taken; change admin.listen\n`);
  expect(code).toBe(1);
});

it('takes a file with mistakes for a finding, and words that make no sense for wrong usage', async () => {
  const cwd = folderWith('upstreams: { a: { comand: x } }\n');
  const broken = await mayday(['doctor'], '', { cwd });
  expect(broken.out).toContain('FAILS  file\n');
  expect(broken.out).toContain('did you mean command?');
  expect(broken.code).toBe(1);
  expect((await mayday(['doctor', '--timeout', 'soon'], '', { cwd })).code).toBe(2);
  expect((await mayday(['doctor', '--config', 'other.yaml'], '', { cwd })).out).toContain(
    'cannot be read (ENOENT)',
  );
});

it('asks no server that is for callers with a credential alone, and opens what is sealed for it', async () => {
  const file = `
listen: { port: 0 }
store: { url: './mayday.db', secret: "\${OUR_SECRET}" }
upstreams:
  search: { url: 'http://127.0.0.1:9/mcp', caller_credentials: authorization }
`;
  const cwd = folderWith(file);
  const well = await mayday(['doctor'], '', { cwd, env: { OUR_SECRET: 'secret-of-the-store' } });
  expect([well.code, well.out]).toEqual([
    0,
    expect.stringMatching(/ok {5}store\n.*\nnote {3}server search\n {7}Not asked/),
  ]);
  const set = ['credentials', 'set', 'ann', 'search'];
  await mayday(set, 'token-of-ann', { cwd, env: { OUR_SECRET: 'secret-of-the-store' } });
  const ill = await mayday(['doctor'], '', { cwd, env: { OUR_SECRET: 'another-secret-of-it' } });
  expect([ill.code, ill.out]).toEqual([
    1,
    expect.stringMatching(/FAILS {2}store\n {7}The credential of \w+ for \w+ was sealed with/),
  ]);
});

it('says that nobody can come in, and what to do', async () => {
  const cwd = folderWith(`
listen: { port: 0 }
store: 'file:./mayday.db'
upstreams:
  gone: { command: no-such-binary-anywhere }
`);
  const made = await mayday(['keys', 'create', 'ann', '--store', 'file:./mayday.db', '--json'], '', { cwd });
  const { id } = JSON.parse(made.out) as { readonly id: string };
  const open = await mayday(['doctor'], '', { cwd });
  expect(open.out).not.toContain('callers');
  await mayday(['keys', 'revoke', id, '--store', 'file:./mayday.db'], '', { cwd });
  const revoked = await mayday(['doctor'], '', { cwd });
  expect(revoked.out).toContain(
    'note   callers\n       Nobody can come in: every key of the store is revoked or has expired; make one with',
  );
  const closed = folderWith(`
listen: { port: 0 }
access: { without_key: refuse }
upstreams:
  gone: { command: no-such-binary-anywhere }
`);
  const none = await mayday(['doctor'], '', { cwd: closed });
  expect(none.out).toContain('Nobody can come in: `access.without_key` is `refuse`, and there is no key');
});
