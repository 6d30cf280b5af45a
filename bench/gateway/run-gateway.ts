/** Starts a gateway with the upstreams given as JSON, all default policies on. */
import { createLineWriter, startGateway } from '@mayday/gateway';
import { reportUsage } from './usage.ts';

const log = createLineWriter((text) => process.stderr.write(text));
const [port, upstreams] = process.argv.slice(2);
const gateway = await startGateway(
  { listen: { port: Number(port) }, upstreams: JSON.parse(upstreams ?? '{}') },
  { onLog: log.line },
);
process.stdout.write('ready\n');
process.on('SIGTERM', () => void gateway.close(500).then(() => process.exit(0)));
reportUsage();
