/** Generated faults and wires for the property tests. */
import fc from 'fast-check';
import { ORIGINS, SUBJECT_TYPES } from '../src/entries/fault.ts';
import { type Fault, KIND_NAMES, makeFault } from '../src/index.ts';

const word: fc.Arbitrary<string> = fc.stringMatching(/^[a-z][a-z0-9-]{0,15}$/);

/** Sentences of harmless words: redaction has nothing to find in them. */
export const sentence: fc.Arbitrary<string> = fc
  .array(fc.constantFrom('red', 'fish', 'went', 'over', 'the', 'hill', 'again', 'paper', 'slowly'), {
    minLength: 1,
    maxLength: 8,
  })
  .map((words) => words.join(' '));

const subject = fc.record(
  { type: fc.constantFrom(...SUBJECT_TYPES, 'order', 'product'), id: word },
  { requiredKeys: ['type'] },
);

const issue = fc.record(
  {
    path: fc.array(fc.oneof(word, fc.nat(9)), { minLength: 1, maxLength: 3 }),
    message: sentence,
    code: fc.constantFrom('required', 'invalid_type', 'invalid_format', 'custom'),
  },
  { requiredKeys: ['path', 'message'] },
);

const retry = fc.record(
  {
    afterMs: fc.integer({ min: 0, max: 3600 }).map((seconds) => seconds * 1000),
    maxAttempts: fc.nat(5),
    backoff: fc.constantFrom('fixed' as const, 'exponential' as const),
    jitter: fc.constantFrom(0, 0.1, 0.5),
  },
  { requiredKeys: [] },
);

/** Any consistent fault. */
export const faults: fc.Arbitrary<Fault> = fc
  .record(
    {
      kind: fc.constantFrom(...KIND_NAMES),
      message: sentence,
      subject,
      retryable: fc.boolean(),
      retry,
      executed: fc.constantFrom('no' as const, 'maybe' as const, 'yes' as const),
      origin: fc.constantFrom(...ORIGINS),
      issues: fc.array(issue, { maxLength: 3 }),
      name: fc.constantFrom('ORDER_NOT_FOUND', 'CARD_DECLINED'),
      advice: sentence.map((text) => `Please ${text}.`),
      details: fc.dictionary(word, fc.oneof(fc.integer(), word, fc.boolean()), { minKeys: 1, maxKeys: 3 }),
      correlationId: fc.uuid(),
      timestamp: fc.constant('2026-04-26T02:34:56+00:00'),
    },
    { requiredKeys: ['kind', 'message'] },
  )
  .map(makeFault);

/** Anything at all: JSON, and values that no JSON parser would give. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
  }),
  fc.string({ unit: 'binary' }),
);

const loose = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('__proto__', 'constructor', -32001, 1.5, null, true, 'rate_limited', 404),
);

/** Values shaped like wires, with nonsense in every member. */
export const nearWires: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({
    jsonrpc: fc.constant('2.0'),
    id: loose,
    error: fc.record({
      code: fc.oneof(fc.integer({ min: -33000, max: 6000 }), loose),
      message: loose,
      data: loose,
    }),
  }),
  fc.record({
    result: fc.record({
      isError: fc.oneof(fc.boolean(), loose),
      content: fc.oneof(fc.array(fc.record({ type: loose, text: loose })), loose),
      structuredContent: loose,
      _meta: loose,
      error: loose,
    }),
  }),
  fc.record({ http: fc.record({ status: loose, headers: loose, body: loose }) }),
  fc.record({
    thrown: fc.oneof(
      loose,
      fc.record({ name: loose, code: loose, message: loose, cause: loose, data: loose }),
    ),
  }),
  fc.record({ error_class: loose, sanitized_error: loose, retry_hint: loose }),
  fc.record({ type: loose, title: loose, status: loose, detail: loose, kind: loose, reaction: loose }),
);
