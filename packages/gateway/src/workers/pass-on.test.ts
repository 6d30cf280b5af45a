import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, createServer as createPlain, type Server as PlainServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { language } from '@mayday/core';
import { Reply } from '@mayday/relay';
import { afterEach, expect, it } from 'vitest';
import { refuse } from '../http/refusals.ts';
import { createPassOn } from './pass-on.ts';

const folder = mkdtempSync(join(tmpdir(), 'mayday-pass-on-'));
const servers: (Server | PlainServer)[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Passes everything on to a worker that ends as soon as it has a request. */
async function toOneThatEnds(): Promise<number> {
  const socket = join(folder, 'calls-2');
  const worker = createPlain((connection) => connection.once('data', () => connection.destroy()));
  const passOn = createPassOn();
  const speech = { dialect: language.dialect('mayday'), language, onBug: () => undefined };
  const door = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const reply = new Reply(response);
      const refused = (fault: Parameters<typeof refuse>[1]): undefined => void refuse(reply, fault, speech);
      passOn.to(socket, {
        request: incoming,
        body: Buffer.concat(chunks),
        reply,
        refused,
        otherwise: () => reply.abort(),
      });
    });
  });
  servers.push(worker, door);
  await new Promise<void>((resolve) => worker.listen(socket, resolve));
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return (door.address() as AddressInfo).port;
}

function post(port: number, message: object): Promise<{ status: number | undefined; said: unknown }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method: 'POST', agent: false }, (answer) => {
      let body = '';
      answer.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      answer.on('end', () => resolve({ status: answer.statusCode, said: JSON.parse(body) }));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify(message));
  });
}

it('tells under the id of the request that the worker has ended', async () => {
  const port = await toOneThatEnds();
  const asked = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'pay' } };
  const error = expect.objectContaining({
    message: 'The worker of the gateway that had this request has ended',
  });
  expect(await post(port, { ...asked, id: 'seven' })).toEqual({
    status: 502,
    said: { jsonrpc: '2.0', id: 'seven', error },
  });
  expect(await post(port, { ...asked, id: 7 })).toMatchObject({ said: { id: 7 } });
  // What is no request has no answer under its id.
  const told = await post(port, { jsonrpc: '2.0', id: 7, result: {} });
  expect(told).toEqual({ status: 502, said: { jsonrpc: '2.0', error } });
});
