/** What an import does, told to a person. Nothing that is told holds a secret. */
import { stringify } from 'yaml';
import { harmless } from '../style.ts';
import { lineDiff } from './diff.ts';
import { parseDocument } from './document.ts';
import type { FoundFile } from './find-file.ts';
import { masked } from './mask.ts';
import { upstreamsIn } from './merge.ts';
import { tellProcesses } from './new-surroundings.ts';
import type { ImportPlan } from './plan.ts';
import { sectionsOf } from './sections.ts';

/** What is known beside the plan. */
export interface ReportContext {
  readonly file: FoundFile;
  readonly to: string;
  readonly text: string;
  readonly yaml: string | undefined;
  /** The current folder. */
  readonly cwd: string;
  /** The words by which the client is to start this program. */
  readonly launch: readonly string[];
  /** The environment that the import was called in, of which names are told. */
  readonly env: { readonly [name: string]: string | undefined };
  /** Nothing is written. */
  readonly isDry: boolean;
}

/** Tells the plan, a line at a time. */
export function report(plan: ImportPlan, context: ReportContext, note: (line: string) => void): void {
  const { file, to, text, yaml, launch, cwd, isDry } = context;
  const say = (line: string): void => note(harmless(line));
  const title = file.known?.client.title ?? file.path;
  for (const { line, message } of plan.told) say(`${file.path}:${line}: ${message}`);
  for (const other of file.others) say(`not imported: ${other}; import it by its path`);
  if (plan.state !== 'new') {
    say(NOTHING[plan.state](title, file.path));
    return;
  }
  tellDiff(to, yamlOf(yaml), yamlOf(plan.yaml), note);
  if (plan.text === undefined) {
    say(`${file.path} cannot be changed here; take its servers out yourself, and put in`);
    note(JSON.stringify(masked(plan.entry), null, 2));
  } else tellDiff(file.path, sectionText(text, cwd), sectionText(plan.text, cwd), note);
  if (plan.besides.length > 0)
    say(`${title} gets what was in ${to} before as well: ${plan.besides.join(', ')}`);
  if (plan.needed.length > 0)
    say(`needed in the environment: ${plan.needed.join(', ')}; the new entry passes them on`);
  if (plan.missing.length > 0)
    say(
      `needed in the environment by servers of before: ${plan.missing.join(', ')}; pass them on in the env of the entry`,
    );
  if (plan.secrets.length > 0)
    say(
      `secrets ${isDry ? 'would be' : 'are now'} in ${to} too: ${plan.secrets.join(', ')}; keep it to yourself, or put \${NAME} in their place`,
    );
  tellProcesses(upstreamsIn(plan.yaml), { to, env: context.env, client: file.known?.client }, say);
  if (launch.length > 1)
    say(
      `the command mayday is not on the PATH of clients: the new entry starts it as ${launch.join(' ')}; npm install --global @mayday/cli makes it shorter`,
    );
}

const NOTHING = {
  none: (_title: string, path: string) => `${path} has no servers; nothing to import`,
  left: (title: string) => `nothing to import: the gateway can serve none of the servers of ${title}`,
  old: (title: string) =>
    `nothing to import: ${title} starts the gateway already, and nothing else that it can serve`,
} as const;

/** Tells the lines of two texts that differ, under the path of their file. */
export function tellDiff(path: string, before: string, after: string, note: (line: string) => void): void {
  const lines = lineDiff(before, after);
  if (lines.length === 0) return;
  note(harmless(path));
  // Characters that move the cursor are for nobody’s terminal.
  for (const line of lines) note(`  ${harmless(line.slice(0, MAX_WIDTH))}`);
}

const MAX_WIDTH = 200;

function yamlOf(text: string | undefined): string {
  const upstreams = upstreamsIn(text);
  return Object.keys(upstreams).length === 0 ? '' : stringify(masked({ upstreams }), { lineWidth: 0 });
}

/** The servers that were changed, in a form of their own: the other settings of the file are nobody’s business. */
export function sectionText(text: string, cwd: string): string {
  const [section] = sectionsOf(parseDocument(text).value, cwd);
  const servers = Object.fromEntries((section?.servers ?? []).map(({ name, value }) => [name, value]));
  return JSON.stringify(masked(servers), null, 2);
}
