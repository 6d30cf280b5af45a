/** A caller for the demo: opens a session at the joined endpoint and calls what the table says. */
import { read } from '@mayday/core';
import { SERVERS } from './servers.ts';

/** What one call came back with. */
export interface Outcome {
  readonly tool: string;
  readonly kind: string;
  readonly reaction: string;
  /** What the model is told. */
  readonly says: string;
}

/** Calls every row of the table once. */
export async function callAll(url: string): Promise<readonly Outcome[]> {
  const session = await openSession(url);
  const outcomes: Outcome[] = [];
  for (const { name, calls } of SERVERS) {
    for (const { tool, arguments: args } of calls) {
      const joined = `${name}_${tool}`;
      const message = {
        jsonrpc: '2.0',
        id: outcomes.length + 1,
        method: 'tools/call',
        params: { name: joined, arguments: args },
      };
      outcomes.push(toOutcome(joined, await post(url, message, session)));
    }
  }
  await fetch(url, { method: 'DELETE', headers: session });
  return outcomes;
}

async function openSession(url: string): Promise<{ [name: string]: string }> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'mayday-demo', version: '0.1.0' },
  };
  const response = await send(url, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, {});
  await response.text();
  const session = { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
  await send(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return session;
}

function send(url: string, message: object, headers: { [name: string]: string }): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(message),
  });
}

async function post(url: string, message: object, headers: { [name: string]: string }): Promise<unknown> {
  const text = await (await send(url, message, headers)).text();
  const last = text.startsWith('{')
    ? text
    : (text
        .match(/^data: (.*)$/gm)
        ?.at(-1)
        ?.slice(6) ?? '{}');
  return JSON.parse(last);
}

function toOutcome(tool: string, message: unknown): Outcome {
  const reading = read(message);
  const { result, error } = message as {
    result?: { content?: { text?: string }[] };
    error?: { message?: string };
  };
  const says = result?.content?.[0]?.text ?? error?.message ?? '';
  if (!reading.failure) return { tool, kind: 'ok', reaction: '', says };
  return { tool, kind: reading.fault.kind, reaction: reading.fault.reaction, says };
}
