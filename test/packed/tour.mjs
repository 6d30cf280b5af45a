/** What a user of the packages does first, in a folder where only they are installed. Prints what came of it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import process from 'node:process';
import { httpTransport, resilient } from '@mayday/client';
import { fault, read } from '@mayday/core';
import { guard } from '@mayday/server';
import { openStore } from '@mayday/store';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

/** Whose entries need nothing but what is installed with them. */
const COMPLETE = ['core', 'policy', 'relay', 'store', 'gateway'];

const require = createRequire(import.meta.url);

async function importAll(name) {
  const { exports } = require(`@mayday/${name}/package.json`);
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'));
  for (const entry of entries) await import(`@mayday/${name}${entry.slice(1)}`);
  return entries.length;
}

async function guarded() {
  const server = guard(new McpServer({ name: 'orders', version: '1.0.0' }));
  server.registerTool('cancel', { inputSchema: z.object({ id: z.string() }) }, async ({ id }) => {
    if (id === 'none') throw fault.notFound('No order none');
    return { content: [{ type: 'text', text: `cancelled ${id}` }] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: 'agent', version: '1.0.0' });
  await client.connect(near);
  const [done, failed] = [await client.callTool(call('4711')), await client.callTool(call('none'))];
  await client.close();
  return [done.content[0].text, failed.isError, read({ result: failed }).fault.kind];
}

function call(id) {
  return { name: 'cancel', arguments: { id } };
}

const SERVER = `
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
const server = new McpServer({ name: 'clock', version: '1.0.0' });
server.registerTool('now', {}, async () => ({ content: [{ type: 'text', text: 'noon' }] }));
await server.connect(new StdioServerTransport());
`;

const API = {
  openapi: '3.1.0',
  info: { title: 'Sundial', version: '1.0.0' },
  paths: { '/shadow': { get: { operationId: 'shadow', responses: { 200: { description: 'Its length' } } } } },
};

async function throughGateway() {
  writeFileSync('clock.mjs', SERVER);
  writeFileSync('sundial.json', JSON.stringify(API));
  const sundial = createServer((_, response) => response.end('short')).listen(0, '127.0.0.1');
  await once(sundial, 'listening');
  const config = {
    listen: { port: 0 },
    upstreams: {
      clock: { command: process.execPath, args: ['clock.mjs'] },
      sundial: { openapi: './sundial.json', base_url: `http://127.0.0.1:${sundial.address().port}` },
    },
  };
  writeFileSync('mayday.json', JSON.stringify(config));
  const gateway = mayday('gateway', '--config', 'mayday.json');
  const exit = once(gateway, 'exit');
  gateway.stderr.resume();
  try {
    const url = await firstMatch(gateway.stdout, /http:\S+\/clock\/mcp/);
    return [await ask(url, 'now'), await ask(url.replace('/clock/', '/sundial/'), 'shadow')];
  } finally {
    gateway.kill('SIGTERM');
    await exit;
    sundial.close();
  }
}

async function ask(url, name) {
  const client = resilient(new Client({ name: 'agent', version: '1.0.0' }), {
    transport: () => httpTransport(url),
  });
  await client.connect();
  const outcome = await client.call({ name, arguments: {} });
  await client.close();
  return outcome.ok ? outcome.result.content[0].text : outcome.text;
}

function mayday(...args) {
  const bin = require.resolve('@mayday/cli/bin/mayday.js');
  return spawn(process.execPath, [bin, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
}

async function firstMatch(stream, pattern) {
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
    const found = pattern.exec(text);
    if (found !== null) return found[0];
  }
  throw new Error(`The gateway said nothing of where it listens: ${text}`);
}

async function commandLine() {
  const child = mayday('read', '--compact');
  child.stdin.end('{"error":{"code":-32601,"message":"Method not found"},"id":1,"jsonrpc":"2.0"}');
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text).kind;
}

async function store(where) {
  try {
    const opened = await openStore(where);
    await opened.audit.append({ actor: 'ada', action: 'tour' });
    const { rows } = await opened.audit.verify();
    await opened.close();
    return rows;
  } catch (thrown) {
    return thrown.message;
  }
}

const entries = {};
for (const name of COMPLETE) entries[name] = await importAll(name);
const told = {
  entries,
  guarded: await guarded(),
  gateway: await throughGateway(),
  commandLine: await commandLine(),
  memory: await store('memory:'),
  file: await store(`tour-${process.pid}.db`),
};
process.stdout.write(`${JSON.stringify(told)}\n`);
