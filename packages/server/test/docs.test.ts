/** What docs/server.md and the README print is what comes out. */
import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { guard } from '../src/index.ts';
import type { Message } from '../src/shapes.ts';
import { beforeAndAfter } from './failing-orders.ts';
import { connectRaw, textOf } from './wire.ts';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/server.md', root), 'utf8');
const readme = readFileSync(new URL('README.md', root), 'utf8');

/** The cells of each row of the table with this heading, without their marks. */
function tableOf(heading: string): string[][] {
  const [, after = ''] = page.split(`${heading}\n`);
  const rows = after.split('\n\n')[0]?.split('\n').slice(1) ?? [];
  return rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
}

/** A text with `…` for what is left out, as a pattern. */
function pattern(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`);
}

const quoted = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);

describe('before and after', async () => {
  const cases = await beforeAndAfter();
  const said = (message: Message | undefined): string =>
    message?.error?.message ?? (message === undefined ? '' : textOf({ message }));

  it.each(tableOf('| | before | after |'))('%s', (title, before = '', after = '') => {
    const found = cases.find((one) => one.title === title);
    expect(found).toBeDefined();
    const texts = quoted(after).filter((text) => !/^-\d+$/.test(text));
    expect(texts).toHaveLength(1);
    expect(said(found?.after)).toMatch(pattern(texts[0] as string));
    const [plain] = quoted(before).filter((text) => !/^-?\d+$|^data/.test(text));
    expect(plain === undefined || pattern(plain).test(said(found?.before))).toBe(true);
  });

  it('shows the whole result', () => {
    const [, shown = ''] =
      /Programs find the whole fault in `_meta`:\n\n```json\n([\s\S]*?)```/.exec(page) ?? [];
    const { content, isError, _meta } = (cases[0]?.after?.result ?? {}) as { [key: string]: unknown };
    const key = 'dev.mayday/fault';
    expect(JSON.parse(shown)).toEqual({
      content,
      isError,
      _meta: { [key]: (_meta as { [key]: unknown })[key] },
    });
  });

  it('shows in the README what it shows there', () => {
    expect(readme).toContain(`unguarded  ${said(cases[0]?.before)}\nguarded    ${said(cases[0]?.after)}\n`);
  });
});

describe('words', () => {
  it.each(tableOf('| you throw | the model reads |'))('%s', async (thrown = '', read = '') => {
    const reason: unknown = new Function(`return ${quoted(thrown)[0]}`)();
    const server = guard(new McpServer({ name: 's', version: '1' }), { correlationId: () => '7d0c-4f1e' });
    server.registerTool('t', {}, async () => {
      throw reason;
    });
    const message = await (await connectRaw(server)).ask('tools/call', { name: 't' });
    expect(textOf({ message })).toBe(quoted(read)[0]);
  });

  it('names the modes that there are', () => {
    for (const mode of ['none', 'all', 'actionable'] as const)
      expect(() => guard(new McpServer({ name: 's', version: '1' }), { messages: mode })).not.toThrow();
    expect(page).toContain("`messages: 'actionable'`");
    expect(page).toContain("`'none'`");
    expect(page).toContain("`'all'`");
  });
});

it('its README lists every option of the guard', () => {
  const source = readFileSync(new URL('packages/server/src/options.ts', root), 'utf8');
  const [, listed = ''] = /const OPTIONS[^{]*\{[^}]*\} = \{([^}]*)\}/.exec(source) ?? [];
  const options = [...listed.matchAll(/(\w+): true/g)].map((match) => match[1] as string);
  const own = readFileSync(new URL('packages/server/README.md', root), 'utf8');
  const rows = [...own.matchAll(/^\| `(\w+)`/gm)].map((match) => match[1] as string);
  // Tests alone set the clock.
  expect(options.filter((option) => !rows.includes(option))).toEqual(['clock']);
});
