/** What an import tells of an entry is what is lost with it, and nothing else. */
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mayday } from './mayday.ts';

async function told(entry: object): Promise<string> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'mayday-home-')));
  const file = join(home, 'mcp.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { one: entry } }));
  const run = { cwd: home, env: { HOME: home } };
  return (await mayday(['import', file, '--dry-run', '--offline'], '', run)).err;
}

test('an empty list of approvals and a flag that is off are not lost', async () => {
  const err = await told({ command: 'x', alwaysAllow: [], trust: false, autoApprove: ['read'] });
  expect(err).toContain('"autoApprove" is left out');
  expect(err).not.toMatch(/"alwaysAllow" is|"trust" is/);
});

test('a placeholder for each user is named, for nobody fills it in', async () => {
  const err = await told({ url: 'https://a.example/mcp', headers: { 'X-User': '{{LIBRECHAT_USER_ID}}' } });
  expect(err).toContain(
    'one: headers has {{LIBRECHAT_USER_ID}}, which is for each user of the client and stays as it is here',
  );
});

test('of a dry run, nothing is said to be written', async () => {
  const err = await told({ command: 'x', env: { TOKEN: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789' } });
  expect(err).toMatch(/secrets would be in .*mayday\.yaml too: upstreams\.one\.env\.TOKEN/);
});
