/** Runs the conformance fixture until it is killed: `node serve.ts guarded|plain`. Prints its URL. */
import { serveEverything } from './everything.ts';

const { url } = await serveEverything(process.argv[2] !== 'plain');
process.stdout.write(`${url}\n`);
