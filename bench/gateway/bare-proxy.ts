/** The yardstick: a Node reverse proxy that does nothing but pipe. */
import { Agent, createServer, request as send } from 'node:http';
import { reportUsage } from './usage.ts';

const [port, upstream] = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: 2048 });

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const { host: _host, connection: _connection, ...headers } = request.headers;
  const forward = send(
    { agent, host: '127.0.0.1', port: upstream, path: request.url, method: request.method, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  forward.on('error', () => response.destroy());
  request.pipe(forward);
});
server.listen(port, '127.0.0.1', () => process.stdout.write('ready\n'));
reportUsage();
