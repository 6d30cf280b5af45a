/** An upstream that costs next to nothing: raw sockets, no parser. Each request comes in one piece, as the gateway sends it. */
import { createServer } from 'node:net';

const ID = /"id":(\d+)/;
const ORDER = /"order":"([^"]+)"/;

function answerTo(request: string): string {
  const id = ID.exec(request)?.[1] ?? '0';
  const order = ORDER.exec(request)?.[1] ?? '';
  const result = request.includes('"fail"')
    ? `{"content":[{"type":"text","text":"The order ${order} was not found"}],"isError":true}`
    : '{"content":[{"type":"text","text":"The order A-17 was shipped on Monday and arrives tomorrow."}]}';
  const body = `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('data', (chunk) => socket.write(answerTo(chunk.toString('latin1'))));
  socket.on('error', () => undefined);
});
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.stdout.write('ready\n'));
