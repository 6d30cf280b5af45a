/** Either SDK is enough. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Runs a module in a process in which one package cannot be found. */
async function without(missing: string, code: string): Promise<string> {
  const hook = `
    import { registerHooks } from 'node:module';
    registerHooks({ resolve(specifier, context, next) {
      if (specifier.startsWith('${missing}')) {
        throw Object.assign(new Error('Cannot find package ' + specifier), { code: 'ERR_MODULE_NOT_FOUND' });
      }
      return next(specifier, context);
    } });`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--conditions=@mayday/source',
      '--import',
      `data:text/javascript,${encodeURIComponent(hook)}`,
      '--input-type=module',
      '--eval',
      code,
    ],
    { cwd: here },
  );
  return stdout.trim();
}

const NAMES = 'createUpstream,httpTransport,mendFetch,readError,readResult,resilient,toToolResult';

it.each(['@mayday/client', '@mayday/client/v1'])('%s has the same names', async (entry) => {
  const code = `console.log(Object.keys(await import('${entry}')).sort().join())`;
  expect(await without('nothing', code)).toBe(NAMES);
});

it('with v1 alone, both entries can be imported, and a transport of v2 says what is missing', async () => {
  const code = `
    await import('@mayday/client/v1');
    const { httpTransport, readError } = await import('@mayday/client');
    console.log(readError(new Error('Rate limit exceeded')).fault.kind);
    await httpTransport('http://127.0.0.1:1/').start().catch((error) => console.log(error.message));`;
  expect((await without('@modelcontextprotocol/client', code)).split('\n')).toEqual([
    'rate_limited',
    'Expected `@modelcontextprotocol/client` to be installed; for SDK v1, import from `@mayday/client/v1`',
  ]);
});

it('with v2 alone, the root can be imported and its transport starts', async () => {
  const code = `
    const { httpTransport } = await import('@mayday/client');
    const transport = httpTransport('http://127.0.0.1:1/');
    await transport.start();
    console.log(transport.constructor.name);`;
  expect(await without('@modelcontextprotocol/sdk', code)).toBe('StreamableHTTPClientTransport');
});
