/** `npm run reference -- <name> [flags]`: starts one of the reference servers. */
import { existsSync, readdirSync } from 'node:fs';

const folder = new URL('../../', import.meta.url);
const names = readdirSync(folder).filter((name) => existsSync(new URL(`${name}/src/main.ts`, folder)));
const [name = ''] = process.argv.splice(2, 1);
if (names.includes(name)) await import(new URL(`${name}/src/main.ts`, folder).href);
else {
  process.stderr.write(`Expected the name of a reference server: ${names.join(', ')}\n`);
  process.exitCode = 2;
}
