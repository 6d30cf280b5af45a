/** `mayday keys`, `approvals`, `faults`, `audit` and `status` with `--url`, from docs/admin.md. */
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { ANN, admin, asked, failed, fresh, made, OPS } from '../support/admin.ts';
import { keepHouse } from '../support/admin-house.ts';
import { mayday, type Said, tried, use } from '../support/policy.ts';

const BIN = fileURLToPath(new URL('../../../cli/bin/mayday.js', import.meta.url));
const { gateway, folder } = keepHouse((url) => ({
  access: { rules: [{ approve: ['u/pay'] }] },
  upstreams: { u: { url: url, breaker: false } },
}));
const elsewhere = join(folder, 'elsewhere');
beforeAll(() => void mkdirSync(elsewhere));

/** Runs a command in a folder that has neither a file nor a store; `until` ends it when it has said that. */
function over(args: readonly string[], key: string | undefined = OPS, until?: RegExp): Promise<Said> {
  return new Promise((resolve) => {
    const { MAYDAY_KEY: _, ...env } = process.env;
    const child = spawn(process.execPath, [BIN, ...args, '--url', gateway().url], {
      cwd: elsewhere,
      env: { ...env, NODE_OPTIONS: '', ...(key === '' ? {} : { MAYDAY_KEY: key }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, all] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      all += text;
      if (until?.test(out) === true) child.kill('SIGINT');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      all += text;
    });
    child.once('close', (code, signal) => resolve({ code: code ?? signal ?? 'unknown', out, all }));
  });
}

describe('mayday with --url', () => {
  it('status tells what the page shows', async () => {
    const { code, out } = await over(['status']);
    const lines = out.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines[0]).toMatch(
      new RegExp(`^${gateway().url}, since \\d{4}-\\S+Z, \\d+ failures?, store sqlite: ok$`),
    );
    expect(lines[1]?.split(/ {2,}/)).toEqual([
      'UPSTREAM',
      'TYPE',
      'CIRCUIT',
      'SESSIONS',
      'PROCESSES',
      'TROUBLED',
      'TROUBLE',
    ]);
    expect(lines[2]).toMatch(/^u +url +closed +/);
  });

  it('keys are made, listed, exchanged and revoked', async () => {
    const name = fresh('bob');
    const created = await over([
      'keys',
      'create',
      name,
      '--expires',
      '30d',
      '--tenant',
      'acme',
      '--scopes',
      'a:b',
    ]);
    expect([created.code, created.all]).toEqual([0, created.all]);
    const key = /mdy_([0-9a-f]{12})_\S+/.exec(created.out);
    const id = key?.[1] ?? '';
    expect((await use(gateway(), 'u', 'echo', {}, { key: key?.[0] })).status).toBe(200);
    const { body } = await admin(gateway(), `/keys/${id}`);
    expect(body).toMatchObject({ name, tenant: 'acme', scopes: ['a:b'], role: 'caller' });
    expect(Date.parse(body['expires_at']) - Date.parse(body['created_at'])).toBe(30 * 86_400_000);
    const turned = await over(['keys', 'rotate', id, '--overlap', '1h']);
    expect(turned.code).toBe(0);
    expect(turned.out).toContain(`mdy_${id}_`);
    const [list, revoked] = [await over(['keys', 'list']), await over(['keys', 'revoke', id])];
    expect([list.code, revoked.code]).toEqual([0, 0]);
    expect(list.out).toContain(name);
    expect(list.out).not.toContain(`mdy_${id}_`);
    expect((await admin(gateway(), `/keys/${id}`)).body['state']).toBe('revoked');
    expect((await over(['keys', 'revoke', id])).code).not.toBe(0);
  });

  it('approvals are listed and decided', async () => {
    const [one, two] = [{ n: fresh('one') }, { n: fresh('two') }];
    const [yes, no] = [await asked(gateway(), 'pay', one), await asked(gateway(), 'pay', two)];
    const list = await over(['approvals']);
    expect([list.code, list.out]).toEqual([0, expect.stringContaining(yes)]);
    expect(list.out).toContain(no);
    expect((await over(['approvals', 'approve', yes])).code).toBe(0);
    expect((await over(['approvals', 'reject', no])).code).toBe(0);
    expect(await tried(gateway(), 'u', 'pay', one, { key: ANN })).toBe('fine');
    expect(await tried(gateway(), 'u', 'pay', two, { key: ANN })).toBe('forbidden/no');
    expect((await over(['approvals', 'approve', no])).code).toBe(1);
  });

  it('failures are listed, grouped and followed', async () => {
    await failed(gateway(), 'The lighthouse is dark');
    await expect
      .poll(async () => (await over(['faults'])).out, { timeout: 20_000 })
      .toContain('The lighthouse is dark');
    const grouped = await over(['faults', '--group']);
    expect([grouped.code, grouped.out]).toEqual([0, expect.stringContaining('The lighthouse is dark')]);
    const following = over(['faults', '--follow'], OPS, /windmill/);
    const again = setInterval(
      () => void failed(gateway(), 'The windmill stands still').catch(() => undefined),
      500,
    );
    const { out } = await following;
    clearInterval(again);
    expect(out).toContain('The windmill stands still');
  });

  it('the audit log is told and verified, with the operator in it', async () => {
    const { id } = await made(gateway(), { name: fresh('told') });
    const [log, verified] = [await over(['audit']), await over(['audit', 'verify'])];
    expect([log.code, verified.code]).toEqual([0, 0]);
    const rows = log.out.split('\n').filter((line) => line.includes(id));
    expect([rows.length, rows[0]]).toEqual([1, expect.stringContaining('ops')]);
  });

  it('answers the same as beside the store', async () => {
    const commands = [['keys', 'list'], ['approvals'], ['audit'], ['audit', 'verify']];
    for (const command of commands) {
      const [there, here] = await Promise.all([over(command), mayday(gateway().folder, ...command)]);
      expect([command, there.code, there.out]).toEqual([command, here.code, here.out]);
    }
  });

  it('refuses without a key, with a caller’s, and with a key on the command line', async () => {
    const told = await Promise.all([
      over(['keys', 'list'], ''),
      over(['keys', 'list'], ANN),
      over(['keys', 'create', fresh('x')], ANN),
      over(['keys', 'list', '--key', OPS], ''),
    ]);
    expect(told.map(({ code }) => code === 1 || code === 2)).toEqual([true, true, true, true]);
    expect(told.map(({ out }) => out)).toEqual(['', '', '', '']);
    expect(told.map(({ all }) => all.includes(ANN) || /\n\s+at /.test(all))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
});
