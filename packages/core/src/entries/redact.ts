/** Redaction: anything → the same thing without secrets, personal data, stack traces and internals. */
export * from '../redact/index.ts';
export { redactFault } from '../redact-fault.ts';
