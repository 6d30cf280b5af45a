/** `mayday import`: the servers of a client become upstreams of the gateway. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import process from 'node:process';
import { formatProblem, type SettingsProblem } from '@mayday/gateway';
import { type Arguments, type Flags, parseArguments, stringFlag } from '../arguments.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { askAll, questionsIn } from '../import/asking.ts';
import { parseDocument } from '../import/document.ts';
import { readFileText, refuseReadOnly, replaceFiles } from '../import/files.ts';
import { type FoundFile, filesHere, findFile } from '../import/find-file.ts';
import { launcher } from '../import/launcher.ts';
import { filesGone, ownFile } from '../import/own-file.ts';
import type { Machine } from '../import/places.ts';
import { type ImportPlan, planImport } from '../import/plan.ts';
import { report } from '../import/report.ts';
import { sectionsOf } from '../import/sections.ts';
import { undoImport } from '../import/undo.ts';
import type { Io } from '../io/io.ts';
import { harmless } from '../style.ts';
import { UsageError } from '../usage-error.ts';

export const help: string = `mayday import [--to FILE] [--dry-run] [--offline] [FILE | CLIENT]
mayday import --undo [--force] [--dry-run] FILE | CLIENT

Takes the MCP servers that a client already has. They are written into mayday.yaml, or where that is in use for
something else into mayday.CLIENT.yaml, and the client gets one entry in their place, which starts the gateway in front
of them. Other clients see nothing of it. What changes is shown, without secrets, and a copy of every file that changes
is kept beside it. Doing it again changes nothing. A server that the client signs in to by itself stays with the client:
entries say so, and servers over HTTP without a credential are asked once whether they can be used like that.

  FILE         the client's file: JSON, with or without comments, or YAML
  CLIENT       claude-desktop, claude-code, cursor, vscode, windsurf, zed, cline, roo-code, gemini-cli, lm-studio,
               continue, amazon-q, junie or copilot-cli; without a word, those on this machine are listed
  --to FILE    write them into this file, beside what it holds already: the client then gets that as well
  --dry-run    print the new file on standard output and change nothing
  --offline    ask no server
  --undo       give the client's file back as it was before its last import; what is there now is kept beside it. Other
               settings that the client has written since stay; servers that were changed since are left alone,
               and so is a file with comments or trailing commas that was changed at all
  --force      undo it all the same
  -h, --help   this text

Example:
  $ mayday import cursor --dry-run
`;

const FLAGS: Flags = {
  to: { type: 'string' },
  'dry-run': { type: 'boolean' },
  offline: { type: 'boolean' },
  undo: { type: 'boolean' },
  force: { type: 'boolean' },
};

/** Runs the command. */
export async function run(words: readonly string[], io: Io): Promise<ExitCode> {
  const parsed = parseArguments('import', words, FLAGS);
  const [word, extra] = parsed.positionals;
  const machine: Machine = {
    platform: process.platform,
    home: homedir(),
    cwd: process.cwd(),
    env: process.env,
  };
  if (extra !== undefined)
    throw new UsageError('one file or client at a time; import them one after the other');
  const isDry = parsed.values['dry-run'] === true;
  refuseMixture(parsed.values, word);
  if (word === undefined) return list(machine, io);
  const file = findFile(word, machine);
  if (parsed.values['undo'] === true) {
    await undoImport(
      file,
      machine,
      { isForced: parsed.values['force'] === true, isDry, stamp: stampNow() },
      io,
    );
    return EXIT.done;
  }
  const text = await readFileText(file.path);
  if (text === undefined) throw new UsageError(`${file.path} is gone; check the path`);
  const said = stringFlag(parsed, 'to');
  const to = said === undefined ? await ownFile(file, text, machine) : resolve(machine.cwd, said);
  if (file.path === to) throw new UsageError(`${to} cannot be both; name another file with --to`);
  const yaml = await readFileText(to);
  const { home, cwd } = machine;
  const launch = launcher(machine, { script: process.argv[1] ?? '', node: process.execPath });
  const answers = await askAll(parsed.values['offline'] === true ? [] : questionsIn(text, cwd));
  const plan = planImport({ from: file.path, text, known: file.known, to, yaml, home, cwd, launch, answers });
  refuse(plan.problems, file.path);
  refuse(plan.yamlProblems, to);
  report(plan, { file, to, text, yaml, cwd, launch, env: process.env, isDry }, (line) => io.note(line));
  for (const gone of plan.state === 'old' ? await filesGone(text, machine) : [])
    io.note(harmless(`${gone}, which it starts from, is gone; bring it back, or the copy of ${file.path}`));
  if (isDry) await io.write(plan.yaml ?? '');
  else await write(plan, { file, to, text, yaml }, io);
  return plan.state === 'none' || plan.state === 'left' ? EXIT.negative : EXIT.done;
}

