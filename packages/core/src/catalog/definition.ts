/** An application's own errors, as the catalogue takes them. */
import type { Kind } from '../kinds.ts';

/** One application-defined error as plain data, for a definitions file. */
export interface ApplicationDefinition {
  readonly code: number | string;
  /** Where the code is a number: its name. */
  readonly name?: string;
  readonly kind: Kind;
  readonly subject?: string;
  readonly meaning: string;
  readonly retryable?: boolean;
}

/** What `defineFault` returns, as far as a catalogue needs it. */
export interface WithDefinition {
  readonly code: string;
  readonly definition: Omit<ApplicationDefinition, 'code' | 'name'>;
}

/** The plain definition of either form. */
export function definitionOf(defined: WithDefinition | ApplicationDefinition): ApplicationDefinition {
  return 'definition' in defined ? { ...defined.definition, code: defined.code } : defined;
}
