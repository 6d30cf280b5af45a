/** Mutants that behave like the original, each with the reason. Few: most of what survives is a missing test. */
import type { Mutant } from './mutate.ts';

interface Equivalent {
  readonly file: string;
  /** A part of the line that it is in. */
  readonly code: string;
  /** What was changed, as the report says it. */
  readonly what: string;
  readonly because: string;
}

const EQUIVALENT: readonly Equivalent[] = [
  {
    file: 'packages/core/src/plan/wait.ts',
    code: 'Math.min(attempt - 1, 40)',
    what: '40 → 41',
    because: 'the bound keeps the exponent a number; the ceiling is reached long before',
  },
  {
    file: 'packages/core/src/plan/options.ts',
    code: 'if (known !== undefined) return known;',
    what: 'drops if (known !== undefined) return known;',
    because: 'options that were checked before are only checked again',
  },
  {
    file: 'packages/core/src/plan/call.ts',
    code: "return safetyOf(call, 'maybe').safe;",
    what: "'maybe' → 'mutant'",
    because: 'whatever is neither `no` nor `yes` may have happened',
  },
  {
    file: 'packages/policy/src/admission/rate.ts',
    code: "executed: 'no',",
    what: "drops executed: 'no'",
    because: 'the kind implies it',
  },
  {
    file: 'packages/policy/src/admission/size.ts',
    code: 'if (maxBytes === Number.POSITIVE_INFINITY) return undefined;',
    what: 'drops if (maxBytes === Number.POSITIVE_INFINITY) return undefined;',
    because: 'nothing is larger than no limit; the line saves the measuring',
  },
  {
    file: 'packages/policy/src/admission/rate-store.ts',
    code: 'const SWEPT = 8;',
    what: '8 → 9',
    because: 'how many stale keys are looked for with a call decides about memory alone',
  },
  {
    file: 'packages/policy/src/admission/rate-store.ts',
    code: 'if (counted.from < 32 || counted.from * 2 < times.length) return;',
    what: 'counted.from * 2 < times.length with <=',
    because: 'when the list is copied decides about memory alone',
  },
  {
    file: 'packages/policy/src/admission/rate-store.ts',
    code: 'if (counted.from < 32 || counted.from * 2 < times.length) return;',
    what: 'counted.from < 32 with <=',
    because: 'when the list is copied decides about memory alone',
  },
  {
    file: 'packages/policy/src/admission/rate-store.ts',
    code: 'if (counted.from < 32 || counted.from * 2 < times.length) return;',
    what: 'counted.from < 32 || counted.from * 2 < times.length with &&',
    because: 'when the list is copied decides about memory alone',
  },
  {
    file: 'packages/policy/src/admission/idempotency.ts',
    code: "return typeof outcome === 'object' ? again(outcome) : undefined;",
    what: "'object' → 'mutant'",
    because: 'the store is asked once more, and has the same answer',
  },
  {
    file: 'packages/policy/src/admission/keys.ts',
    code: 'const found = lookup(sha256(key ??',
    what: "'' → 'mutant'",
    because: 'either is a key that nobody has',
  },
  {
    file: 'packages/server/src/guards/rate-limit.ts',
    code: ": 'caller-and-target',",
    what: "'caller-and-target' → ''",
    because: 'whatever is not `caller` is counted for caller and target',
  },
  {
    file: 'packages/server/src/boundary/once-outcome.ts',
    code: 'if (isPassing && value.worked === undefined) return undefined;',
    what: 'drops if (isPassing && value.worked === undefined) return undefined;',
    because: 'what was not begun has no answers either, and ends the same three lines further down',
  },
  {
    file: 'reference/platica/src/bridge/bridge.ts',
    code: "return KEY.test(bearerToken(authorization) ?? '');",
    what: "'' → 'mutant'",
    because: 'neither begins like a key',
  },
  {
    file: 'packages/server/src/boundary/handlers.ts',
    code: "throw new Error('Internal error');",
    what: "'Internal error' → ''",
    because: 'a placeholder for the SDK, which is replaced on its way out',
  },
  {
    file: 'packages/server/src/boundary/render.ts',
    code: "const dressed: Fault = { ...rest, kind: 'unprocessable' };",
    what: "'unprocessable' → 'mutant'",
    because:
      'any kind that is not of the request finds the place; words and document are of the fault itself',
  },
  {
    file: 'packages/server/src/boundary/render.ts',
    code: "const PROTOCOL_METHOD = 'ping';",
    what: "'ping' → 'mutant'",
    because: 'any method but `tools/call` makes a protocol error',
  },
  {
    file: 'packages/server/src/boundary/form-context.ts',
    code: "foreign: failure.foreign ?? (isHandedOn(failure, dialect, settings) ? 'somebody' : undefined),",
    what: "'somebody' → 'mutant'",
    because: 'forms ask whether it is a backend, or anybody at all',
  },
  {
    file: 'packages/server/src/boundary/backend-body.ts',
    code: 'const MOST_CAUSES = 4;',
    what: '4 → 5',
    because:
      'behind more causes no status is found either, and nobody asks for the body; the bound ends circles',
  },
];

/** Is nothing to be noticed about this mutant? */
export function isEquivalent({ file, code, what }: Mutant): boolean {
  return EQUIVALENT.some((one) => one.file === file && one.what === what && code.includes(one.code));
}
