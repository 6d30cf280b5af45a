/**
 * No orphans: a small shell waits at the other end of a pipe and knows the process groups this process has
 * started. When the pipe closes, however this process ended, it ends what is left of them.
 */
import { type ChildProcess, spawn } from 'node:child_process';

const SCRIPT = `
trap '' INT TERM HUP
groups=''
while read -r sign group; do
  if [ "$sign" = '+' ]; then groups="$groups $group"
  else
    left=''
    for g in $groups; do [ "$g" = "$group" ] || left="$left $g"; done
    groups=$left
  fi
done
[ -z "$groups" ] && exit 0
for g in $groups; do kill -TERM -"$g" 2>/dev/null; done
sleep 1
for g in $groups; do kill -KILL -"$g" 2>/dev/null; done
`;

let shell: ChildProcess | undefined;

/** Puts a process group in the reaper's care. */
export function watch(group: number): void {
  tell(`+ ${group}\n`);
}

/** Takes a process group out of the reaper's care. */
export function unwatch(group: number): void {
  if (shell !== undefined) tell(`- ${group}\n`);
}

function tell(line: string): void {
  if (process.platform === 'win32') return;
  if (shell === undefined || shell.exitCode !== null) shell = start();
  shell.stdin?.write(line);
}

function start(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', SCRIPT], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  child.unref();
  child.on('error', () => {
    // Without a shell, servers still see the end of their input when this process ends.
  });
  child.stdin?.on('error', () => {
    // The reaper was killed: the next process starts a new one.
  });
  const pipe = child.stdin as unknown as { unref?: () => void } | null;
  pipe?.unref?.();
  return child;
}
