/** Every line of docs/dialects.md that shows a value gives that value. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = `${root}.tsc/dialect-functions`;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const page = readFileSync(`${root}docs/dialects.md`, 'utf8');
const part = page.split("## The five systems' own functions")[1]?.split('\n## ')[0] ?? '';
const snippets = [...part.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map((match) => match[1] as string);

/** `call(x); // value` as a line that notes both. */
function noting(code: string): string {
  const lines = code.replace(
    /^(?:if \(.*?\) )?([^\s/].*); \/\/ (.+)$/gm,
    (line, expression: string, value: string) =>
      expression.startsWith('const ')
        ? line
        : `noted.push([${JSON.stringify(expression)}, ${expression}, ${value}]);`,
  );
  return `export const noted: [string, unknown, unknown][] = [];\n${lines}`;
}

describe('the functions of the five systems', () => {
  const shown = snippets.filter((code) => !code.includes('@mayday/server'));

  it('are all named on the page', () => {
    expect(shown).toHaveLength(5);
    for (const name of [
      'restError',
      'validateErrorCode',
      'errorCategory',
      'errorSeverity',
      'createErrorResponse',
      'closientWait',
      'envelopeFor',
      'retryDelay',
      'callWithRetry',
      'nodeHandler',
      'AdapterError',
    ])
      expect(part).toContain(`${name}(`);
  });

  it.each(shown.map((code, at) => [at, code] as const))('snippet %i gives what it says', async (at, code) => {
    mkdirSync(folder, { recursive: true });
    const file = `${folder}/snippet-${at}.ts`;
    writeFileSync(file, noting(code));
    const { noted } = (await import(file)) as { noted: [string, unknown, unknown][] };
    expect(noted.length).toBeGreaterThan(1);
    expect(noted.map(([expression, got]) => [expression, got])).toEqual(
      noted.map(([expression, , value]) => [expression, value]),
    );
  });
});
