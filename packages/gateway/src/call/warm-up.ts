/** What is made ready before it is needed: the first that a server says is not held back for it. */
import { encode } from '@mayday/relay';
import { mend } from './mend.ts';

const SAID: readonly Buffer[] = [
  { method: 'notifications/message', params: { level: 'info', logger: 'server', data: 'Server is ready' } },
  {
    method: 'notifications/progress',
    params: { progressToken: 1, progress: 1, total: 2, message: 'Step 1 of 2' },
  },
].map((message) => encode({ jsonrpc: '2.0', ...message }));

/** Redaction builds its tables when it first looks at a text, which takes a tenth of a second and holds everybody up. */
export function warmUp(): void {
  for (const message of SAID) mend(message);
}
