/** What the reader of unstructured failures takes and gives. */
import type { Issue, Subject } from '../fault.ts';
import type { Kind } from '../kinds.ts';

/** One reason for a reading: which rule spoke, and what it saw. */
export interface ProseEvidence {
  /** Layer or rule: `body:google`, `status`, `errno`, `phrase`, … */
  readonly by: string;
  /** A short sentence; may quote up to 80 characters of the text. */
  readonly says: string;
  readonly kind?: Kind;
}

/** What a text or a body says. */
export interface ProseReading {
  readonly kind: Kind;
  readonly subject?: Subject;
  /**
   * Present when the text itself decides it: a body that declares it, or a failure that the same call
   * meets again (an answer that is not JSON, a step that was left out).
   */
  readonly retryable?: boolean;
  readonly afterMs?: number;
  readonly status?: number;
  readonly issues?: readonly Issue[];
  /** The human message inside a JSON body. */
  readonly message?: string;
  /** 0…1. Below 0.5 a failure is not retryable, whatever its kind. */
  readonly certainty: number;
  readonly evidence: readonly ProseEvidence[];
}

/** What is known beside the text. */
export interface ProseContext {
  /** The JSON-RPC code beside the text. */
  readonly code?: number;
  /** The HTTP status beside the text. */
  readonly status?: number;
  readonly tool?: string;
}
