/** The raw upstream of the bench: answers as fast as Node can. `fail` fails; GET opens a stream. */
import { createServer } from 'node:http';

const OK = (id: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"The order A-17 was shipped on Monday and arrives tomorrow."}]}}`;
const FAIL = (id: string, order: string): string =>
  `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"The order ${order} was not found"}],"isError":true}}`;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': open\n\n');
    return;
  }
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => {
    const id = /"id":(\d+)/.exec(body)?.[1] ?? '0';
    const answer = body.includes('"fail"') ? FAIL(id, /"order":"([^"]+)"/.exec(body)?.[1] ?? '') : OK(id);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('ready\n'));
