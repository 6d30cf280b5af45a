/**
 * Guards servers built on SDK v1 (`@modelcontextprotocol/sdk`), which most published servers still use. The
 * same guard, the same options: `tool`, `resource` and `prompt` are covered as well as their longer forms.
 */

export type { Call, Revision, ToolFacts } from './call.ts';
export { guard } from './guard.ts';
export type { GuardOptions } from './options.ts';
export type { FaultEvent, Logger, Telemetry } from './report/report.ts';
