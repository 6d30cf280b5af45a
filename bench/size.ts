/**
 * What a bundle weighs: all dialects, each dialect alone, everything, and the compact paths. Tree-shaking shown. A bundle
 * over its limit fails it; a goal is what it is meant to weigh one day. `npm run bench:size`
 */
import { ENTRIES } from './size/entries.ts';
import { weigh } from './size/weigh.ts';

const bound = (kilobytes: number | undefined): string => (kilobytes === undefined ? '' : `≤ ${kilobytes} kB`);

console.log('| bundle | minified | gzipped | limit | goal |\n|---|--:|--:|--:|--:|');
for (const { name, goal, limit, source } of ENTRIES) {
  const { minified, gzipped } = await weigh(source);
  console.log(
    `| ${name} | ${minified.toFixed(1)} kB | ${gzipped.toFixed(2)} kB | ${bound(limit)} | ${bound(goal)} |`,
  );
  if (limit !== undefined && gzipped > limit) {
    console.error(`${name}: ${gzipped.toFixed(2)} kB are more than ${limit} kB`);
    process.exitCode = 1;
  }
}
