/** Loaded before a program: on SIGUSR2 it says how much it holds once all garbage is gone. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

process.on('SIGUSR2', function tell() {
  // What waits to be written is held until somebody reads it.
  if (process.stderr.writableLength + process.stdout.writableLength > 0) {
    setTimeout(tell, 50);
    return;
  }
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`live heap ${heapUsed + external}\n`);
});
