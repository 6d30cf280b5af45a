/** A gateway in front of the upstreams in a file, with default options: `run-gateway.ts <file>`. */
import { readFileSync } from 'node:fs';
import { resolveSettings, startGateway } from '@mayday/gateway';

const upstreams = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as never;
const written = { listen: { port: 0 }, joined: { enabled: false }, upstreams };
const gateway = await startGateway(resolveSettings(written).settings);
process.stdout.write(`${new URL(gateway.url).port}\n`);
