/**
 * Guards servers built on SDK v1 (`@modelcontextprotocol/sdk`), which most published servers still use. The
 * same guard, the same options, the same guards: `tool`, `resource` and `prompt` are covered as well as their
 * longer forms.
 */
export * from './index.ts';
