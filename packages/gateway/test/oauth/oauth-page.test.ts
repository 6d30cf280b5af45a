/** What docs/oauth.md has to try it out does what the page says. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { freePort } from '../../../../scripts/free-port.ts';
import { readSettings, startGateway } from '../../src/index.ts';
import { bearer } from '../issuer.ts';
import { callTool, cleanUp, later, post } from '../tools.ts';

afterEach(cleanUp);

const page = readFileSync(new URL('../../../../docs/oauth.md', import.meta.url), 'utf8');
const here = fileURLToPath(new URL('../..', import.meta.url));

function block(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)?.[1] ?? '';
}

/** The token that the issuer of the page prints. */
function runIssuer(code: string): Promise<string> {
  const issuer = spawn(process.execPath, ['--input-type=module', '-e', code], { cwd: here });
  later(() => issuer.kill());
  return new Promise((resolve, reject) => {
    issuer.stdout.once('data', (token: Buffer) => resolve(token.toString().trim()));
    issuer.stderr.once('data', (said: Buffer) => reject(new Error(said.toString())));
  });
}

it('refuses without a token, and asks for the scope that a rule wants', async () => {
  const [issuerPort, port] = [await freePort(), await freePort()];
  const withPorts = (text: string): string =>
    text.replaceAll('9000', String(issuerPort)).replaceAll('7350', String(port));
  const token = await runIssuer(withPorts(block('js')));
  const { settings, warnings } = readSettings(withPorts(block('yaml')), { baseDir: here });
  expect(warnings).toEqual([]);
  const gateway = await startGateway({ ...settings, listen: { ...settings.listen, port } });
  later(() => gateway.close(500));
  const at = `http://127.0.0.1:${port}/demo/mcp`;

  const [, params = ''] = /-d '(.*)'/.exec(block('sh')) ?? [];
  expect((await post(at, params)).status).toBe(401);
  const refused = await post(at, params, bearer(token));
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    403,
    `Bearer error="insufficient_scope", scope="math", resource_metadata="http://127.0.0.1:${port}/.well-known/oauth-protected-resource/demo/mcp"`,
  ]);
  const { status, message } = await post(at, callTool('echo', { message: 'hello' }), bearer(token));
  expect([status, message.result]).toMatchObject([200, { content: [{ text: 'Echo: hello' }] }]);
});
