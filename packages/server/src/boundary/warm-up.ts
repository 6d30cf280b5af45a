/** What the first failure would wait for is made ready before. */
import { language, makeFault } from '@mayday/core';

let isWarm = false;

/** Rules of redaction are built when they are first needed; whoever has a deadline to keep has no time for that. */
export function warmUp(): void {
  if (isWarm) return;
  isWarm = true;
  const timer: { unref?(): unknown } | number = setTimeout(writeOne, 0);
  if (typeof timer === 'object') timer.unref?.();
}

function writeOne(): void {
  language.write(makeFault({ kind: 'timeout', message: 'No answer within 1 ms' }), 'mayday');
}
