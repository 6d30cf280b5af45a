/** JSON files named on the command line. */
import { readFile } from 'node:fs/promises';
import { UsageError } from '../usage-error.ts';

/** The value in a JSON file; a sentence when there is none. */
export async function readJsonFile(path: string, what: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new UsageError(`the ${what} file ${path} cannot be read (${code}); check the path`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`the ${what} file ${path} is not valid JSON; repair it or write it again`);
  }
}
