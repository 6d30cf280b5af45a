/** What is published runs on the oldest Node that it names. What the language has learned since is told by the types; this is the rest. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** In Node 20.0 there is none of them. `canParse`, `getBuiltinModule?.` and `hash | undefined` are asked for before they are used. */
const NEWER =
  /\bURL\.parse\(|AbortSignal\.any\(|import\.meta\.(?:dirname|filename)|\bstyleText\b|\bglobSync\b|getBuiltinModule\(/;

/** The pages of the console run in browsers; only where they are is known to Node. */
const OF_BROWSERS = /^packages\/console\/src\/(?!files\.ts$)/;

const sources = globSync('packages/*/src/**/*.ts').filter(
  (file) => !/\.(?:test|fixture)\.ts$/.test(file) && !OF_BROWSERS.test(file),
);

it('is looked at as a whole', () => {
  expect(sources.length).toBeGreaterThan(900);
});

it('uses nothing newer', () => {
  const newer = sources.map((file) => [file, NEWER.exec(readFileSync(file, 'utf8'))?.[0]]);
  expect(newer.filter(([, found]) => found !== undefined)).toEqual([]);
});
