/**
 * Runs benches and puts what they print into docs/figures.md: `npm run figures`, or `npm run figures -- size read-cost`
 * for some of them. Nothing in that page is typed by hand.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

const BENCHES: { readonly [name: string]: string } = {
  read: 'Reading servers whose failures follow no dialect',
  'read-cost': 'What reading costs, against the official SDK’s own parse, and how it grows',
  size: 'What a bundle weighs',
  'read-compact': 'Reading with the compact reader, next to the whole one',
  startup: 'How fast the command line answers',
  redact: 'Redaction: recall, false alarms and speed, next to others',
  'redact-recall':
    'Redaction by classes: what it catches and what it wrongly touches, a third of the classes kept aside',
  'server-overhead': 'What the guard costs a successful call',
  'server-timing': 'Can refusals be told apart by time?',
  'server-memory': 'Memory over many failing calls',
  reference: 'The reference servers: their size, and how fast they start',
  'server-words': 'Do words that a caller can act on reach it, and no secrets?',
  duplicates: 'Is anything done twice?',
  goodput: 'Simulated days: ways to retry',
  gateway: 'What the gateway costs, next to its neighbours',
  workers: 'What a second worker is worth',
  limits: 'Limits: do many gateways hold one, and what does counting cost?',
  'policy-cost': 'What policy costs, on SQLite and on Redis',
  once: 'Is anything done twice over four gateways on one store?',
  kills: 'Killed a hundred times: is anything lost that was acknowledged, or used twice?',
  faults: 'A hundred thousand failures a minute: is a call dropped, or a failure lost?',
  grouping: 'The groups of the fault journal: precision and recall',
  fuzz: 'Hostile bytes from both sides of the gateway',
  mutants: 'Do the tests notice a changed table, rule or refusal?',
};

/** What has to be known to read a figure, before it. */
const NOTES: { readonly [name: string]: string } = {
  size: `Most goals are missed, those of the compact paths too. One dialect would weigh 8 kB if all dialects shared 1 to 5 kB;
they share 8, most of it to look at a message without trusting it, to put the parts of a fault right, and to read. Reading and
redaction cannot weigh 45 kB while they know words: 8 kB are that core, 18 find statuses, members of bodies and phrases, and 25
walk through a value and judge what stands beside a name, before any format of a vendor. What a limit says is held by
\`test/size.test.ts\`.`,
  'read-compact': `The phrases of the compact reader were chosen because three servers or more of these files say them: on others\nit reads somewhat worse.`,
  'server-words': `What is measured first are the 29 sentences of a sample that comes with the repository; with the name of a file,
as in \`-- corpus.jsonl\`, it is another corpus: a line for each answer, with \`label.kind\`, \`readable\`, and the answer as \`wire\`, a
JSON-RPC response. The published servers are installed in \`../published\` beforehand (\`@modelcontextprotocol/server-filesystem\`,
\`server-memory\` and \`server-everything\`); they run plain and with the guard's two lines, and of 95 % of their failures
the model has to get the same words.`,
  workers: `Two figures are told. Calls a second are what this machine did, whose cores the load generator and the upstream share
with the workers: where there are no more cores than workers they stay below what the workers could do. Calls for each processor
second of the busiest process are what the workers themselves can do, and what \`ok\` is about; with cores enough for
all, calls a second come near to them.`,
  limits: `The second part is the cost of counting alone: every call succeeds at once, the gateway does nothing else for it, and
the baseline is as fast as a gateway gets. A limit costs about the same for each call whatever else the call does, so its share is
largest here. What limits, keys, rules and the journal cost in a usual mix of calls is the next section.`,
  'policy-cost': `All of policy together, in a usual mix: every tenth call fails and is journalled, every tenth has an
idempotency key, so that the baseline is slower than that of limits alone, and the share of one rate smaller. Whoever has nothing
but quick calls that succeed, and several limits on each, is nearer to the section before; the goals are about this one.`,
};

/** Figures that are no bench: what npm is told to run. The seed is one that no test was written after. */
const COMMANDS: { readonly [name: string]: string } = {
  'read-compact': 'read:score -- --compact',
  'server-words': 'bench:server-words -- --published ../published',
  gateway: 'bench:gateway -- --only http,stdio,streams,start',
  fuzz: 'fuzz:gateway -- --messages 1000000 --no-keep',
  mutants:
    'mutants -- --score --sample 12 --seed 8642 tables dialects plan guards boundary closient onx erlmcp qaqnuz platica',
};

/** The arguments to npm that print a figure. */
function commandOf(name: string): readonly string[] {
  return ['run', ...(COMMANDS[name] ?? `bench:${name}`).split(' ')];
}

const page = new URL('../docs/figures.md', import.meta.url);
const HEAD = `# Figures

Every figure that is claimed anywhere, with the command that prints it. Written by \`npm run figures\`; timings are only
worth their ratios, since each comes from one run on one machine.
`;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no bench ${unknown.join(', ')}; choose from ${Object.keys(BENCHES).join(', ')}.\n`,
  );
  process.exit(2);
}

const sections = readSections();
for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) {
  process.stdout.write(`${name} …\n`);
  const { status, stdout } = spawnSync('npm', ['--silent', ...commandOf(name)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A bench that misses a goal ends with 1, and what it printed names the goal: that is a figure too.
  const missed = status === 1 && /\b(?:MISS|MISSED|promised|limits?)\b/.test(stdout);
  if (status !== 0) {
    process.stderr.write(
      `npm ${commandOf(name).join(' ')} ended with ${status}; its section ${missed ? 'says what it missed' : 'stays as it was'}.\n`,
    );
    process.exitCode = 1;
  }
  if (status !== 0 && !missed) continue;
  sections.set(name, section(name, stdout.trimEnd()));
}
const order = Object.keys(BENCHES).filter((name) => sections.has(name));
writeFileSync(page, [HEAD, ...order.map((name) => sections.get(name))].join('\n'));

function section(name: string, output: string): string {
  const where = `Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`;
  const printed = `\`npm ${commandOf(name).join(' ')}\` on ${where}:\n\n\`\`\`text\n${output}\n\`\`\`\n`;
  return headed(name, printed);
}

function headed(name: string, printed: string): string {
  const note = NOTES[name];
  return `## ${BENCHES[name]}\n\n${note === undefined ? '' : `${note}\n\n`}${printed}`;
}

/** What the page holds already, by bench. */
function readSections(): Map<string, string> {
  const found = new Map<string, string>();
  if (!existsSync(page)) return found;
  for (const part of readFileSync(page, 'utf8')
    .split(/^(?=## )/m)
    .slice(1)) {
    const name = Object.keys(BENCHES).find((one) => part.startsWith(`## ${BENCHES[one]}\n`));
    if (name !== undefined) found.set(name, headed(name, `${part.slice(part.indexOf('`npm ')).trimEnd()}\n`));
  }
  return found;
}
