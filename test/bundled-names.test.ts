/** What is thrown is called what the documents call it, also where the sources are one file: loggers show the class. */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../packages/core/src/index.ts', import.meta.url));
const onx = fileURLToPath(new URL('../packages/core/src/dialects/onx/index.ts', import.meta.url));

it.each([
  [root, 'fault.notFound("No")', 'FaultError'],
  [root, 'FaultError.from(new Error("No"))', 'FaultError'],
  [onx, 'new AdapterError("not_found")', 'AdapterError'],
])('%s: %s is a %s', async (entry, made, name) => {
  const bundle = await rolldown({ input: entry, platform: 'neutral' });
  const { output } = await bundle.generate({ format: 'esm' });
  const url = `data:text/javascript,${encodeURIComponent(output[0].code)}`;
  const members = (await import(url)) as { readonly [member: string]: unknown };
  const names = Object.keys(members).filter((member) => /^\w+$/.test(member));
  const make = new Function(...names, `return ${made}`);
  const thrown = make(...names.map((member) => members[member])) as Error;
  expect([thrown.constructor.name, thrown.name]).toEqual([name, 'FaultError']);
});
