/** Starts a gateway with the upstreams and further settings given as JSON, all default policies on. */
import { createLineWriter, resolveSettings, startGateway } from '@mayday/gateway';
import { reportUsage } from './usage.ts';

const log = createLineWriter(process.stderr);
const [port, upstreams, more] = process.argv.slice(2);
const { settings } = resolveSettings({
  ...JSON.parse(more ?? '{}'),
  listen: { port: Number(port) },
  upstreams: JSON.parse(upstreams ?? '{}'),
});
const gateway = await startGateway(settings, { onLog: log.line });
process.stdout.write('ready\n');
process.on('SIGTERM', () => void gateway.close(500).then(() => process.exit(0)));
reportUsage();
