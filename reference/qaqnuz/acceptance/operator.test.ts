import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint as Caller, Endpoint } from '../../acceptance/http.ts';
import { CLOCK_SHIFT, SLOW } from '../../acceptance/program.ts';
import { serveHttp } from '../../acceptance/reference.ts';
import { callTool, type Wire } from '../../acceptance/wire.ts';
import { ALL_SCOPES, command, openPlatform, type Platform, textOf } from './platform.ts';

let platform: Platform;
let key: string;
let ada: Caller;
beforeAll(async () => {
  platform = await openPlatform();
  key = (await platform.issue('acme', ALL_SCOPES)).key;
  ada = platform.caller(`Bearer ${key}`);
}, SLOW);
afterAll(() => platform.close());

const refund = async (caller: Caller, order: string): Promise<Wire> =>
  callTool(caller, 'issue_refund', { order, amount_cents: 500 });
const requestIn = (text: string): string => /apr_\w+/.exec(text)?.[0] ?? 'no request';

describe('approvals', () => {
  it('QA-10: an action that needs approval is not done, and names the request', async () => {
    const text = textOf(await refund(ada, 'a1'));
    expect(text).toMatch(/requires approval.*apr_/);
    expect(textOf(await refund(ada, 'a1'))).toBe(text);
  });

  it('QA-10: once granted it is done exactly once, however often it is asked for', async () => {
    await platform.operator('add-order', 'acme', 'a2', '500');
    const request = requestIn(textOf(await refund(ada, 'a2')));
    await platform.operator('grant', request);
    const answers = await Promise.all(Array.from({ length: 6 }, () => refund(ada, 'a2')));
    expect(answers.filter(({ result }) => result.isError === false).length).toBe(1);
  });

  it('QA-10: denied, it is not done', async () => {
    const request = requestIn(textOf(await refund(ada, 'a3')));
    await platform.operator('deny', request);
    expect((await refund(ada, 'a3')).result.isError).toBe(true);
  });

  it(
    'QA-10: for other arguments or by another key it asks again',
    async () => {
      const request = requestIn(textOf(await refund(ada, 'a4')));
      await platform.operator('grant', request);
      const other = await platform.issue('acme', ALL_SCOPES);
      const answers = [
        await callTool(ada, 'issue_refund', { order: 'a4', amount_cents: 501 }),
        await refund(platform.caller(`Bearer ${other.key}`), 'a4'),
      ];
      expect(answers.map((answer) => requestIn(textOf(answer)) === request)).toEqual([false, false]);
      expect(answers.map(({ result }) => result.isError)).toEqual([true, true]);
    },
    SLOW,
  );

  it(
    'QA-10: a grant does not last for ever',
    async () => {
      const request = requestIn(textOf(await refund(ada, 'a5')));
      await platform.operator('grant', request);
      const later = await serveHttp('qaqnuz', platform.folder, [], {
        preload: CLOCK_SHIFT,
        env: { ACCEPTANCE_SHIFT_MS: String(400 * 24 * 60 * 60 * 1000) },
      });
      const caller = new Endpoint(later.mcp, { authorization: `Bearer ${key}` });
      const answer = await refund(caller, 'a5');
      await later.stop();
      expect(answer.result.isError).toBe(true);
    },
    SLOW,
  );
});

describe('commands that are wrong', () => {
  it.each([
    ['QA-10', ['entitle', 'acme', 'maybe']],
    ['QA-10', ['add-brand']],
    ['QA-14', ['add-brand', 'acme/evil']],
    ['QA-14', ['issue-key', 'acme']],
    ['QA-14', ['issue-key', 'acme', 'contacts.read', '-1']],
    ['QA-14', ['issue-key', 'acme', 'zzz.top']],
  ])('%s: operator %j is refused in one line', async (_id, args) => {
    const said = await command('qaqnuz', ['operator', ...args, '--data', platform.folder]);
    expect([said.status, said.out]).toEqual([2, '']);
    expect(said.errors.trim().split('\n').length).toBe(1);
  });

  it('QA-10: after them the brand works as before', async () => {
    expect((await callTool(ada, 'find_contacts', { name: 'a' })).result.isError).toBe(false);
  });
});

describe('what is written down', () => {
  it('QA-3: a call without a key cannot fill the log', async () => {
    const before = platform.server.program.errors().length;
    const name = 'x'.repeat(900_000);
    await callTool(platform.caller(), name, {});
    const printed = await platform.operator('log', '1');
    expect(printed.length).toBeLessThan(5000);
    expect(platform.server.program.errors().length - before).toBeLessThan(20_000);
  });

  it(
    'QA-11: limits are shared by processes on one folder',
    async () => {
      await platform.operator('add-brand', 'limits');
      const { key: fresh } = await platform.issue('limits', 'contacts.read');
      const flags = ['--per-key', '2'];
      const results: Wire[] = [];
      const servers = [
        await serveHttp('qaqnuz', platform.folder, flags),
        await serveHttp('qaqnuz', platform.folder, flags),
      ];
      for (const server of [servers[0], servers[1], servers[0]]) {
        const caller = new Endpoint(server?.mcp ?? '', { authorization: `Bearer ${fresh}` });
        results.push((await callTool(caller, 'find_contacts', { name: 'a' })).result.isError);
      }
      await Promise.all(servers.map((server) => server.stop()));
      expect(results).toEqual([false, false, true]);
    },
    SLOW,
  );
});
