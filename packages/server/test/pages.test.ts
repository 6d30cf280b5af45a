/** The pages of a dialect's codes say what the catalogue says, and nothing that contradicts itself. */
import { type DialectId, language } from '@mayday/core';
import { buildCatalogue, type CatalogueCode } from '@mayday/core/catalog';
import { describe, expect, it } from 'vitest';
import { faultPages } from '../src/http.ts';

const catalogue = buildCatalogue();
const SPOKEN = language.dialects.filter(({ aliasOf }) => aliasOf === undefined).map(({ id }) => id);

function pageOf(dialect: DialectId, name: string, accept = 'application/json'): Response {
  const url = `https://example.com/errors/${encodeURIComponent(name)}`;
  return faultPages({ dialect })(new Request(url, { headers: { accept } }));
}

function codesIn(dialect: DialectId): readonly CatalogueCode[] {
  return catalogue.codes.filter(({ source }) => source === dialect);
}

it.each(SPOKEN)('%s: every code has a page, and it is its row of the catalogue', async (dialect) => {
  const codes = codesIn(dialect);
  const pages = await Promise.all(codes.map(({ code }) => pageOf(dialect, String(code)).json()));
  expect(pages).toEqual(
    codes.map(({ name, code, kind, subject, title, reaction, retryable, status, advice, steps, when }) => ({
      name,
      code,
      kind,
      subject,
      title,
      reaction,
      retryable,
      retry: when,
      executed: expect.stringMatching(/^(maybe|yes)$/),
      happened: expect.any(String),
      status,
      advice,
      steps,
    })),
  );
  expect(codes.length).toBeGreaterThan(4);
});

it.each(SPOKEN)('%s: a page for people has the advice and every step', async (dialect) => {
  const codes = codesIn(dialect).filter(({ steps }) => steps.length > 0);
  for (const { code, advice, steps } of codes) {
    const html = await pageOf(dialect, String(code), 'text/html').text();
    const shown = html.replaceAll('&quot;', '"').replaceAll('&lt;', '<');
    expect(shown).toContain(`<p>${advice}</p><ol>${steps.map((step) => `<li>${step}</li>`).join('')}</ol>`);
  }
});

it('what has no page is a problem as that document has it', async () => {
  const page = pageOf('closient', 'nope');
  expect([page.status, page.headers.get('content-type')]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
  ]);
  expect(await page.json()).toEqual({
    type: 'https://closient.com/docs/errors/not_found',
    title: 'Not Found',
    status: 404,
    detail: 'There is no fault of this name',
    error_code: 'not_found',
    retryable: false,
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
  });
  expect(await pageOf('erlmcp', 'nope').json()).toEqual({
    title: 'Not found',
    status: 404,
    detail: 'There is no fault of this name',
  });
});

describe('what a document says wins over the kind', () => {
  it.each([
    ['closient', -32300, true, 'backoff', 'This may pass; wait a little, then call again.'],
    ['platica', 500, true, 'backoff', 'This may pass; wait a little, then call again.'],
    ['platica', -32603, true, 'backoff', 'This may pass; wait a little, then call again.'],
    ['onx', 4001, false, 'never', 'Do not retry; tell the user.'],
    ['erlmcp', -32008, false, 'never', 'Do not retry; tell the user.'],
    ['erlmcp', -32032, false, 'never', 'Do not retry; tell the user.'],
    ['erlmcp', -32046, false, 'never', 'Do not retry; tell the user.'],
    ['erlmcp', -32085, false, 'never', 'Do not retry; tell the user.'],
    ['erlmcp', 1091, false, 'never', 'Do not retry; tell the user.'],
    [
      'erlmcp',
      -32005,
      false,
      'after_change',
      'A step before it is missing; take that first, then call again.',
    ],
  ])('%s %i: retryable %s, retry %s', async (dialect, code, retryable, retry, advice) => {
    expect(await pageOf(dialect, String(code)).json()).toMatchObject({ retryable, retry, advice });
  });

  it.each(SPOKEN)('%s: nobody is told to wait and not to retry', async (dialect) => {
    const pages = (await pageOf(dialect, '').json()) as readonly { [member: string]: unknown }[];
    const waits = ['backoff', 'after_wait', 'now'];
    const wrong = pages.filter(({ retryable, retry, advice }) => {
      const refuses = /do not retry/i.test(String(advice));
      return waits.includes(String(retry)) !== retryable || (retryable === true && refuses);
    });
    expect(wrong).toEqual([]);
  });
});

it('finds two codes of one name, one by the name and each by its number', async () => {
  const code = async (name: string) => ((await pageOf('erlmcp', name).json()) as { code: unknown }).code;
  expect([await code('task_not_found'), await code('-32081'), await code('1095')]).toEqual([
    -32081, -32081, 1095,
  ]);
  const list = await pageOf('erlmcp', '', 'text/html').text();
  expect(list).toContain('<a href="task_not_found">');
  expect(list).toContain('<a href="1095">');
});

it('serves the pages of a dialect under its other name', async () => {
  expect(await pageOf('mcp', '-32601').json()).toMatchObject({ code: -32601, kind: 'unsupported' });
});

it('a kind says of none of its faults that nothing was done: only the answer itself can', async () => {
  const at = (accept: string) => (kind: string) =>
    faultPages()(new Request(`https://example.com/faults/${kind}`, { headers: { accept } })).text();
  const kinds = ['rate_limited', 'unavailable', 'not_found', 'conflict'];
  const said = await Promise.all(kinds.map(at('application/json')));
  expect(said.map((text) => (JSON.parse(text) as { executed: string }).executed)).toEqual(
    kinds.map(() => 'maybe'),
  );
  const shown = await Promise.all(kinds.map(at('text/html')));
  const words = 'Refused before the work, nothing was done; said by a tool that had begun, it may have been.';
  for (const html of shown) expect(html).toContain(`<th scope="row">Did it happen?</th><td>${words}</td>`);
  expect(await at('application/json')('timeout')).toContain('"executed":"maybe"');
  const all = JSON.parse(await at('application/json')('')) as { executed: string }[];
  expect(all.filter(({ executed }) => executed === 'no')).toEqual([]);
});

const REFUSED = 'Refused before the work, nothing was done; said by a tool that had begun, it may have been.';

describe('a code says it no more than its kind', () => {
  it.each([
    ['closient', '-32003'],
    ['closient', 'forbidden'],
    ['erlmcp', '-32010'],
    ['erlmcp', '-32602'],
    ['onx', '-32602'],
    ['onx', 'RATE_LIMIT_EXCEEDED'],
    ['platica', '-32001'],
    ['qaqnuz', 'validation'],
    ['mcp@draft', '-32023'],
  ])('%s %s', async (dialect, code) => {
    expect(await pageOf(dialect, code).json()).toMatchObject({ executed: 'maybe', happened: REFUSED });
    const html = await pageOf(dialect, code, 'text/html').text();
    expect(html).toContain(`<th scope="row">Did it happen?</th><td>${REFUSED}</td>`);
  });

  it.each(SPOKEN)('%s: none of its pages does', async (dialect) => {
    const all = (await pageOf(dialect, '').json()) as readonly { [member: string]: unknown }[];
    expect(all.filter(({ executed }) => executed === 'no')).toEqual([]);
  });

  it('what was done, or may have been, is told as such', async () => {
    expect(await pageOf('erlmcp', '-32009').json()).toMatchObject({
      kind: 'timeout',
      executed: 'maybe',
      happened: 'It may have been done: check before a change is repeated.',
    });
  });
});
