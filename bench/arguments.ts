/** What a bench was started with. Its head says what it does and what it takes, and is what `--help` prints. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The options of the script at this URL; with `--help`, or with one that it does not have, its head, and the end. */
export function optionsOf<O extends NonNullable<ParseArgsConfig['options']>>(
  script: string,
  options: O,
): ReturnType<typeof parseArgs<{ options: O }>>['values'] {
  const args = process.argv.slice(2);
  const isAsked = args.includes('--help') || args.includes('-h');
  try {
    if (!isAsked) return parseArgs({ args, options }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('. ')[0]}.\n\n`);
  }
  const names = Object.entries(options).map(([name, { type }]) =>
    type === 'boolean' ? `--${name}` : `--${name} …`,
  );
  process[isAsked ? 'stdout' : 'stderr'].write(`${headOf(script)}\n\nOptions: ${names.join(', ')}\n`);
  process.exit(isAsked ? 0 : 2);
}

/** The comment at the beginning of a script, without its stars. */
export function headOf(script: string): string {
  const [, head = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(readFileSync(fileURLToPath(script), 'utf8')) ?? [];
  return head.replace(/^[ \t]*\*[ \t]?/gm, '').trim();
}
