import type { FaultError, Issue } from '@mayday/core';
import type { Guard } from '@mayday/server';
import type { z } from 'zod';

/** Refuses arguments that a tool's schema does not take, before the tool runs, with all issues in Zod's own words. */
export function argumentsGuard(
  schemas: { readonly [tool: string]: z.ZodType },
  refusal: (issues: readonly Issue[]) => FaultError,
): Guard {
  return {
    name: 'arguments',
    methods: ['tools/call'],
    before({ name = '', arguments: given = {} }) {
      if (!Object.hasOwn(schemas, name)) return;
      const { error } = (schemas[name] as z.ZodType).safeParse(given);
      if (error === undefined) return;
      throw refusal(
        error.issues.map(({ path, message, code }) => ({
          path: path.map((key) => (typeof key === 'number' ? key : String(key))),
          message,
          code,
        })),
      );
    },
  };
}
