/** The gateway, for programs. The command line is `mayday gateway`. This file is the whole public surface. */
export { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
export type {
  CommandConfig,
  CommonConfig,
  GatewayConfig,
  KeyConfig,
  OpenApiConfig,
  UpstreamConfig,
  UrlConfig,
} from './config/config.ts';
export { ConfigError, type ConfigProblem, readConfig } from './config/read-config.ts';
export { watchConfig, type ConfigWatch } from './config/watch-config.ts';
export { CONFIG_SCHEMA } from './config/schema.ts';
export { createLineWriter, type LineWriter } from './log-lines.ts';
export type { FaultEntry, FaultLog } from './faults/fault-log.ts';
export type { GatewayStatus } from './status.ts';
