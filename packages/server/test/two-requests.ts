/** A server in a process of its own that is called once, asked whether it still answers, and left. */
import { spawn } from 'node:child_process';

/** How the process ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What to start. */
export interface Started {
  /** A file beside this one. */
  readonly file: string;
  readonly how: string;
  readonly tool: string;
  readonly args?: object;
}

/** Calls the tool, then pings, and waits for the end; a process that does not end is killed. */
export function twoRequests({ file, how, tool, args = {} }: Started): Promise<Ended> {
  const path = new URL(file, import.meta.url).pathname;
  const flags = ['--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, path, how], { stdio: 'pipe' });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    if (out.includes('"id":1'))
      setTimeout(() => child.stdin.end('{"jsonrpc":"2.0","id":2,"method":"ping"}\n'), 50);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  child.stdin.on('error', () => {}); // a process that has ended reads nothing
  const killed = setTimeout(() => child.kill('SIGKILL'), 20_000);
  const params = { name: tool, arguments: args };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  return new Promise((resolve) =>
    child.once('close', (code) => {
      clearTimeout(killed);
      resolve({ code, out, err });
    }),
  );
}
