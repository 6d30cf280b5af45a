/** The gateway, for programs. The command line is `mayday gateway`. This file is the whole public surface. */
export { startGateway, startStdioGateway } from './start.ts';
export type { Gateway, GatewayOptions, StdioGateway, StdioGatewayOptions } from './gateway.ts';
export type {
  CommandSettings,
  CommonSettings,
  KeySettings,
  OpenApiSettings,
  Settings,
  SettingsFile,
  UpstreamFile,
  UpstreamSettings,
  UrlSettings,
} from './settings/settings.ts';
export {
  type CheckedSettings,
  type ResolveOptions,
  resolveSettings,
  type SettingsOverride,
} from './settings/resolve.ts';
export {
  type SettingsSource,
  type ReadSettingsOptions,
  readSettings,
  readSettingsFile,
} from './settings/read-settings.ts';
export { type ParsedSettings, parseYaml } from './settings/yaml.ts';
export { formatProblem, SettingsError, type SettingsProblem } from './settings/problems.ts';
export { type SettingsChanges, settingsChanged } from './settings/changes.ts';
export { settingsReloaded } from './settings/check-reload.ts';
export { type SettingsWatch, type WatchOptions, watchSettings } from './settings/watch-settings.ts';
export {
  createLineWriter,
  type LineOptions,
  type LineWriter,
  type LogFacts,
  toLogLine,
} from './log-lines.ts';
export { isGivenCredentials } from './credentials/giving.ts';
export type { FaultEntry, FaultLog } from './faults/fault-log.ts';
export type { GatewayStatus } from './status.ts';
export { type Admin, type AdminRequest, createAdmin, type FoundOperation } from './admin/admin.ts';
export type { AdminHouse, Outcome } from './admin/operation.ts';
export type { ApprovalDocument } from './admin/approval-document.ts';
export type { AuditDocument } from './admin/audit.ts';
export type { CredentialDocument } from './admin/credentials.ts';
export type { FaultDocument, GroupDocument } from './admin/faults.ts';
export type { KeyDocument } from './admin/key-document.ts';
export { type Crew, isWorker, type Seat, takeSeat } from './workers/crew.ts';
export type { Learned, LivingWorker, Serving } from './workers/messages.ts';
export { startWorkers, WorkerEnded, type Workers, type WorkersOptions } from './workers/supervise.ts';
