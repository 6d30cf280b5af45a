/** A collector that takes everything and keeps nothing. */
import { createServer } from 'node:http';

createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end());
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('ready\n'));
