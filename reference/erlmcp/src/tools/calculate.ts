import { z } from 'zod';
import { Reason } from '../refusal.ts';
import { defineTool, text } from './tool.ts';

/** Whole-number arithmetic. */
export const calculate = defineTool({
  name: 'calculate',
  description: 'Adds, subtracts, multiplies or divides two whole numbers.',
  inputSchema: z.strictObject({
    a: z.int(),
    b: z.int(),
    operation: z.enum(['add', 'subtract', 'multiply', 'divide']).default('add'),
  }),
  run({ a, b, operation }) {
    if (operation === 'divide' && b === 0) throw new Reason('division_by_zero');
    const results = { add: a + b, subtract: a - b, multiply: a * b, divide: Math.trunc(a / b) };
    return text(String(results[operation]));
  },
});
