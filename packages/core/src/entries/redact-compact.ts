/** Redaction for bundles that must be small. */
export { redact, redactFault, redactFaultSecrets, redactSecrets } from '../redact/compact.ts';
export type { Finding, Redaction } from '../redact/types.ts';
