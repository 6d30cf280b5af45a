/** Starts a server over standard input and output and says when it has answered once. */
import { spawn } from 'node:child_process';

const server = spawn(process.execPath, process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
server.stdout.once('data', () => {
  process.stdout.write('ready\n');
  server.kill();
});
server.stdin.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');
