/** `npm run fuzz:gateway -- --messages 1000000`: a long run against the built gateway, with a line of progress each second. */
import { parseArgs } from 'node:util';
import { keepCase } from './cases.ts';
import { type Progress, run } from './run.ts';
import { caseFor, signature } from './shrink.ts';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    seed: { type: 'string', default: '1' },
    messages: { type: 'string', default: '100000' },
    minutes: { type: 'string', default: '60' },
    callers: { type: 'string', default: '16' },
    'limit-ms': { type: 'string', default: '8000' },
    'witness-ms': { type: 'string', default: '4000' },
    'memory-mb': { type: 'string', default: '1200' },
    violations: { type: 'string', default: '20' },
    preload: { type: 'string', multiple: true, default: [] },
    keep: { type: 'boolean', default: true },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(`Fuzzes the built gateway as its callers and as its servers at once.

  npm run fuzz:gateway -- [--messages 100000] [--minutes 60] [--seed 1] [--callers 16]

  --limit-ms 8000     a message without an answer for this long is a violation
  --witness-ms 4000   so is a well-behaved caller that waits longer
  --memory-mb 1200    and a gateway that grows beyond this
  --violations 20     stops after so many
  --preload <file>    loads a module into the gateway, to put a defect back
  --no-keep           does not shrink violations to cases in fuzz/cases
`);
  process.exit(0);
}

let shown = 0;
function show({ sent, statuses, upstream, memoryMb, violations }: Progress): void {
  const now = performance.now();
  if (now - shown < 1000) return;
  shown = now;
  const rate = Math.round((sent / now) * 1000);
  const told = Object.entries(statuses).map(([status, count]) => `${status}:${count}`);
  console.error(
    `${sent} sent, ${rate}/s, ${upstream} over HTTP upstream, peak ${memoryMb} MB, ${violations} violations, ${told.join(' ')}`,
  );
}

const interrupted = new AbortController();
// The second time ends it without a word, as it would anywhere.
process.once('SIGINT', () => interrupted.abort());

const report = await run({
  seed: Number(values.seed),
  messages: Number(values.messages),
  milliseconds: Number(values.minutes) * 60_000,
  callers: Number(values.callers),
  limitMs: Number(values['limit-ms']),
  witnessMs: Number(values['witness-ms']),
  memoryMb: Number(values['memory-mb']),
  violations: Number(values.violations),
  preload: values.preload,
  onProgress: show,
  interrupted: interrupted.signal,
});

const { found, sent, upstream, statuses, witnessed, slowestMs, memoryMb, seconds, violations } = report;
const told = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
console.log(`messages to the gateway       ${sent} in ${seconds.toFixed(0)} s, seed ${values.seed}${interrupted.signal.aborted ? ', interrupted' : ''}
asked of the hostile servers  ${upstream} times over HTTP, more over standard input
statuses                      ${told.join(', ')} (0: closed)
well-behaved callers beside   ${witnessed} calls, the slowest took ${slowestMs} ms
memory of the gateway         ${memoryMb} MB at most
violations                    ${violations} (deaths, missing answers, leaks, others who noticed)`);
const seen = new Set<string>();
for (const violation of found) {
  const { kind, detail, suspects } = violation;
  const known = seen.has(signature(violation));
  seen.add(signature(violation));
  if (known) continue;
  const indexes = suspects.slice(0, 8).map(({ index }) => index);
  console.log(`\n${kind}: ${detail}\n  suspects: seed ${values.seed}, messages ${indexes.join(' ')}`);
  const keeps = values.keep && !interrupted.signal.aborted;
  const culprit = keeps ? await caseFor(violation) : undefined;
  if (keeps)
    console.log(culprit === undefined ? '  not seen again by itself' : `  kept as ${keepCase(culprit)}`);
}
process.exit(found.length === 0 ? 0 : 1);