/** Flags that mean nothing together. */
function refuseMixture(values: Arguments['values'], word: string | undefined): void {
  const { undo, force, to, offline } = values;
  if (undo === undefined && force !== undefined)
    throw new UsageError('--force goes with --undo; nothing else is refused that could be forced');
  if (undo !== undefined && (to !== undefined || offline !== undefined))
    throw new UsageError('--undo takes neither --to nor --offline; it gives the copy back that was kept');
  if (undo !== undefined && word === undefined)
    throw new UsageError('name the client or the file whose import is to be undone');
}

function stampNow(): string {
  return new Date().toISOString().replace(/[-:]|\.\d+/g, '');
}

function refuse(problems: readonly SettingsProblem[], path: string): void {
  if (problems.length === 0) return;
  const lines = problems.map((problem) => formatProblem(problem, path));
  throw new UsageError(`nothing was imported\n${lines.join('\n')}`);
}

interface Before {
  readonly file: FoundFile;
  readonly to: string;
  readonly text: string;
  readonly yaml: string | undefined;
}

/** First the servers, then the client that is to find them there; both or none. */
async function write(plan: ImportPlan, { file, to, text, yaml }: Before, io: Io): Promise<void> {
  const files = [
    { path: to, before: yaml, text: plan.yaml, hasNewSecrets: plan.secrets.length > 0 },
    { path: file.path, before: text, text: plan.text, hasNewSecrets: false },
  ];
  const changed = files.flatMap((item) =>
    item.text === undefined || item.text === item.before ? [] : [{ ...item, text: item.text }],
  );
  for (const { path } of changed) await refuseReadOnly(path);
  for (const { path, copy, isClosed } of await replaceFiles(changed, stampNow())) {
    io.note(`written: ${path}${copy === undefined ? '' : ` (before: ${copy})`}`);
    if (isClosed) io.note(`only you can read ${path} from now on, because of the secrets in it`);
  }
}

/** The clients on this machine, and how many servers each has. */
async function list(machine: Machine, io: Io): Promise<ExitCode> {
  const found = filesHere(machine);
  if (found.length === 0) {
    io.note('No file of a client was found on this machine; name one: mayday import FILE');
    return EXIT.negative;
  }
  const width = Math.max(...found.map(({ client }) => client.id.length));
  for (const { client, path } of found)
    await io.write(`${client.id.padEnd(width)}  ${path}  ${await held(path, machine)}\n`);
  return EXIT.done;
}

async function held(path: string, { cwd }: Machine): Promise<string> {
  try {
    const { value, problems } = parseDocument((await readFileText(path)) ?? '');
    if (problems.length > 0) return '(cannot be read)';
    const count = sectionsOf(value, cwd)[0]?.servers.length ?? 0;
    return `(${count} ${count === 1 ? 'server' : 'servers'})`;
  } catch (error) {
    if (error instanceof UsageError) return '(cannot be read)';
    throw error;
  }
}
