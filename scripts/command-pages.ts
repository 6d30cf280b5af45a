/** The pages under `docs/commands/`: what `mayday <command> --help` says, and examples with what they print. */
import { table } from '../packages/cli/src/catalog/markdown.ts';
import type { Io } from '../packages/cli/src/io/io.ts';
import { COMMANDS, run } from '../packages/cli/src/run.ts';
import type { Parts } from './fault-pages.ts';

/** The commands, each of which has a page. */
export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** Commands that need nothing but their input: the page shows what comes out. */
const SHOWN: { readonly [command: string]: readonly string[] } = {
  read: [
    `echo '{"thrown": {"code": "ECONNREFUSED", "message": "connect"}}' | mayday read`,
    `echo 'Could not send: 401 Unauthorized' | mayday read --why`,
  ],
  translate: [
    `echo '{"http": {"status": 503, "headers": {"retry-after": "120"}, "body": "down"}}' | mayday translate --to erlmcp`,
  ],
  explain: ['mayday explain -32001', 'mayday explain ECONNREFUSED'],
  redact: [`echo 'connect to postgres://app:hunter2@db.internal/x failed' | mayday redact`],
};

/** Longer outputs are cut. */
const MAX_LINES = 45;

/** What the page of a command says in its generated part. */
export async function commandParts(name: string): Promise<Parts> {
  const entry = COMMANDS[name];
  if (entry === undefined) throw new TypeError(`Expected a command, got ${JSON.stringify(name)}`);
  const { help } = await entry.load();
  const blocks = help.trimEnd().split(/\n\n+/);
  const shown = SHOWN[name];
  const told = blocks
    .slice(1)
    .filter((block) => shown === undefined || !isExample(block))
    .map(blockText);
  const examples =
    shown === undefined ? [] : ['## Example', ...(await Promise.all(shown.map((line) => transcript(line))))];
  return {
    command: [`${capital(entry.summary)}.`, fence('text', blocks[0] ?? ''), ...told, ...examples].join(
      '\n\n',
    ),
  };
}

/** What the index says. */
export function commandIndex(): Parts {
  const rows = COMMAND_NAMES.map((name) => [
    `[\`mayday ${name}\`](${name}.md)`,
    COMMANDS[name]?.summary ?? '',
  ]);
  return { commands: table(['command', 'does'], rows) };
}

/** A page for a command that has none yet. */
export function newCommandPage(name: string): string {
  return `# \`mayday ${name}\`\n\n<!-- generated: command -->\n<!-- end: command -->\n`;
}

function blockText(block: string): string {
  if (isExample(block)) return exampleText(block);
  const lines = block.split('\n');
  return lines.every((line) => line.startsWith('  ')) ? flagTable(lines) : lines.join('\n');
}

function isExample(block: string): boolean {
  return block.startsWith('Example');
}

function exampleText(block: string): string {
  const lines = block.split('\n').map((line) => line.replace(/^ {2}/, ''));
  const [title = '', ...rest] = lines;
  const words = title.replace(/^Example(?:, )?:?/, '');
  return [
    '## Example',
    ...(words === '' ? [] : [capital(words)]),
    fence(rest[0]?.startsWith('$') ? 'console checked' : 'json', rest.join('\n')),
  ].join('\n\n');
}

/** The words of a command in columns, as `--help` has them: a line that starts in the second one goes on. */
function flagTable(lines: readonly string[]): string {
  const column = secondColumn(lines);
  const rows: [string, string][] = [];
  for (const line of lines) {
    const [word, text] = [line.slice(0, column).trim(), line.slice(column).trim()];
    const last = rows.at(-1);
    if (word === '' && last !== undefined) last[1] += ` ${text}`;
    else rows.push([`\`${word}\``, text]);
  }
  return table(['word', 'means'], rows);
}

/** Where the texts start: after the help flag, which every command has, in the same column as all others. */
function secondColumn(lines: readonly string[]): number {
  const column = /^ {2}-h, --help +/.exec(lines.find((line) => line.includes('--help')) ?? '')?.[0].length;
  if (column === undefined || lines.some((line) => line[column - 1] !== ' '))
    throw new TypeError(`Expected words and texts in two columns, got\n${lines.join('\n')}`);
  return column;
}

/** A line as a shell has it, and what it prints. */
async function transcript(line: string): Promise<string> {
  const lines = (await printed(line)).trimEnd().split('\n');
  const cut = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '…'] : lines;
  return fence('console', `$ ${line}\n${cut.join('\n')}`);
}

/** What `mayday …` or `echo '…' | mayday …` prints; whatever is wrong is thrown. */
export async function printed(line: string): Promise<string> {
  const [, input = '', words] = /^(?:echo '(.*)' \| )?mayday (.*)$/.exec(line) ?? [];
  if (words === undefined) throw new TypeError(`Expected a line with mayday, got ${line}`);
  let output = '';
  const io: Io = {
    input: (async function* () {
      yield new TextEncoder().encode(`${input}\n`);
    })(),
    inputIsTerminal: false,
    write: async (text) => {
      output += text;
    },
    serve: () => undefined,
    note: (text) => {
      throw new Error(`\`${line}\` says: ${text}`);
    },
    colours: false,
    columns: 100,
  };
  const status = await run(words.split(' '), io);
  if (status !== 0) throw new Error(`\`${line}\` ends with status ${status}`);
  return output;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
