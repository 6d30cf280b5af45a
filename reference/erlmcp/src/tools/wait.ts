import { sleep } from '@mayday/policy';
import { z } from 'zod';
import { defineTool, text } from './tool.ts';

const STEPS = 4;

/** Takes as long as it is told to, and says how far it is. */
export const wait = defineTool({
  name: 'wait',
  description: 'Waits for a number of milliseconds. Reports progress, and stops when it is cancelled.',
  inputSchema: z.strictObject({ ms: z.int().min(0).max(600_000) }),
  async run({ ms }, { app, signal, progress }) {
    for (let step = 1; step <= STEPS; step++) {
      if (!(await sleep(app.clock, ms / STEPS, signal))) throw signal.reason;
      progress(step, STEPS);
    }
    return text(`Waited for ${ms} ms`);
  },
});
