/** A gateway with the settings that are given as JSON; it says where it is: `run-node.ts <settings>`. To be killed at any moment. */
import { createLineWriter, resolveSettings, startGateway } from '@mayday/gateway';
import { reportUsage } from '../gateway/usage.ts';

const log = createLineWriter(process.stderr);
const { settings } = resolveSettings({ ...JSON.parse(process.argv[2] ?? '{}'), listen: { port: 0 } });
const gateway = await startGateway(settings, { onLog: log.line });
process.stdout.write(`${gateway.url}\n`);
process.on('SIGTERM', () => void gateway.close(2000).then(() => process.exit(0)));
// Whoever started it is gone.
process.on('disconnect', () => process.exit(1));
reportUsage();
