/** The console as an operator has it: the gateway in a process of its own, and a real browser. */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../scripts/free-port.ts';
import { browserPath, openBrowser } from './browser.ts';
import { type House, OPS, openHouse } from './house.ts';

const BROWSER = browserPath();
const SECOND = 1000;

describe.skipIf(BROWSER === undefined)('the console', () => {
  let house: House;
  let browser: Browser;
  let page: Page;
  /** What the browser complains of: a policy that is broken, an exception. */
  const complaints: string[] = [];
  const asked: string[] = [];

  beforeAll(async () => {
    [house, browser] = await Promise.all([
      openHouse({ callers: await freePort(), admin: await freePort() }),
      openBrowser(BROWSER ?? ''),
    ]);
    page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
    page.setDefaultTimeout(10 * SECOND);
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => asked.push(request.url()));
  }, 60 * SECOND);

  afterAll(async () => {
    await browser?.close();
    await house?.close();
  });

  const enter = async (secret: string): Promise<void> => {
    await page.getByLabel('Key of an operator').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  it('asks who you are, and tells a wrong key', async () => {
    await page.goto(house.console);
    await enter('no-key-of-anybody');
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toBe('The gateway does not know this key. It may be mistyped, expired or revoked; enter another one.');
    await enter(OPS);
    await page.getByText('No faults since the gateway started').waitFor();
    expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([
      0,
      0,
      '',
    ]);
    expect(page.url()).toBe(house.console);
  });

  it('shows a failure as it comes, as text and nothing else, and all that is known of it', async () => {
    await page.getByText('Live', { exact: true }).waitFor();
    await house.call('hostile');
    const row = page.locator('.row').first();
    await row.waitFor();
    expect(await row.locator('.what').textContent()).toBe(
      '<img src=x onerror="document.title=1"><script>document.title=2</script> U+202EevilU+200B was not found',
    );
    await row.locator('.what').press('Enter');
    await page.getByText('What the agent reads of it').waitFor();
    const facts = await page.locator('.details dl').textContent();
    expect(facts).toMatch(/Kindnot_found/);
    expect(facts).toMatch(/Executedmaybe: it may have been done/);
    expect(facts).toMatch(/UpstreambankToolhostile/);
    expect(facts).toMatch(/Callerann/);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toBe('Faults · Mayday console');
  });

  it('finds the failure that an address names, and says where there is none', async () => {
    const id = new URL(page.url()).hash.split('/').at(-1) ?? '';
    await page.goto(`${house.console}#/faults/999999`);
    await expect
      .poll(() => page.getByRole('alert').textContent())
      .toBe(
        'The fault of this address is not there. The journal may have dropped it since, or never had it.',
      );
    await page.goto(`${house.console}#/faults/${id}`);
    await page.getByLabel('Tool or words').fill('nothing like it');
    await page.locator('.row.open .details').waitFor();
    await page.getByLabel('Tool or words').fill('');
    await page.goto(`${house.console}#/faults`);
    await page.locator('.row').first().waitFor();
  });

  it('filters', async () => {
    await house.call('limit');
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    await page.getByLabel('Kind').selectOption('rate_limited');
    expect(await page.locator('.row .where').allTextContents()).toEqual(['bank/limit']);
    await page.getByLabel('Tool or words').fill('nothing like it');
    await page.getByText('No fault fits.').waitFor();
    await page.getByLabel('Tool or words').fill('');
    await page.getByLabel('Kind').selectOption('');
    expect(await page.locator('.row').count()).toBe(2);
  });

  it('lets a call through with the keyboard, which its caller then makes', async () => {
    expect(await house.call('pay', { to: 'bob', amount: 25 })).toContain('approval_required');
    await page.getByRole('link', { name: /Approvals 1 waiting/ }).press('Enter');
    expect(JSON.parse((await page.locator('.card pre').textContent()) ?? '')).toEqual({
      to: 'bob',
      amount: 25,
    });
    await page.getByRole('button', { name: 'Approve' }).press('Enter');
    // What is focused first is no.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Go back');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Approve' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Approve the call' }).press('Enter');
    await page.getByText('Approved: bank/pay of ann goes through once, when it is called again.').waitFor();
    await page.getByText('No call waits for consent.').waitFor();
    expect(await house.call('pay', { to: 'bob', amount: 25 })).toContain('paid');
    const audit = await fetch(`${house.admin}/audit`, { headers: { authorization: `Bearer ${OPS}` } });
    const { rows } = (await audit.json()) as { readonly rows: readonly { actor: string; action: string }[] };
    expect(rows.map(({ actor, action }) => [actor, action])).toContainEqual(['ops', 'approvals.approve']);
  });

  it('tells calls apart that try to look alike, and keeps the place of whoever has no mouse', async () => {
    const iban = 'DE89370400440532013000';
    for (const name of ['pay ', 'p\u0430y'.replace('p', 'pay, called by ops. p'), 'pay_all'])
      expect(await house.call(name, { iban, password: `secret-of-${name.length}` })).toContain(
        'approval_required',
      );
    await page.locator('.card').nth(2).waitFor();
    expect(await page.locator('.card h2').allTextContents()).toEqual([
      'bank/payU+0020',
      'bank/pay, called by ops. pU+0430y',
      'bank/pay_all',
    ]);
    const shown = await page.locator('.card pre').allTextContents();
    expect(shown.map((text) => JSON.parse(text))).toEqual(
      Array(3).fill({ iban, password: expect.stringMatching(/^\[password:1#[0-9a-f]{8}\]$/) }),
    );
    expect(new Set(shown).size).toBe(3);
    const deny = page.getByRole('button', { name: /^Deny bank\/pay_all of ann, [0-9a-f]{8}$/ });
    await deny.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).press('Enter');
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toMatch(/^Deny bank\/pay_all of ann/);
    await deny.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Deny the call' }).press('Enter');
    await page.getByText('Denied: bank/pay_all of ann. Its caller is told so.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe(
      'Denied: bank/pay_all of ann. Its caller is told so.',
    );
  });

  it('says how the servers are, and why one does not work', async () => {
    await house.call('read', {}, 'broken');
    await page.getByRole('link', { name: 'Health' }).click();
    await page.getByText('The server could not be started: the command was not found').waitFor();
    expect(await page.locator('.card').count()).toBe(2);
    expect(await page.locator('tbody tr').allInnerTexts()).toEqual([
      '600 in 1 min\tcaller\teverything\tin any span of time; bank/export counts for 5',
      '50 at a time\tnothing: all together\tbank/*\t',
    ]);
    expect(await page.getByText('Sessions0 of 64').count()).toBe(1);
    await page.getByText('Largest request16 MiB').waitFor();
    await page.getByText('Sessions of one upstream64, where each has a process of its own').waitFor();
  });

  it('has groups, with a chart in words too', async () => {
    await page.getByRole('link', { name: 'Groups' }).click();
    await page.getByRole('link', { name: '429 Too many requests' }).click();
    await page.getByRole('img', { name: '1 fault in the last 24 hours, 1 at most in one bar' }).waitFor();
  });

  it('translates here, and asks nobody', async () => {
    await page.getByRole('link', { name: 'Translator' }).click();
    await page.getByRole('button', { name: 'An example' }).waitFor();
    await page.getByLabel('The failure').fill('Secret words: 401 Unauthorized');
    await page.getByText('How each dialect says it').waitFor();
    expect(await page.locator('dl').textContent()).toMatch(/Kindunauthenticated/);
    expect(asked.filter((url) => !url.startsWith(new URL('..', house.console).href))).toEqual([]);
    expect(asked.filter((url) => /Secret|Unauthorized|key/i.test(url.replace(/\/v1\/keys$/, '')))).toEqual(
      [],
    );
  });

  it('explains every kind at an address of its own', async () => {
    await page.goto(`${house.console}#/reference/rate_limited`);
    await page.getByRole('heading', { name: 'rate_limited' }).waitFor();
    await page.goto(`${house.console}#/reference/-32001`);
    await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(3);
  });

  it('can be used by everybody, in light and dark, wide and narrow', { timeout: 60 * SECOND }, async () => {
    const found: string[] = [];
    for (const [at, sign] of [
      ['#/faults', '.row'],
      ['#/groups', 'tbody tr'],
      ['#/approvals', '.card'],
      ['#/health', '.card'],
      ['#/keys', '.empty'],
      ['#/translator', 'textarea'],
      ['#/reference/timeout', 'tbody tr'],
    ] as const) {
      await page.goto(`${house.console}${at}`);
      await page.locator(sign).first().waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: colorScheme === 'light' ? 1100 : 360, height: 800 });
        await page.evaluate(axe.source);
        const { violations } = (await page.evaluate('axe.run()')) as {
          readonly violations: readonly {
            readonly id: string;
            readonly nodes: readonly { html: string }[];
          }[];
        };
        found.push(...violations.map(({ id, nodes }) => `${at} ${colorScheme} ${id} ${nodes[0]?.html}`));
        if (await page.evaluate('document.documentElement.scrollWidth > innerWidth'))
          found.push(`${at} is wider than its window`);
      }
    }
    expect(found).toEqual([]);
  });

  it('says when the connection is lost, and goes on where it was', { timeout: 60 * SECOND }, async () => {
    await page.goto(`${house.console}#/faults`);
    await page.getByText('Live', { exact: true }).waitFor();
    await house.stop();
    await page.getByText('Connection lost').first().waitFor();
    expect(complaints.filter((text) => !/ERR_CONNECTION|status of 401|ERR_INCOMPLETE/.test(text))).toEqual(
      [],
    );
    await house.start();
    await house.call('see');
    await page.getByText('No account A-17 was found').waitFor();
  });

  it('forgets the key', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key of an operator').waitFor();
    expect(await page.getByLabel('Key of an operator').inputValue()).toBe('');
    expect(await page.locator('.row').count()).toBe(0);
  });
});
