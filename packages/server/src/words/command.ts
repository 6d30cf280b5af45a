/** Programs that a server runs: what `child_process` throws when one fails. */
import { look } from './look.ts';

const FAILED = /^Command failed(?: with [^\n]*)?: [^\n]*/;
/** As wrappers tell it that keep what the program said, and not its command line. */
const STATUS = /^(?:process |command )?(?:exited with |exit )(?:status|code):? \d{1,3}: (?=\S)/i;

/** Is it what `exec`, `execFile` or a wrapper of theirs throws? */
export function isCommand(reason: unknown, message: string): boolean {
  return (
    FAILED.test(message) ||
    STATUS.test(message) ||
    (look(reason, 'cmd') !== undefined && look(reason, 'killed') !== undefined)
  );
}

/** What the program said. The command line before it is the server's own. */
export function wordsOfCommand(reason: unknown, message: string): string {
  const stderr = look(reason, 'stderr');
  if (typeof stderr === 'string' && stderr.trim() !== '') return stderr.trim();
  return message.replace(FAILED, '').replace(STATUS, '').trim();
}

/** A program that was ended by its timer. */
export function wasStopped(reason: unknown): boolean {
  return look(reason, 'killed') === true && look(reason, 'signal') !== null;
}
